#include "machine/block.h"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace warpwright::machine {
namespace {

constexpr std::size_t window_alignment = 128;  // one row of the 32 banks
/// Rounds of nothing but polling after which other blocks get a turn.
constexpr int patience = 2;
/// The same in other words, for a turn that a schedule cuts short: a waiting loop has no more instructions than this.
constexpr std::uint64_t steps_a_poll = 16;

bool can_move(const Warp& warp) {
  return std::ranges::any_of(warp.groups(), [](const Group& group) { return group.state == Group::State::ready; });
}

}  // namespace

Block::Block(const Launch& launch, const Options& options, const Watch& watch, Schedule* schedule, Lookout* lookout)
    : launch_(launch),
      options_(options),
      watch_(&watch),
      schedule_(schedule),
      lookout_(lookout),
      shared_arrays_(launch.program->shared) {
  for (SharedArray& array : shared_arrays_)
    if (array.dynamic) array.bytes = launch.dynamic_shared_bytes;
  shared_storage_.resize(launch.shared_window_bytes() + window_alignment);
  void* start = shared_storage_.data();
  std::size_t room = shared_storage_.size();
  shared_ = static_cast<std::byte*>(std::align(window_alignment, launch.shared_window_bytes(), start, room));
  local_.resize(std::size_t{launch.program->local_bytes} * launch.warps_per_block() * warp_size);

  const std::uint32_t threads = launch.threads_per_block();
  for (std::uint32_t number = 0; number < launch.warps_per_block(); ++number) {
    const std::uint32_t lanes = std::min<std::uint32_t>(warp_size, threads - number * warp_size);
    warps_.push_back(std::make_unique<Warp>(*this, number, all_lanes >> (warp_size - lanes)));
  }
  for (Barrier& barrier : barriers_) barrier.arrived.assign(warps_.size(), 0);
}

void Block::begin(std::uint64_t number) {
  number_ = number;
  index_ = index_in(launch_.grid, number);
  for (observe::Observer* observer : watch_->block) observer->block_begin(number);
  // What an earlier block left there must not show: which one it was depends on the host's threads.
  std::memset(shared_, 0xCD, launch_.shared_window_bytes());
  bulk_.clear();
  patience_ = {};
  work_ = 0;
  is_still_ = false;
  live_threads_ = launch_.threads_per_block();
  for (const auto& warp : warps_) warp->begin();
  for (Barrier& barrier : barriers_) {
    if (barrier.threads != 0) std::ranges::fill(barrier.arrived, 0);
    barrier.threads = barrier.yes = 0;
  }
}

Block::State Block::run() {
  if (is_still_) {
    const State state = look(patience_.rounds());
    if (state != State::yielded) return state;
  }
  for (int rounds = 0; rounds < patience; ++rounds) {
    const State state = schedule_ != nullptr ? run_scheduled() : run_round();
    if (state == State::finished) {
      tell_end();
      return state;
    }
    if (lookout_ != nullptr && patience_.is_over(work_)) {
      const std::uint64_t before = work_;
      const State found = look(patience_.rounds());
      patience_.renew(before, work_);
      if (found != State::yielded) return found;
    }
    if (schedule_ != nullptr) return state;
    if (state == State::yielded) rounds = -1;
  }
  return State::polling;
}

void Block::tell_end() {
  for (observe::Observer* observer : watch_->block) observer->block_end(number_);
}

Block::State Block::run_round() {
  bool finished = true;
  bool moved = false;
  bool polling = true;
  for (const auto& warp : warps_) {
    if (warp->live() == 0) continue;
    const std::uint64_t steps = warp->steps();
    const Warp::State state = warp->run();
    const bool has_moved = warp->steps() != steps;
    work_ += warp->steps() - steps;
    moved |= has_moved;
    finished &= state == Warp::State::finished;
    polling &= state == Warp::State::polling || !has_moved;
  }
  if (finished) return State::finished;
  if (!moved) {
    if (std::ranges::none_of(warps_, [](const auto& warp) { return warp->force_collective(); })) report_deadlock();
    return State::yielded;
  }
  return polling ? State::polling : State::yielded;
}

Block::State Block::run_scheduled() {
  std::uint64_t steps = 0;
  std::uint64_t polls = 0;
  for (std::uint32_t turns = 1 + schedule_->below(4 * static_cast<std::uint32_t>(warps_.size())); turns-- > 0;) {
    std::vector<Warp*> ready;
    for (const auto& warp : warps_)
      if (warp->live() != 0 && can_move(*warp)) ready.push_back(warp.get());
    if (ready.empty()) {
      if (run_round() == State::finished) return State::finished;
      continue;
    }
    Warp& warp = *ready[schedule_->below(static_cast<std::uint32_t>(ready.size()))];
    steps -= warp.steps();
    polls -= warp.polls();
    warp.run();
    steps += warp.steps();
    polls += warp.polls();
  }
  work_ += steps;
  return polls * steps_a_poll >= steps ? State::polling : State::yielded;
}

void Block::bulk_copies_to(std::uint64_t barrier) {
  if (bulk_.empty()) return;
  const auto first =
      std::stable_partition(bulk_.begin(), bulk_.end(), [&](const Bulk& bulk) { return bulk.copy.barrier != barrier; });
  const std::vector<Bulk> due(std::make_move_iterator(first), std::make_move_iterator(bulk_.end()));
  bulk_.erase(first, bulk_.end());
  for (const Bulk& bulk : due) {
    make_copy(*bulk.issuer, bulk.copy, bulk.copy.lanes);
    bulk.made(*bulk.issuer, bulk.copy);
  }
}

void Block::arrive(Warp& warp, const Arrival& arrival) {
  Barrier& barrier = barriers_[arrival.barrier];
  if (!watch_->barrier.empty()) {
    const observe::BarrierArrival event{warp.where(), arrival.barrier, arrival.lanes, arrival.waits,
                                        arrival.expected != 0 ? arrival.expected : launch_.threads_per_block()};
    for (observe::Observer* observer : watch_->barrier) observer->barrier_arrival(event);
  }
  barrier.arrived[warp.number()] |= arrival.lanes;
  barrier.threads += count_lanes(arrival.lanes);
  if (arrival.yes != 0) barrier.yes += count_lanes(arrival.yes);
  barrier.expected = arrival.expected;
  complete_if_all_there(warp, arrival.barrier);
}

void Block::exited(const Warp& warp, Lanes lanes) {
  live_threads_ -= count_lanes(lanes);
  for (std::uint32_t number = 0; number < barriers; ++number)
    if (barriers_[number].threads != 0) complete_if_all_there(warp, number);
}

void Block::complete_if_all_there(const Warp& last, std::uint32_t number) {
  Barrier& barrier = barriers_[number];
  const std::uint32_t needed = barrier.expected != 0 ? barrier.expected : live_threads_;
  if (barrier.threads < needed) return;
  if (!watch_->barrier.empty()) {
    const observe::BarrierRelease event{last.where(), number, barrier.threads, barrier.arrived.data()};
    for (observe::Observer* observer : watch_->barrier) observer->barrier_release(event);
  }
  const Tally tally{barrier.threads, barrier.yes};
  std::ranges::fill(barrier.arrived, 0);
  barrier.threads = barrier.yes = 0;
  for (const auto& warp : warps_) warp->release(number, tally);
}

void Block::report_deadlock() {
  for (const auto& warp : warps_)
    for (const Group& group : warp->groups()) {
      observe::Fault fault;
      fault.kind = observe::FaultKind::deadlock;
      fault.access.where = {number_, warp->number(), group.pc};
      fault.access.lanes = group.lanes;
      fault.lanes = group.lanes;
      for (observe::Observer* observer : watch_->all) observer->fault(fault);
    }
  throw LaunchEnded{LaunchStatus::deadlocked};
}

}  // namespace warpwright::machine
