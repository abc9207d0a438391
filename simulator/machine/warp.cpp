#include "machine/warp.h"

#include <algorithm>
#include <cstring>
#include <memory>

#include "machine/block.h"

namespace warpwright::machine {
namespace {

constexpr std::size_t register_alignment = 64;  // the widest vector registers of a host

/// Polls (atomics, volatile loads) by one group after which others get a turn: long enough for a few rounds of an
/// uncontended lock, short enough that a spin lock costs microseconds.
constexpr std::uint32_t patience = 64;
/// Turns that a warp takes before other warps get one.
constexpr std::uint32_t turns_per_run = 8;
/// Instructions without a poll after which other warps get a turn for the first time, and every time after twice as
/// many: it may be a loop that waits with plain loads, or it may be work.
constexpr std::uint64_t first_slice = std::uint64_t{1} << 20;

std::uint32_t value_of(SpecialRegister which, const Warp& warp, int lane) {
  const Launch& launch = warp.block.launch();
  const auto thread = [&] { return index_in(launch.block, warp.number() * std::uint64_t{warp_size} + lane); };
  const Dim3& block = warp.block.index();
  switch (which) {
    case SpecialRegister::tid_x:
      return thread().x;
    case SpecialRegister::tid_y:
      return thread().y;
    case SpecialRegister::tid_z:
      return thread().z;
    case SpecialRegister::ntid_x:
      return launch.block.x;
    case SpecialRegister::ntid_y:
      return launch.block.y;
    case SpecialRegister::ntid_z:
      return launch.block.z;
    case SpecialRegister::ctaid_x:
      return block.x;
    case SpecialRegister::ctaid_y:
      return block.y;
    case SpecialRegister::ctaid_z:
      return block.z;
    case SpecialRegister::nctaid_x:
      return launch.grid.x;
    case SpecialRegister::nctaid_y:
      return launch.grid.y;
    case SpecialRegister::nctaid_z:
      return launch.grid.z;
    case SpecialRegister::laneid:
      return static_cast<std::uint32_t>(lane);
    case SpecialRegister::warpid:
      return warp.number();
    case SpecialRegister::nwarpid:
      return launch.warps_per_block();
    case SpecialRegister::lanemask_eq:
      return lane_bit(lane);
    case SpecialRegister::lanemask_lt:
      return lane_bit(lane) - 1;
    case SpecialRegister::lanemask_le:
      return lane_bit(lane) | (lane_bit(lane) - 1);
    case SpecialRegister::lanemask_gt:
      return ~(lane_bit(lane) | (lane_bit(lane) - 1));
    case SpecialRegister::lanemask_ge:
      return ~(lane_bit(lane) - 1);
    case SpecialRegister::dynamic_smem_size:
      return launch.dynamic_shared_bytes;
    case SpecialRegister::total_smem_size:
      return launch.program->static_shared_bytes + launch.dynamic_shared_bytes;
    case SpecialRegister::smid:
      return static_cast<std::uint32_t>(warp.block.number() % launch.multiprocessors);
    case SpecialRegister::nsmid:
      return launch.multiprocessors;
    case SpecialRegister::zero:
      return 0;
    case SpecialRegister::one:
      return 1;
    case SpecialRegister::envreg1:
      return static_cast<std::uint32_t>(launch.grid_workspace >> 32);
    case SpecialRegister::envreg2:
      return static_cast<std::uint32_t>(launch.grid_workspace);
  }
  return 0;
}

/// Whether lanes at `from` can come to where those of `to` are without beginning another turn of a loop that holds
/// both: asked in the innermost function that both are in.
bool comes_to(const Reach& reach, const Group& from, const Group& to) {
  const Call* a = from.call.get();
  const Call* b = to.call.get();
  std::uint32_t a_pc = from.pc, b_pc = to.pc;
  const auto depth = [](const Call* call) { return call == nullptr ? 0 : call->depth; };
  const auto leave = [](const Call*& call, std::uint32_t& pc) {
    pc = call->site;
    call = call->caller.get();
  };
  while (depth(a) > depth(b)) leave(a, a_pc);
  while (depth(b) > depth(a)) leave(b, b_pc);
  while (!same_calls(a, b)) {
    leave(a, a_pc);
    leave(b, b_pc);
  }
  if (a_pc == b_pc) return depth(from.call.get()) < depth(to.call.get());  // about to make the call that `to` is in
  return reach(a_pc, b_pc);
}

Group* only_if_ready(Group& group) { return group.state == Group::State::ready ? &group : nullptr; }

bool changes_with_the_block(SpecialRegister which) {
  return which == SpecialRegister::ctaid_x || which == SpecialRegister::ctaid_y || which == SpecialRegister::ctaid_z ||
         which == SpecialRegister::smid;
}

template <class T>
void fill(std::byte* registers, std::uint32_t reg, std::uint64_t bits) {
  T* lanes = reinterpret_cast<T*>(registers + reg);
  std::fill(lanes, lanes + warp_size, static_cast<T>(bits));
}

}  // namespace

Warp::Warp(Block& owner, std::uint32_t number, Lanes launched) : block(owner), number_(number), launched_(launched) {
  const Program& program = block.program();
  vectors_ = program.vectors.data();
  storage_.resize(program.register_bytes + register_alignment);
  void* start = storage_.data();
  std::size_t room = storage_.size();
  registers_ = static_cast<std::byte*>(std::align(register_alignment, program.register_bytes, start, room));
  for (const Immediate& immediate : program.immediates)
    if (immediate.lane_bytes == 8)
      fill<std::uint64_t>(registers_, immediate.reg, immediate.bits);
    else
      fill<std::uint32_t>(registers_, immediate.reg, immediate.bits);
  for (const Special& special : program.specials)
    for (int lane = 0; lane < warp_size; ++lane)
      reg<std::uint32_t>(special.reg)[lane] = value_of(special.which, *this, lane);
}

void Warp::begin() {
  for (const Special& special : block.program().specials)
    if (changes_with_the_block(special.which))
      fill<std::uint32_t>(registers_, special.reg, value_of(special.which, *this, 0));
  block_number_ = block.number();
  live_ = launched_;
  steps_ = polls_ = 0;
  runs_are_wanted_ = false;
  enough_polls_ = patience;
  slice_ = first_slice;
  async_copies_.clear();
  bulk_copies_.clear();
  alloca_top_.fill(block.program().local_bytes);
  groups_.assign(1, Group{.lanes = launched_});
}

Warp::State Warp::run() {
  const auto pause_after = [&](std::uint64_t slice) {
    pause_at_ = std::min(block.options().step_budget + 1, steps_ + slice);
  };
  Schedule* schedule = block.schedule();
  const bool is_looked_at = block.slice() != 0;
  if (schedule != nullptr) {
    pause_after(schedule->slice());
  } else {
    enough_polls_ = polls_ + patience;
    pause_after(is_looked_at ? block.slice() : slice_);
  }
  std::uint64_t polls = polls_;
  for (std::uint32_t turns = 0; turns < turns_per_run;) {
    Group* group = groups_.size() == 1 ? only_if_ready(groups_[0]) : choose();
    if (group == nullptr) {
      if (live_ == 0) return State::finished;
      if (wake_collectives()) continue;
      return State::waiting;
    }
    run_group(static_cast<std::size_t>(group - groups_.data()));
    if (polls_ > enough_polls_) {
      enough_polls_ = polls_ + patience;
      ++turns;
    }
    if (steps_ < pause_at_) continue;
    if (live_ == 0) return State::finished;
    if (schedule != nullptr || is_looked_at) return State::yielded;
    if (polls_ == polls) {
      slice_ *= 2;
      return State::yielded;
    }
    polls = polls_;
    pause_after(slice_);
  }
  return State::polling;
}

Group* Warp::lowest_in_rank() {
  const Program& program = block.program();
  const auto is_behind = [&](const Group& a, const Group& b) {
    if (a.call == b.call) return program.rank[a.pc] < program.rank[b.pc];
    return compare_progress(program, a.call.get(), a.pc, b.call.get(), b.pc) < 0;
  };
  Group* best = nullptr;
  for (Group& group : groups_) {
    if (group.state != Group::State::ready) continue;
    if (best == nullptr || group.turn < best->turn || (group.turn == best->turn && is_behind(group, *best)))
      best = &group;
  }
  return best;
}

Group* Warp::any_in_front() {
  Schedule& schedule = *block.schedule();
  std::vector<Group*> first;  // those whose turn it is
  for (Group& group : groups_) {
    if (group.state != Group::State::ready) continue;
    if (!first.empty() && group.turn > first.front()->turn) continue;
    if (!first.empty() && group.turn < first.front()->turn) first.clear();
    first.push_back(&group);
  }
  std::vector<Group*> front;
  for (Group* group : first)
    if (std::ranges::none_of(
            first, [&](const Group* other) { return other != group && comes_to(schedule.reach(), *other, *group); }))
      front.push_back(group);
  return front.empty() ? nullptr : front[schedule.below(static_cast<std::uint32_t>(front.size()))];
}

Group* Warp::choose() {
  Group* best = block.schedule() == nullptr ? lowest_in_rank() : any_in_front();
  if (best == nullptr) return nullptr;
  const std::uint32_t pc = best->pc;
  for (std::size_t i = groups_.size(); i-- > 0;) {
    if (&groups_[i] == best || groups_[i].state != Group::State::ready || groups_[i].pc != pc) continue;
    if (!same_calls(groups_[i].call.get(), best->call.get())) continue;
    join_calls(block.program(), best->call.get(), groups_[i].call.get(), groups_[i].lanes);
    best->lanes |= groups_[i].lanes;
    const bool shifts_best = &groups_[i] < best;
    remove(i);
    if (shifts_best) --best;
  }
  return best;
}

[[gnu::always_inline]] inline void Warp::branch(std::size_t index, const Instruction& instruction) {
  const Lanes lanes = groups_[index].lanes;
  const Lanes taken = guarded(instruction, lanes);
  tell_run(1, lanes, taken);
  if (taken == lanes) {
    groups_[index].pc = instruction.target;
    return;
  }
  if (taken != 0) part(index, instruction, taken);
  ++groups_[index].pc;
}

void Warp::run_group(std::size_t index) {
  const Program& program = block.program();
  do {
    Group& group = groups_[index];
    const std::uint32_t pc = group.pc;
    if (std::uint32_t length = program.run_length[pc]; length != 0) {
      length = static_cast<std::uint32_t>(std::min<std::uint64_t>(length, pause_at_ - steps_));
      execute_run(group, &program.code[pc], length);
      group.pc += length;
      steps_ += length;
    } else {
      const Instruction& instruction = program.code[pc];
      pc_ = pc;
      ++steps_;
      clock_base_ = steps_ - pc;
      switch (instruction.flow) {
        case Flow::straight: {
          const Lanes lanes = groups_[index].lanes;
          const Lanes on = guarded(instruction, lanes);
          tell_run(1, lanes, on);
          active = on;
          if (on != 0) instruction.execute(*this, instruction);
          ++groups_[index].pc;
          break;
        }
        case Flow::branch:
          branch(index, instruction);
          break;
        case Flow::indexed_branch:
          indexed_branch(index, instruction);
          break;
        case Flow::call:
          call(index, instruction);
          break;
        case Flow::return_from_call:
          return_from_call(index, instruction);
          break;
        case Flow::exit:
          exit(index, instruction);
          break;
        case Flow::block_barrier:
          arrive(index, instruction);
          break;
        case Flow::warp_barrier:
        case Flow::collective:
          collect(index, instruction);
          break;
      }
    }
    if (steps_ >= pause_at_) {
      if (steps_ > block.options().step_budget) end_launch(observe::FaultKind::endless, live_);
      return;
    }
    if (polls_ > enough_polls_) {
      ++groups_[index].turn;
      return;
    }
    // A group that left or joined another has no place in the list any more: only the first place is sure to be filled.
  } while (groups_.size() == 1 && index == 0 && groups_[0].state == Group::State::ready);
}

void Warp::execute_run(const Group& group, const Instruction* instruction, std::uint32_t length) {
  pc_ = group.pc;
  clock_base_ = steps_ + 1 - pc_;
  tell_run(length, group.lanes, group.lanes);
  active = group.lanes;
  for (const Instruction* const end = instruction + length; instruction != end; ++pc_, ++instruction)
    instruction->execute(*this, *instruction);
}

[[gnu::noinline]] void Warp::tell_observers_of_run(const observe::Run& event) {
  runs_are_wanted_ = false;
  for (observe::Observer* observer : block.watch().run) runs_are_wanted_ |= observer->run(event);
}

Lanes Warp::guarded(const Instruction& instruction, Lanes lanes) {
  if (instruction.guard == no_register) return lanes;
  const Lanes holds = *reg<Lanes>(instruction.guard);
  return lanes & (instruction.guard_negated ? ~holds : holds);
}

std::size_t Warp::split(std::size_t index, Lanes part, std::uint32_t pc) {
  groups_[index].lanes &= ~part;
  groups_.push_back({.pc = pc, .lanes = part, .turn = groups_[index].turn, .call = groups_[index].call});
  return groups_.size() - 1;
}

[[gnu::noinline]] void Warp::part(std::size_t index, const Instruction& instruction, Lanes taken) {
  const observe::Branch event{where(), groups_[index].lanes, taken};
  for (observe::Observer* observer : block.watch().branch) observer->branch(event);
  split(index, taken, instruction.target);
}

void Warp::exit(std::size_t index, const Instruction& instruction) {
  const Lanes lanes = groups_[index].lanes;
  const Lanes leaving = guarded(instruction, lanes);
  tell_run(1, lanes, leaving);
  if (!async_copies_.empty()) async_copies_.wait_all(*this, leaving);
  if (!bulk_copies_.empty()) bulk_copies_.wait_all(*this, leaving);
  live_ &= ~leaving;
  groups_[index].lanes &= ~leaving;
  ++groups_[index].pc;
  if (groups_[index].lanes == 0) remove(index);
  if (leaving != 0) block.exited(*this, leaving);
}

void Warp::end_launch(observe::FaultKind kind, Lanes lanes, std::string_view text) {
  observe::Fault fault;
  fault.text = text;
  fault.kind = kind;
  fault.access.where = where();
  fault.access.lanes = fault.lanes = lanes;
  for (observe::Observer* observer : block.watch().all) observer->fault(fault);
  throw LaunchEnded{kind == observe::FaultKind::endless ? LaunchStatus::over_budget : LaunchStatus::faulted};
}

void Warp::remove(std::size_t index) { groups_.erase(groups_.begin() + static_cast<std::ptrdiff_t>(index)); }

}  // namespace warpwright::machine
