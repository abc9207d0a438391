// Problem: many threads may read one element at a time; whoever writes it next races with any of them that is not
// ordered before. Remembering all of them for every element would be slow and large.
// Idea: two of them are enough to know whether *somebody* is not ordered before a writer, as long as order comes in
// whole warps and whole blocks only: of two threads in different warps, every writer is in another warp than one; of
// two threads of one warp that have not met at a barrier since, every writer is another thread than one. Where barriers
// of some lanes or some warps exist, all accessors are kept.
// Invariant: if any accessor is not ordered before a thread, `unordered` names one that is not.
// Left out: accessors beyond two when lanes of a warp synchronise without lanes that have exited: such lanes may be
// missed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "observe/happens_before.h"

namespace warpwright::observe {

/// Who accessed, and by which instruction: `pc << 10 | thread`. A block has at most 1024 threads.
using Who = std::uint32_t;

inline constexpr Who nobody = 0xffffffffu;
inline constexpr unsigned thread_bits = 10;
inline constexpr Who thread_mask = (Who{1} << thread_bits) - 1;
/// Instructions of a longer program do not fit into a Who. No kernel comes near.
inline constexpr std::uint32_t most_instructions = 1u << (32 - thread_bits);

constexpr Who who(std::uint32_t pc, std::uint32_t thread) { return pc << thread_bits | thread; }
constexpr std::uint32_t thread_in(Who who) { return who & thread_mask; }
constexpr std::uint32_t warp_in(Who who) { return thread_in(who) / machine::warp_size; }
constexpr std::uint32_t pc_in(Who who) { return who >> thread_bits; }

/// One access for each cell of shadow memory. A cell is `granule` bytes of the shared window.
struct Cells {
  explicit Cells(std::size_t cells) : stamp(cells, 0), who(cells, 0) {}
  void set(std::size_t cell, Stamp now, Who me) {
    stamp[cell] = now;
    who[cell] = me;
  }
  void forget() { std::ranges::fill(stamp, 0); }
  std::vector<Stamp> stamp;  // 0: none
  std::vector<Who> who;
};

/// The threads that accessed each cell in a way that does not conflict among themselves: readers, or atomics.
class Accessors {
 public:
  /// `keep_all`: there may be barriers of some lanes or some warps.
  Accessors(std::size_t cells, bool keep_all)
      : first(keep_all ? 0 : cells), second(keep_all ? 0 : cells), all_(keep_all ? cells : 0), keep_all_(keep_all) {}

  void add(std::size_t cell, Who me, const Clocks& clocks) {
    if (keep_all_)
      add_to_all(cell, me, clocks);
    else
      add_to_two(cell, me, clocks);
  }

  struct Made {
    Who who = nobody;
    Stamp stamp = 0;
  };
  /// An access to the cell that is not ordered before thread `me`, or one by `nobody`.
  Made unordered(std::size_t cell, std::uint32_t me, const Clocks& clocks) const {
    if (keep_all_) {
      for (const Group& group : all_[cell])
        for (const int lane : machine::each_lane(group.lanes))
          if (!clocks.ordered(group.stamp, thread_in(group.warp_start) + lane, me))
            return {group.warp_start + lane, group.stamp};
      return {};
    }
    for (const Cells* cells : {&first, &second})
      if (!clocks.ordered(cells->stamp[cell], thread_in(cells->who[cell]), me))
        return {cells->who[cell], cells->stamp[cell]};
    return {};
  }

  void forget() {
    first.forget();
    second.forget();
    for (auto& groups : all_) groups.clear();
  }

  // When not all are kept: two accessors of each cell, in different threads. When `first` is of an earlier epoch, so is
  // `second`.
  Cells first, second;

 private:
  struct Group {
    Stamp stamp;
    Who warp_start;  // the warp's first thread, and the instruction
    machine::Lanes lanes;
  };

  void add_to_two(std::size_t cell, Who me, const Clocks& clocks) {
    const Stamp now = clocks.now();
    const auto replaceable = [&](const Cells& cells) {
      return cells.stamp[cell] < clocks.epoch() || thread_in(cells.who[cell]) == thread_in(me);
    };
    if (replaceable(first)) return first.set(cell, now, me);
    if (replaceable(second)) return second.set(cell, now, me);
    const std::uint32_t warp = warp_in(first.who[cell]);
    if (warp_in(second.who[cell]) != warp) return;
    if (warp_in(me) != warp) return second.set(cell, now, me);
    if (first.stamp[cell] < clocks.warp_epoch(warp)) return first.set(cell, now, me);
    if (second.stamp[cell] < clocks.warp_epoch(warp)) second.set(cell, now, me);
  }

  void add_to_all(std::size_t cell, Who me, const Clocks& clocks) {
    auto& groups = all_[cell];
    const std::uint32_t lane = thread_in(me) % machine::warp_size;
    const Who warp_start = me - lane;
    if (!groups.empty() && groups.back().stamp < clocks.epoch()) groups.clear();
    if (!groups.empty() && groups.back().stamp == clocks.now() && groups.back().warp_start == warp_start) {
      groups.back().lanes |= machine::lane_bit(static_cast<int>(lane));
      return;
    }
    // A thread's later access is ordered before nothing that its earlier one is not.
    for (Group& group : groups)
      if (warp_in(group.warp_start) == warp_in(me)) group.lanes &= ~machine::lane_bit(static_cast<int>(lane));
    std::erase_if(groups, [](const Group& group) { return group.lanes == 0; });
    groups.push_back({clocks.now(), warp_start, machine::lane_bit(static_cast<int>(lane))});
  }

  std::vector<std::vector<Group>> all_;
  bool keep_all_;
};

}  // namespace warpwright::observe
