#include "isa/quiet.h"

#include <algorithm>
#include <array>

#include "machine/block.h"

namespace warpwright::isa {
namespace {

using machine::Instruction;
using machine::Warp;

void pause(Warp& warp, const Instruction&) { warp.note_polling(); }

template <bool whole_device>
void fence(Warp& warp, const Instruction&) {
  warp.note_polling();
  if (warp.block.watch().fence.empty()) return;
  const observe::Fence event{warp.where(), warp.active, whole_device};
  for (observe::Observer* observer : warp.block.watch().fence) observer->fence(event);
}

void nothing(Warp&, const Instruction&) {}

void trap(Warp& warp, const Instruction&) { warp.end_launch(observe::FaultKind::trap, warp.active); }

/// An H200 without a debugger ends the launch, as at a trap.
void breakpoint(Warp& warp, const Instruction&) {
  warp.end_launch(observe::FaultKind::trap, warp.active, "a breakpoint, and there is no debugger");
}

bool is_scope(std::string_view text) { return text == "cta" || text == "cluster" || text == "gpu" || text == "sys"; }

/// PTX ISA, "membar / fence".
bool is_fence(std::string_view opcode) {
  constexpr std::array<std::string_view, 3> levels = {"membar.cta", "membar.gl", "membar.sys"};
  if (std::ranges::find(levels, opcode) != levels.end()) return true;
  for (const std::string_view order : {"fence.", "fence.sc.", "fence.acq_rel.", "fence.acquire.", "fence.release."})
    if (opcode.starts_with(order) && is_scope(opcode.substr(order.size()))) return true;
  // There is one memory here, whichever way it is reached.
  return opcode == "fence.mbarrier_init.release.cluster" || opcode == "membar.proxy.alias" ||
         opcode == "fence.proxy.alias" || opcode == "fence.proxy.async" || opcode == "fence.proxy.async.global" ||
         opcode == "fence.proxy.async.shared::cta" || opcode == "fence.proxy.async.shared::cluster" ||
         opcode == "fence.acquire.sync_restrict::shared::cluster.cluster" ||
         opcode == "fence.release.sync_restrict::shared::cta.cluster" ||
         opcode == "fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster" ||
         opcode == "fence.proxy.async::generic.release.sync_restrict::shared::cta.cluster";
}

/// PTX ISA, "prefetch, prefetchu" and "applypriority", and events of the profiler.
bool is_hint(std::string_view opcode) {
  for (const std::string_view space : {"", "global.", "local."})
    for (const std::string_view level : {"L1", "L2"})
      if (opcode == std::string("prefetch.").append(space).append(level)) return true;
  for (const std::string_view space : {"", "global."})
    for (const std::string_view priority : {"evict_last", "evict_normal"})
      if (opcode == std::string("prefetch.").append(space).append("L2::").append(priority)) return true;
  return opcode == "prefetchu.L1" || opcode == "applypriority.L2::evict_normal" ||
         opcode == "applypriority.global.L2::evict_normal" || opcode == "pmevent" || opcode == "pmevent.mask";
}

/// Kernels run one after the other, so that one which another depends on has always ended.
bool is_grid_dependency(std::string_view opcode) {
  return opcode == "griddepcontrol.wait" || opcode == "griddepcontrol.launch_dependents";
}

}  // namespace

bool is_quiet(std::string_view mnemonic) {
  constexpr std::array<std::string_view, 10> mnemonics = {"membar",  "fence",         "nanosleep", "trap",
                                                          "brkpt",   "prefetch",      "prefetchu", "applypriority",
                                                          "pmevent", "griddepcontrol"};
  return std::ranges::find(mnemonics, mnemonic) != mnemonics.end();
}

machine::Execute quiet_hint() { return &nothing; }

machine::Execute quiet(const std::string& opcode) {
  if (opcode == "trap") return &trap;
  if (opcode == "brkpt") return &breakpoint;
  if (opcode == "nanosleep.u32") return &pause;
  if (is_fence(opcode)) return opcode.ends_with(".cta") ? &fence<false> : &fence<true>;
  if (is_hint(opcode) || is_grid_dependency(opcode)) return &nothing;
  return nullptr;
}

}  // namespace warpwright::isa
