#include "machine/kernel.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "cudart/reservation.h"
#include "isa/decode.h"

namespace warpwright::kernels {
namespace {

constexpr std::string_view head = R"(.version 9.0
.target sm_90
.address_size 64
.extern .shared .align 16 .b8 dynamic[];
.visible .entry kernel(.param .u64 outs, .param .u64 ins) {
.reg .pred %p<16>;
.reg .b16 %rs<16>;
.reg .b32 %r<32>, %lane, %warp, %thread, %block, %scratch;
.reg .f32 %f<32>;
.reg .b64 %rd<32>, %out, %outs, %in, %ins, %offset;
.reg .f64 %fd<32>;
.shared .align 16 .b8 tile[256];
.shared .align 16 .b8 other[256];
.local .align 16 .b8 frame[64];
mov.u32 %lane, %laneid;
mov.u32 %warp, %warpid;
mov.u32 %block, %ctaid.x;
mov.u32 %scratch, %ntid.x;
mov.u32 %thread, %tid.y;
mad.lo.u32 %thread, %thread, %scratch, %tid.x;
ld.param.u64 %outs, [outs];
ld.param.u64 %ins, [ins];
mov.u32 %scratch, %ntid.y;
mul.lo.u32 %scratch, %scratch, %ntid.x;
mad.lo.u32 %scratch, %scratch, %block, %thread;
mul.wide.u32 %offset, %scratch, 4;
add.u64 %out, %outs, %offset;
add.u64 %in, %ins, %offset;
)";
constexpr std::string_view tail = "\ndone:\nret;\n}\n";

constexpr std::size_t capacity = std::size_t{1} << 30;

/// One range of device memory for all launches: addresses are never used twice.
machine::DeviceMemory& device_memory() {
  static cudart::AddressReservation reservation;
  static machine::DeviceMemory memory(reservation, capacity);
  return memory;
}

isa::Symbols allocate_variables(const ptx::Module& module, machine::DeviceMemory& memory) {
  isa::Symbols symbols;
  for (const ptx::Variable& variable : module.variables) {
    if (variable.space != ptx::Space::global && variable.space != ptx::Space::constant) continue;
    const bool constant = variable.space == ptx::Space::constant;
    const machine::Address address = memory.allocate(variable.bytes, variable.name, machine::Place::device, constant);
    std::ranges::copy(variable.initial, static_cast<std::byte*>(memory.place(address)));
    symbols.addresses[variable.name] = address;
  }
  return symbols;
}

std::string first_kernel(const ptx::Module& module) {
  return std::ranges::find_if(module.functions, &ptx::Function::is_entry)->name;
}

class Recorder final : public observe::Observer {
 public:
  explicit Recorder(const Shape& shape) : all_(shape.record), heard_(shape.heard) {}
  std::uint32_t wants() const override { return all_ ? ~0u : 0; }
  std::unique_ptr<Observer> fork() const override { return std::make_unique<Recorder>(*this); }
  void join(Observer& other) override { forks_.push_back(std::move(static_cast<Recorder&>(other).events)); }
  void report(observe::Report&) const override {}

  void block_begin(std::uint64_t block) override { events.begun.push_back(block); }
  void block_end(std::uint64_t block) override { events.ended.push_back(block); }
  bool run(const observe::Run& run) override {
    events.runs.push_back(run);
    return heard_.from.empty() || program_->text(run.where.pc) != heard_.to;
  }
  bool rouses(std::uint32_t pc) const override { return heard_.from.empty() || program_->text(pc) == heard_.from; }
  void profile(const machine::Profile& profile) override { events.executed = profile.counts(); }
  void branch(const observe::Branch& branch) override { events.branches.push_back(branch); }
  void barrier_arrival(const observe::BarrierArrival& arrival) override { events.arrivals.push_back(arrival); }
  void warp_sync(const observe::WarpSync& sync) override { events.syncs.push_back(sync); }

  void access(const observe::Access& access) override {
    Access copy{access};
    copy_lanes(access, copy.at);
    copy.addresses = nullptr;
    if (access.space == machine::Space::global && access.bytes >= sizeof copy.held)
      std::memcpy(&copy.held, device_memory().place(copy.at[machine::first_lane(access.lanes)]), sizeof copy.held);
    events.accesses.push_back(copy);
  }
  void barrier_release(const observe::BarrierRelease& release) override {
    Release copy{release, {}};
    copy.lanes.assign(release.arrived, release.arrived + warps_);
    copy.arrived = nullptr;
    events.releases.push_back(std::move(copy));
  }
  void shuffle(const observe::Shuffle& shuffle) override {
    Shuffle copy{shuffle, {}, {}};
    std::copy_n(shuffle.masks, machine::warp_size, copy.member_masks.begin());
    std::copy_n(shuffle.sources, machine::warp_size, copy.source_lanes.begin());
    copy.masks = copy.sources = nullptr;
    events.shuffles.push_back(copy);
  }
  void fence(const observe::Fence& fence) override { events.fences.push_back(fence); }
  void wrong_mask(const observe::WrongMask& wrong) override {
    WrongMask copy{wrong, {}, {}};
    std::copy_n(wrong.masks, machine::warp_size, copy.member_masks.begin());
    std::copy_n(wrong.at, machine::warp_size, copy.places.begin());
    copy.masks = copy.at = nullptr;
    events.wrong_masks.push_back(copy);
  }
  void fault(const observe::Fault& fault) override {
    Fault copy{fault, {}};
    copy_lanes(fault.access, copy.at);
    if (const std::byte* found = std::exchange(copy.standstill.found, nullptr); found != nullptr)
      std::memcpy(&copy.found, found, std::min<std::size_t>(sizeof copy.found, fault.access.bytes));
    copy.access.addresses = nullptr;
    events.faults.push_back(copy);
  }
  void launch_begin(const machine::Launch& launch) override {
    warps_ = launch.warps_per_block();
    program_ = launch.program;
  }

  /// What this one and those that joined it saw, by block.
  Events take() {
    Events all = std::move(events);
    for (Events& fork : forks_) {
      append(all.runs, fork.runs);
      append(all.accesses, fork.accesses);
      append(all.branches, fork.branches);
      append(all.arrivals, fork.arrivals);
      append(all.releases, fork.releases);
      append(all.syncs, fork.syncs);
      append(all.shuffles, fork.shuffles);
      append(all.fences, fork.fences);
      append(all.wrong_masks, fork.wrong_masks);
      append(all.faults, fork.faults);
      append(all.begun, fork.begun);
      append(all.ended, fork.ended);
      for (std::size_t pc = 0; pc < all.executed.size(); ++pc) all.executed[pc] += fork.executed[pc];
    }
    return all;
  }

  Events events;

 private:
  static void copy_lanes(const observe::Access& access, std::array<std::uint64_t, 32>& to) {
    if (access.addresses == nullptr) return;
    for (const int lane : machine::each_lane(access.lanes)) to[lane] = access.address(lane);
  }

  template <class Event>
  static std::uint64_t block_of(const Event& event) {
    if constexpr (std::is_integral_v<Event>)
      return event;
    else if constexpr (std::is_same_v<Event, Fault>)
      return event.access.where.block;
    else
      return event.where.block;
  }

  template <class Event>
  static void append(std::vector<Event>& to, const std::vector<Event>& from) {
    to.insert(to.end(), from.begin(), from.end());
    std::ranges::stable_sort(to, {}, [](const Event& event) { return block_of(event); });
  }

  bool all_;
  Shape::Heard heard_;
  std::uint32_t warps_ = 0;
  const machine::Program* program_ = nullptr;
  std::vector<Events> forks_;
};

}  // namespace

std::uint32_t Outcome::pc_of(std::string_view text) const {
  std::vector<std::uint32_t> found;
  for (std::uint32_t pc = 0; pc < program->code.size(); ++pc)
    if (program->text(pc) == text) found.push_back(pc);
  if (found.size() != 1) throw std::invalid_argument(fmt::format("{} instructions are `{}`", found.size(), text));
  return found.front();
}

std::vector<Lanes> Outcome::lanes_at(std::string_view text, std::uint64_t block, std::uint32_t warp) const {
  const std::uint32_t pc = pc_of(text);
  std::vector<Lanes> lanes;
  for (const observe::Run& run : events.runs)
    if (run.where.block == block && run.where.warp == warp && run.where.pc <= pc && pc < run.where.pc + run.count)
      lanes.push_back(run.on);
  return lanes;
}

std::string module_around(std::string_view body) { return fmt::format("{}{}{}", head, body, tail); }

Outcome run(std::string_view body, const Shape& shape) { return run_module(module_around(body), shape); }

Outcome run_module(std::string_view text, const Shape& shape) {
  const ptx::Module module = ptx::parse(text);
  machine::DeviceMemory& memory = device_memory();
  Outcome outcome;
  outcome.program =
      std::make_shared<machine::Program>(isa::decode(module, first_kernel(module), allocate_variables(module, memory)));

  outcome.out.assign(shape.words != 0 ? shape.words : shape.grid.count() * shape.block.count(), unwritten);
  const std::size_t out_bytes = outcome.out.size() * sizeof(std::uint32_t);
  const std::size_t in_bytes = shape.in.size() * sizeof(std::uint32_t);
  outcome.outs = memory.allocate(out_bytes, "output");
  outcome.ins = memory.allocate(in_bytes, "input", shape.place);
  std::memcpy(memory.place(outcome.outs), outcome.out.data(), out_bytes);
  std::memcpy(memory.place(outcome.ins), shape.in.data(), in_bytes);

  machine::Launch launch;
  launch.program = outcome.program.get();
  launch.memory = &memory;
  launch.grid = shape.grid;
  launch.block = shape.block;
  launch.dynamic_shared_bytes = shape.dynamic_shared_bytes;
  launch.resident_blocks = shape.resident_blocks;
  launch.host_runs_on = shape.host_runs_on;
  launch.parameters.resize(outcome.program->parameter_bytes);
  const std::array<std::uint64_t, 2> arguments = {outcome.outs, outcome.ins};
  std::memcpy(launch.parameters.data(), arguments.data(), std::min(launch.parameters.size(), sizeof arguments));

  std::vector<std::unique_ptr<observe::Observer>> observers;
  observers.push_back(std::make_unique<Recorder>(shape));
  outcome.status = machine::run(launch, {shape.host_threads, shape.step_budget, shape.schedule}, observers);
  outcome.events = static_cast<Recorder&>(*observers.front()).take();
  std::memcpy(outcome.out.data(), memory.place(outcome.outs), out_bytes);
  memory.free(outcome.outs);
  memory.free(outcome.ins);
  return outcome;
}

std::string refusal_of(std::string_view body) {
  const ptx::Module module = ptx::parse(module_around(body));
  try {
    isa::decode(module, first_kernel(module), {});
  } catch (const machine::UnsupportedInstruction& refusal) {
    return refusal.what();
  }
  return {};
}

}  // namespace warpwright::kernels
