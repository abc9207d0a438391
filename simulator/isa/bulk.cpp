#include "isa/bulk.h"

#include "isa/mbarrier.h"
#include "isa/types.h"
#include "machine/access.h"
#include "machine/block.h"

namespace warpwright::isa {
namespace {

using machine::Instruction;
using machine::Warp;
using machine::warp_size;

constexpr u32 unit = 16;  // bytes that sizes and addresses are multiples of

/// Checks and tells of what a lane's copy reads, and returns the copy without its destination's check, which the copy
/// itself makes.
machine::AsyncCopy prepare(Warp& warp, const Instruction& instruction, int lane, bool to_shared) {
  machine::AsyncCopy copy;
  copy.pc = warp.pc();
  copy.lanes = machine::lane_bit(lane);
  copy.bulk = true;
  copy.to_shared = to_shared;
  copy.bytes = warp.reg<u32>(instruction.source[2])[lane];
  const u64 shared = warp.reg<u32>(instruction.source[to_shared ? 0 : 1])[lane];
  const u64 global = warp.reg<u64>(instruction.source[to_shared ? 1 : 0])[lane];
  copy.from[lane] = to_shared ? global : shared;
  copy.to[lane] = to_shared ? shared : global;
  if (copy.bytes % unit != 0)
    warp.end_launch(observe::FaultKind::bad_copy, copy.lanes, "a copy in bulk moves a multiple of 16 bytes");
  Instruction load;
  load.space = to_shared ? machine::Space::global : machine::Space::shared;
  load.kind = machine::AccessKind::load;
  load.set_elements(unit, 1);
  load.bulk = true;
  warp.as_if_at(copy.pc, copy.lanes, [&] {
    for (u32 at = 0; at < copy.bytes; at += unit) {
      machine::Addresses addresses(copy.from.data(), at, copy.lanes);
      machine::resolve(warp, load, addresses);
    }
  });
  return copy;
}

}  // namespace

void bulk_to_shared(Warp& warp, const Instruction& instruction) {
  for (const int lane : machine::each_lane(warp.active)) {
    machine::AsyncCopy copy = prepare(warp, instruction, lane, true);
    copy.barrier = warp.reg<u32>(instruction.source[3])[lane];
    machine::tell_issued(warp, copy);
    warp.block.issue_bulk(warp, std::move(copy), [](Warp& issuer, const machine::AsyncCopy& made) {
      if (complete_bytes(issuer.block.shared() + made.barrier, made.bytes)) return;
      issuer.as_if_at(made.pc, made.lanes, [&] {
        issuer.end_launch(observe::FaultKind::bad_barrier, made.lanes,
                          "the mbarrier that is told of this copy was not initialised, or does not expect its bytes");
      });
    });
  }
}

void bulk_to_global(Warp& warp, const Instruction& instruction) {
  for (const int lane : machine::each_lane(warp.active))
    warp.bulk_copies().issue(prepare(warp, instruction, lane, false));
}

void bulk_commit_group(Warp& warp, const Instruction&) { warp.bulk_copies().commit(warp.active); }

void bulk_wait_group(Warp& warp, const Instruction& instruction) {
  warp.bulk_copies().wait(warp, warp.active, instruction.option);
}

}  // namespace warpwright::isa
