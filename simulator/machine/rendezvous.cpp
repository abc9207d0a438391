// Where lanes wait for one another: block barriers, and the instructions that a warp's lanes execute together.
//
// An H200 was asked about lanes that name one another but wait at different instructions
// (tests/h200/gpu/diverged.cu): two bar.warp.sync, or two shfl.sync, with the whole warp's mask on the two sides of a
// branch meet, and shuffles exchange values; lanes that have exited are not waited for; a bar.warp.sync on the one side
// and a shfl.sync on the other wait for ever. Here two bar.warp.sync meet, as CUDA C++ promises of __syncwarp(). For
// the functions that exchange values it promises nothing unless the same call is reached: those do not meet. When
// nothing else in the block can move, one side after the other goes on alone (force_collective), and an observer tells
// what was wrong with it, so that no program hangs.
#include <algorithm>
#include <string>
#include <vector>

#include "machine/block.h"
#include "machine/warp.h"

namespace warpwright::machine {

void Warp::arrive(std::size_t index, const Instruction& instruction) {
  const Lanes lanes = groups_[index].lanes;
  Lanes arriving = guarded(instruction, lanes);
  if (const Lanes staying = lanes & ~arriving; staying != 0) {
    if (arriving == 0) {
      tell_run(1, lanes, 0);
      ++groups_[index].pc;
      return;
    }
    split(index, staying, groups_[index].pc + 1);
  }
  const auto* barrier = reg<std::uint32_t>(instruction.source[0]);
  const int first = first_lane(arriving);
  Lanes elsewhere = 0;
  if ((instruction.option & barrier_is_literal) == 0) {
    for (int lane = 0; lane < warp_size; ++lane) elsewhere |= barrier[lane] != barrier[first] ? lane_bits.of[lane] : 0;
    elsewhere &= arriving;
    if (elsewhere != 0) split(index, elsewhere, groups_[index].pc);
    arriving &= ~elsewhere;
  }
  tell_run(1, lanes & ~elsewhere, arriving);

  if (barrier[first] >= Block::barriers)
    end_launch(observe::FaultKind::bad_barrier, arriving,
               "there is no barrier " + std::to_string(barrier[first]) + ": a block has the barriers 0 to 15");
  Block::Arrival arrival{.barrier = barrier[first], .lanes = arriving};
  if (instruction.source[1] != no_register) {
    arrival.expected = reg<std::uint32_t>(instruction.source[1])[first];
    if (arrival.expected % warp_size != 0)
      end_launch(observe::FaultKind::bad_barrier, arriving,
                 "the number of threads of a barrier is a multiple of 32, and not " + std::to_string(arrival.expected));
  }
  if (instruction.source[2] != no_register) {
    const Lanes holds = *reg<Lanes>(instruction.source[2]);
    arrival.yes = arriving & ((instruction.option & barrier_vote_negated) != 0 ? ~holds : holds);
  }
  arrival.waits = (instruction.option & barrier_arrive_only) == 0;
  if (arrival.waits) {
    groups_[index].state = Group::State::at_block_barrier;
    groups_[index].barrier = arrival.barrier;
  } else {
    ++groups_[index].pc;
  }
  block.arrive(*this, arrival);
}

void Warp::release(std::uint32_t barrier, const Tally& tally) {
  tally_ = tally;
  for (Group& group : groups_)
    if (group.state == Group::State::at_block_barrier && group.barrier == barrier) {
      const Instruction& instruction = block.program().code[group.pc];
      active = group.lanes;
      if (instruction.execute != nullptr) instruction.execute(*this, instruction);
      group.state = Group::State::ready;
      ++group.pc;
    }
}

void Warp::collect(std::size_t index, const Instruction& instruction) {
  const Lanes lanes = groups_[index].lanes;
  const Lanes on = guarded(instruction, lanes);
  if (on == 0) {
    tell_run(1, lanes, 0);
    ++groups_[index].pc;
    return;
  }
  if (on != lanes) split(index, lanes & ~on, groups_[index].pc + 1);
  for (std::size_t i = groups_.size(); i-- > 0;)
    if (i != index && groups_[i].state == Group::State::at_collective && groups_[i].pc == groups_[index].pc &&
        same_calls(groups_[i].call.get(), groups_[index].call.get())) {
      join_calls(block.program(), groups_[index].call.get(), groups_[i].call.get(), groups_[i].lanes);
      groups_[index].lanes |= groups_[i].lanes;
      remove(i);
      if (i < index) --index;
    }
  groups_[index].state = Group::State::at_collective;
  try_collective(groups_[index].pc);
}

Lanes Warp::lanes_at_collective(std::uint32_t pc) const {
  Lanes lanes = 0;
  for (const Group& group : groups_)
    if (group.state == Group::State::at_collective && group.pc == pc) lanes |= group.lanes;
  return lanes;
}

bool Warp::try_collective(std::uint32_t pc) {
  const Lanes lanes = lanes_at_collective(pc);
  const Lanes complete = lanes_with_all_partners(lanes, block.program().code[pc]);
  if (complete != 0) perform_collective(pc, complete, complete);
  return complete != 0 || meet_across_branches(lanes, pc);
}

bool Warp::meet_across_branches(Lanes lanes, std::uint32_t pc) {
  const auto& code = block.program().code;
  if (code[pc].flow != Flow::warp_barrier || groups_.size() == 1) return false;
  std::array<Lanes, warp_size> masks{};
  for (const Group& group : groups_)
    if (group.state == Group::State::at_collective && code[group.pc].flow == Flow::warp_barrier)
      for (const int lane : each_lane(group.lanes)) masks[lane] = reg<Lanes>(code[group.pc].source[3])[lane];

  for (const int lane : each_lane(lanes)) {
    const Lanes named = masks[lane] & live_;
    Lanes together = 0;
    for (const int other : each_lane(named)) together |= masks[other] == masks[lane] ? lane_bit(other) : 0;
    if (together != named || !has_lane(named, lane)) continue;
    std::vector<std::uint32_t> places;
    for (const Group& group : groups_)
      if ((group.lanes & together) != 0) places.push_back(group.pc);
    std::sort(places.begin(), places.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());
    for (const std::uint32_t place : places) perform_collective(place, lanes_at_collective(place) & together, together);
    return true;
  }
  return false;
}

Lanes Warp::lanes_with_all_partners(Lanes lanes, const Instruction& instruction) {
  if ((live_ & ~lanes) == 0) return lanes;
  const auto* masks = reg<std::uint32_t>(instruction.source[3]);
  Lanes complete = 0;
  for (const int lane : each_lane(lanes)) {
    const Lanes partners = has_lane(masks[lane], lane) ? masks[lane] : 0;
    if ((partners & live_ & ~lanes) == 0) complete |= lane_bit(lane);
  }
  return complete;
}

void Warp::perform_collective(std::uint32_t pc, Lanes lanes, Lanes together) {
  const Instruction& instruction = block.program().code[pc];
  pc_ = pc;
  tell_run(1, lanes, lanes);
  active = lanes;
  if (instruction.flow == Flow::warp_barrier) {
    if (together == lanes) check_masks(lanes, reg<Lanes>(instruction.source[3]));
    tell_warp_sync(lanes, together & ~lanes, reg<Lanes>(instruction.source[3]));
  } else {
    instruction.execute(*this, instruction);
  }
  for (std::size_t i = groups_.size(); i-- > 0;) {
    if (groups_[i].state != Group::State::at_collective || groups_[i].pc != pc || (groups_[i].lanes & lanes) == 0)
      continue;
    if (const Lanes rest = groups_[i].lanes & ~lanes; rest != 0)
      groups_[split(i, rest, pc)].state = Group::State::at_collective;
    groups_[i].state = Group::State::ready;
    ++groups_[i].pc;
  }
}

std::array<std::uint32_t, warp_size> Warp::places() const {
  std::array<std::uint32_t, warp_size> at{};
  if (groups_.size() == 1 && groups_[0].lanes == all_lanes) {
    at.fill(groups_[0].pc);
    return at;
  }
  for (const Group& group : groups_)
    for (const int lane : each_lane(group.lanes)) at[lane] = group.pc;
  return at;
}

void Warp::check_masks(Lanes lanes, const Lanes* masks) {
  if (block.watch().shuffle.empty()) return;
  const auto fits = [&](int lane) { return has_lane(masks[lane], lane) && (masks[lane] & live_ & ~lanes) == 0; };
  bool all_fit = true;
  if (lanes == all_lanes) {
    Lanes named = all_lanes;
    for (int lane = 0; lane < warp_size; ++lane) named &= masks[lane];
    if (named == all_lanes) return;
  }
  for (const int lane : each_lane(lanes)) all_fit &= fits(lane);
  if (all_fit) return;
  const auto at = places();
  const observe::WrongMask event{where(), lanes, live_, masks, at.data()};
  for (observe::Observer* observer : block.watch().shuffle) observer->wrong_mask(event);
}

void Warp::tell_warp_sync(Lanes lanes, Lanes elsewhere, const Lanes* masks) {
  if (block.watch().warp_sync.empty()) return;
  while (lanes != 0) {
    const Lanes mask = masks[first_lane(lanes)];
    Lanes together = 0;
    for (int lane = 0; lane < warp_size; ++lane) together |= masks[lane] == mask ? lane_bits.of[lane] : 0;
    together &= lanes;
    const observe::WarpSync event{where(), together | elsewhere};
    for (observe::Observer* observer : block.watch().warp_sync) observer->warp_sync(event);
    lanes &= ~together;
  }
}

bool Warp::wake_collectives() {
  for (std::size_t i = 0; i < groups_.size(); ++i)
    if (groups_[i].state == Group::State::at_collective && try_collective(groups_[i].pc)) return true;
  return false;
}

bool Warp::force_collective() {
  const std::vector<std::uint32_t>& rank = block.program().rank;
  const Group* first = nullptr;
  for (const Group& group : groups_)
    if (group.state == Group::State::at_collective && (first == nullptr || rank[group.pc] < rank[first->pc]))
      first = &group;
  if (first == nullptr) return false;
  const Lanes lanes = lanes_at_collective(first->pc);
  perform_collective(first->pc, lanes, lanes);
  return true;
}

}  // namespace warpwright::machine
