#include "observe/handovers.h"

#include <algorithm>

namespace warpwright::observe {
namespace {

using machine::each_lane;
using machine::warp_size;

/// Searching longer than this for what a thread may know costs more than a missed race.
constexpr std::size_t most_steps = 20000;
/// What a block has acquired beyond this many flags is known to all of it.
constexpr std::size_t most_acquired = 4096;

/// Shared memory's places are the block's own.
std::uint64_t key_of(const Access& access, std::uint64_t address) {
  if (access.space == machine::Space::global) return address;
  return std::uint64_t{1} << 63 | access.where.block << 24 | address;
}

}  // namespace

void Handovers::begin_block(std::uint64_t block) {
  blocks_[block].fenced.assign(threads_, {});
  blocks_[block].latest.assign(threads_, 0);
}

void Handovers::end_block(std::uint64_t block) { blocks_.erase(block); }

void Handovers::fence(const Fence& fence, Clocks& clocks) {
  clocks.tick();
  BlockState& state = blocks_[fence.where.block];
  for (const int lane : each_lane(fence.lanes)) {
    Fences& fenced = state.fenced[fence.where.warp * warp_size + static_cast<std::uint32_t>(lane)];
    fenced.block = {clocks.now(), clocks.epoch()};
    if (fence.whole_device) fenced.device = fenced.block;
  }
}

void Handovers::access(const Access& access, const Roles::Entry& role, Clocks& clocks) {
  if (!role.acquires && !role.releases) return;
  BlockState& state = blocks_[access.where.block];
  if (role.releases_itself) clocks.tick();
  for (const int lane : each_lane(access.lanes)) {
    const std::uint32_t thread = access.where.warp * warp_size + static_cast<std::uint32_t>(lane);
    const std::uint64_t key = key_of(access, access.address(lane));
    if (role.acquires)
      if (const auto place = places_.find(key); place != places_.end())
        acquire(state, place->second, thread, !role.block_scope, clocks);
    const bool fenced = state.fenced[thread].block.at != 0;
    if (role.releases && (fenced || role.releases_itself))
      release(state, places_[key], access.where.block, thread, role, clocks);
  }
}

void Handovers::acquire(BlockState& state, const Place& place, std::uint32_t thread, bool whole_device,
                        const Clocks& clocks) {
  const bool overfull = state.acquired.size() > most_acquired;
  const std::size_t length = place.releases.size();
  const auto says_so = [&](const Acquired& known) {
    return known.place == &place && known.whole_device == whole_device && known.length == length &&
           (known.whole_block || known.thread == thread);
  };
  // Who waits in a loop asks for the same again and again.
  std::size_t& latest = state.latest[thread];
  if (latest < state.acquired.size() && says_so(state.acquired[latest])) return;
  std::size_t longest = 0;  // that the whole block knows
  for (Acquired& known : state.acquired) {
    if (known.place != &place || known.whole_device != whole_device) continue;
    known.whole_block |= known.stamp < clocks.epoch();
    latest = static_cast<std::size_t>(&known - state.acquired.data());
    if (says_so(known)) return;
    // Who could have learnt of the shorter list has not done so yet.
    const bool is_unshared = known.thread == thread && known.stamp >= clocks.last_synchronised();
    if (is_unshared || (known.whole_block && overfull)) {
      known.length = length;
      return;
    }
    if (known.whole_block) longest = std::max(longest, known.length);
  }
  std::erase_if(state.acquired, [&](const Acquired& known) {
    return known.place == &place && known.whole_device == whole_device && known.whole_block && known.length < longest;
  });
  latest = state.acquired.size();
  state.acquired.push_back({&place, length, thread, clocks.now(), overfull, whole_device});
}

void Handovers::release(BlockState& state, Place& place, std::uint64_t block, std::uint32_t thread,
                        const Roles::Entry& role, const Clocks& clocks) {
  Release release{.block = block, .thread = thread, .known = {}};
  const Fences& mine = state.fenced[thread];
  release.whole_device = !role.block_scope && (role.releases_itself || mine.device.at != 0);
  const Fenced fence = role.releases_itself   ? Fenced{clocks.now(), clocks.epoch()}
                       : release.whole_device ? mine.device
                                              : mine.block;
  // What was ordered before this thread at its fence is released with it. So is what other threads fenced themselves
  // before the last barrier: fences of the whole device come in one order, and the flag's reader has its own behind
  // them.
  release.at = clocks.now();
  release.own = fence.at;
  release.other = fence.epoch;
  if (release.other < clocks.epoch()) release.fenced = fenced_by_all(state, release.whole_device, clocks.epoch());
  release.warp = std::max(release.other, std::min(clocks.warp_epoch(thread / warp_size), fence.at));
  for (const Acquired& known : state.acquired)
    if (is_known(known, thread, clocks)) release.known.push_back(known);
  place.by_block[block].push_back(place.releases.size());
  place.releases.push_back(std::move(release));
}

bool Handovers::is_known(const Acquired& known, std::uint32_t me, const Clocks& clocks) {
  return known.whole_block || known.thread == me || clocks.ordered(known.stamp, known.thread, me);
}

std::vector<Handovers::Run> Handovers::fenced_by_all(const BlockState& state, bool whole_device, Stamp until) {
  std::vector<Run> runs;
  for (const Fences& fences : state.fenced) {
    const Stamp stamp = std::min((whole_device ? fences.device : fences.block).at, until);
    if (runs.empty() || runs.back().stamp != stamp) runs.push_back({runs.empty() ? 0 : runs.back().end, stamp});
    ++runs.back().end;
  }
  return runs;
}

bool Handovers::covers(const Release& release, const Moment& then) {
  if (release.block != then.block) return false;
  if (then.stamp < release.other) return true;
  const auto run = std::ranges::upper_bound(release.fenced, then.thread, {}, &Run::end);
  if (run != release.fenced.end() && then.stamp < run->stamp) return true;
  if (then.thread == release.thread) return then.stamp < release.own;
  return then.thread / warp_size == release.thread / warp_size && then.stamp < release.warp;
}

/// Goes through what is known, and what those knew who let it be known.
struct Handovers::Search {
  const Moment& then;
  std::uint64_t block;
  std::size_t steps = 0;
  std::unordered_map<const Place*, std::size_t> seen;  // how far each place's releases have been looked through

  bool finds(const Acquired& known) {
    const auto usable = [&](const Release& release) {
      return (known.whole_device && release.whole_device) || release.block == block;
    };
    if (const auto found = known.place->by_block.find(then.block); found != known.place->by_block.end()) {
      // The latest ones cover most: a barrier that a loop waits at has thousands.
      for (auto next = std::ranges::lower_bound(found->second, known.length); next != found->second.begin();) {
        if (++steps > most_steps) return true;
        const Release& release = known.place->releases[*--next];
        if (usable(release) && covers(release, then)) return true;
      }
    }
    std::size_t& from = seen[known.place];
    const std::size_t begin = from;
    from = std::max(from, known.length);
    for (std::size_t index = begin; index < known.length; ++index)
      for (const Acquired& earlier : known.place->releases[index].known) {
        if (++steps > most_steps) return true;
        const auto looked = seen.find(earlier.place);
        if (looked != seen.end() && looked->second >= earlier.length) continue;
        if (usable(known.place->releases[index]) && finds(earlier)) return true;
      }
    return false;
  }
};

bool Handovers::ordered(const Moment& then, std::uint64_t block, std::uint32_t me, const Clocks& clocks) const {
  const auto state = blocks_.find(block);
  if (state == blocks_.end()) return false;
  Search search{then, block, 0, {}};
  for (const Acquired& known : state->second.acquired) {
    if (is_known(known, me, clocks) && search.finds(known)) return true;
  }
  return false;
}

bool Handovers::knows_flag(const Moment& then, std::uint64_t address, std::uint64_t block, std::uint32_t me,
                           const Clocks& clocks) const {
  const auto state = blocks_.find(block);
  const auto place = places_.find(address);
  if (state == blocks_.end() || place == places_.end()) return false;
  const auto by_block = place->second.by_block.find(then.block);
  if (by_block == place->second.by_block.end()) return false;
  return std::ranges::any_of(state->second.acquired, [&](const Acquired& known) {
    if (known.place != &place->second || !is_known(known, me, clocks)) return false;
    return std::ranges::any_of(by_block->second, [&](std::size_t index) {
      const Release& release = place->second.releases[index];
      return index < known.length && release.thread == then.thread && release.at >= then.stamp;
    });
  });
}

}  // namespace warpwright::observe
