#include "machine/call.h"

#include <algorithm>
#include <cstring>

#include "machine/block.h"

namespace warpwright::machine {
namespace {

/// Ends a recursion that would not end by itself, whatever it needs of local memory.
constexpr std::uint32_t most_calls = 10000;

/// The parameter at `to` of each lane gets what is at `from`.
void pass(std::byte* to, const Storage& to_storage, const std::byte* from, const Storage& from_storage, Lanes lanes) {
  const std::uint32_t bytes = std::min(to_storage.bytes, from_storage.bytes);
  for (const int lane : each_lane(lanes))
    std::memcpy(to + std::size_t{to_storage.lane_bytes()} * lane, from + std::size_t{from_storage.lane_bytes()} * lane,
                bytes);
}

}  // namespace

bool same_calls(const Call* a, const Call* b) {
  for (; a != b; a = a->caller.get(), b = b->caller.get())
    if (a == nullptr || b == nullptr || a->site != b->site || a->function != b->function) return false;
  return true;
}

int compare_progress(const Program& program, const Call* a, std::uint32_t a_pc, const Call* b, std::uint32_t b_pc) {
  const std::uint32_t a_depth = a == nullptr ? 0 : a->depth;
  const std::uint32_t b_depth = b == nullptr ? 0 : b->depth;
  if (a_depth > b_depth) {
    const int above = compare_progress(program, a->caller.get(), a->site, b, b_pc);
    return above != 0 ? above : 1;  // `b` is about to make the same call
  }
  if (b_depth > a_depth) return -compare_progress(program, b, b_pc, a, a_pc);
  if (a != b) {
    const int above = compare_progress(program, a->caller.get(), a->site, b->caller.get(), b->site);
    if (above != 0) return above;
  }
  return static_cast<int>(program.rank[a_pc]) - static_cast<int>(program.rank[b_pc]);
}

void join_calls(const Program& program, Call* to, const Call* from, Lanes lanes) {
  for (; to != from; to = to->caller.get(), from = from->caller.get()) {
    if (!to->saved.empty())
      copy_registers(program.functions[to->function], to->saved.data(), from->saved.data(), lanes);
    for (const int lane : each_lane(lanes)) to->alloca_top[lane] = from->alloca_top[lane];
  }
}

void copy_registers(const Function& function, std::byte* to, const std::byte* from, Lanes lanes) {
  for (const Function::Register& reg : function.registers) {
    const std::size_t at = reg.offset - function.registers_begin;
    if (reg.lane_bytes == 0) {
      Lanes mine, theirs;
      std::memcpy(&mine, to + at, sizeof mine);
      std::memcpy(&theirs, from + at, sizeof theirs);
      mine = (mine & ~lanes) | (theirs & lanes);
      std::memcpy(to + at, &mine, sizeof mine);
      continue;
    }
    for (const int lane : each_lane(lanes))
      std::memcpy(to + at + std::size_t{reg.lane_bytes} * lane, from + at + std::size_t{reg.lane_bytes} * lane,
                  reg.lane_bytes);
  }
}

void Warp::call(std::size_t index, const Instruction& instruction) {
  const Program& program = block.program();
  const CallSite& site = program.call_sites[instruction.option];
  const Lanes lanes = groups_[index].lanes;
  Lanes calling = guarded(instruction, lanes);
  std::uint32_t function = site.function;
  Lanes elsewhere = 0;  // that call another function
  if (function == CallSite::indirect && calling != 0) {
    const auto* target = reg<std::uint64_t>(instruction.source[0]);
    const int first = first_lane(calling);
    for (const int lane : each_lane(calling))
      if (target[lane] != target[first]) elsewhere |= lane_bit(lane);
    calling &= ~elsewhere;
    const auto found = std::ranges::find(program.functions, target[first], &Function::address);
    if (found == program.functions.end() || found->is_kernel) end_launch(observe::FaultKind::bad_call, calling);
    function = static_cast<std::uint32_t>(found - program.functions.begin());
  }
  const Lanes staying = lanes & ~calling & ~elsewhere;
  tell_run(1, lanes & ~elsewhere, calling);
  if (elsewhere != 0) split(index, elsewhere, groups_[index].pc);
  if (calling == 0) {
    ++groups_[index].pc;
    return;
  }
  if (staying != 0) split(index, staying, groups_[index].pc + 1);
  enter(groups_[index], function, site);
}

void Warp::enter(Group& group, std::uint32_t index, const CallSite& site) {
  const Program& program = block.program();
  const Function& function = program.functions[index];
  const Function& caller = program.functions[group.call == nullptr ? 0 : group.call->function];
  auto call = std::make_shared<Call>();
  call->site = group.pc;
  call->function = index;
  call->depth = group.call == nullptr ? 1 : group.call->depth + 1;
  call->frame = (group.call == nullptr ? 0 : group.call->frame) + caller.frame_bytes;
  call->alloca_top = alloca_top_;
  std::uint64_t room = program.local_bytes;
  for (const int lane : each_lane(group.lanes)) room = std::min(room, alloca_top_[lane]);
  if (call->depth > most_calls || call->frame + std::uint64_t{function.frame_bytes} > room)
    end_launch(observe::FaultKind::stack_overflow, group.lanes);
  std::byte* registers = registers_ + function.registers_begin;
  if (function.is_recursive) call->saved.assign(registers, registers_ + function.registers_end);
  for (std::size_t i = 0; i < std::min(site.arguments.size(), function.parameters.size()); ++i)
    pass(registers_ + function.parameters[i].offset, function.parameters[i], registers_ + site.arguments[i].offset,
         site.arguments[i], group.lanes);
  point_into_frame(function, call->frame, group.lanes);
  call->caller = std::move(group.call);
  group.call = std::move(call);
  group.pc = function.begin;
}

void Warp::point_into_frame(const Function& function, std::uint32_t frame, Lanes lanes) {
  for (const Function::FrameAddress& address : function.frame_addresses)
    for (const int lane : each_lane(lanes)) reg<std::uint64_t>(address.reg)[lane] = frame + address.offset;
}

void Warp::return_from_call(std::size_t index, const Instruction& instruction) {
  const Program& program = block.program();
  const Lanes lanes = groups_[index].lanes;
  const Lanes leaving = guarded(instruction, lanes);
  tell_run(1, lanes, leaving);
  if (leaving == 0) {
    ++groups_[index].pc;
    return;
  }
  if (leaving != lanes) split(index, lanes & ~leaving, groups_[index].pc + 1);
  Group& group = groups_[index];
  const std::shared_ptr<Call> call = std::move(group.call);
  const Function& function = program.functions[call->function];
  const CallSite& site = program.call_sites[program.code[call->site].option];

  // What is returned may lie where the saved registers belong.
  const std::vector<std::byte> own(registers_ + function.registers_begin, registers_ + function.registers_end);
  if (!call->saved.empty())
    copy_registers(function, registers_ + function.registers_begin, call->saved.data(), leaving);
  for (std::size_t i = 0; i < std::min(site.returns.size(), function.returns.size()); ++i)
    pass(registers_ + site.returns[i].offset, site.returns[i],
         own.data() + (function.returns[i].offset - function.registers_begin), function.returns[i], leaving);
  for (const int lane : each_lane(leaving)) alloca_top_[lane] = call->alloca_top[lane];
  group.pc = call->site + 1;
  group.call = call->caller;
}

void Warp::indexed_branch(std::size_t index, const Instruction& instruction) {
  const std::vector<std::uint32_t>& targets = block.program().branch_tables[instruction.option];
  const Lanes lanes = groups_[index].lanes;
  Lanes going = guarded(instruction, lanes);
  tell_run(1, lanes, going);
  if (going == 0) {
    ++groups_[index].pc;
    return;
  }
  if (going != lanes) split(index, lanes & ~going, groups_[index].pc + 1);
  const auto* which = reg<std::uint32_t>(instruction.source[0]);
  while (true) {
    const std::uint32_t target = which[first_lane(going)];
    Lanes together = 0;
    for (const int lane : each_lane(going))
      if (which[lane] == target) together |= lane_bit(lane);
    if (target >= targets.size()) end_launch(observe::FaultKind::bad_call, together);
    going &= ~together;
    if (going == 0) {
      groups_[index].pc = targets[target];
      return;
    }
    split(index, together, targets[target]);
  }
}

}  // namespace warpwright::machine
