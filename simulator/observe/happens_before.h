// Problem: two accesses to one place race unless something orders them, whatever one run's luck was. What orders the
// threads of a block, and how is that known quickly?
// Idea: time in a block is a counter that every synchronisation moves on; an access carries the time at which it was
// made, its stamp. What a thread knows of another one is a time too: accesses stamped before it are ordered before
// whatever that thread does now. Three levels of knowledge, from common to rare:
//   - a barrier of the whole block: one time for all (`epoch`);
//   - a barrier of a whole warp: one time for each warp;
//   - a barrier of some lanes: 32 x 32 times for that warp; a barrier of some warps: 32 x 32 times for the block.
// Knowledge is passed on: who waits for a barrier learns all that the others there knew.
// Invariant: times never go back, not even from one block to the next, so nothing has to be cleared between blocks.
// Exact: barriers of the whole block, bar.warp.sync with any mask, named barriers of whole warps, bar.arrive.
// Left out: a named barrier that only some lanes of a warp come to counts as if the whole warp had (races may be
// missed, none is made up). Fences with atomics or flags order nothing here; handovers.h knows of them.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "machine/lanes.h"

namespace warpwright::observe {

using Stamp = std::uint32_t;

class Clocks {
 public:
  /// For blocks of `threads`. When `partial_barriers` is false, every block barrier is one of the whole block.
  Clocks(std::uint32_t threads, bool partial_barriers);

  /// The stamp of an access made now.
  Stamp now() const { return now_; }
  /// Accesses stamped before this are ordered before all that follows in the block.
  Stamp epoch() const { return epoch_; }
  /// In a warp: accesses of its own that are stamped before this are ordered before all that follows in the warp.
  Stamp warp_epoch(std::uint32_t warp) const { return warp_epoch_[warp]; }
  /// Since this, nobody in the block has learnt anything of another thread.
  Stamp last_synchronised() const { return synchronised_; }
  /// Whether an access of `thread` is ordered before what thread `me` does now.
  bool ordered(Stamp stamp, std::uint32_t thread, std::uint32_t me) const;

  void begin_block() { epoch_ = synchronised_ = ++now_; }
  /// Tells what follows from what was, where that alone orders nothing: at a fence.
  void tick() { ++now_; }
  void warp_sync(std::uint32_t warp, machine::Lanes lanes);
  /// A warp comes to a block barrier that wants `expected` threads; `waits` is false for bar.arrive.
  void arrive(std::uint32_t barrier, std::uint32_t warp, bool waits, std::uint32_t expected);
  void release(std::uint32_t barrier);

  /// Whether stamps run out: everything stamped so far must be forgotten, then `start_over` be called.
  bool exhausted() const { return now_ >= last_stamp; }
  void start_over();

 private:
  static constexpr Stamp last_stamp = Stamp{1} << 31;
  static constexpr std::uint32_t most_warps = 32;
  using Times = std::array<Stamp, most_warps>;

  /// A barrier's current phase: what those who came so far know together.
  struct Phase {
    Times known{};
    std::uint32_t waiting = 0;  // warps, as bits
    bool whole_block = true;
  };

  machine::Lanes launched(std::uint32_t warp) const;
  void sync_some_lanes(std::uint32_t warp, machine::Lanes lanes);

  std::uint32_t threads_;
  bool partial_barriers_;
  Stamp now_ = 1;
  Stamp epoch_ = 1;
  Stamp synchronised_ = 1;
  Times warp_epoch_{};
  /// [me][other]: what a warp knows of another warp, or of all its own lanes, through barriers of some warps.
  std::array<Times, most_warps> across_{};
  /// [warp][me][other]: what a lane knows of another one through barriers of some lanes. Empty until there is one.
  std::vector<std::array<Times, machine::warp_size>> lanes_;
  std::array<Phase, 16> phases_;
};

inline bool Clocks::ordered(Stamp stamp, std::uint32_t thread, std::uint32_t me) const {
  if (stamp < epoch_ || thread == me) return true;
  const std::uint32_t warp = thread / machine::warp_size;
  const std::uint32_t my_warp = me / machine::warp_size;
  if (stamp < across_[my_warp][warp]) return true;
  if (warp != my_warp) return false;
  if (stamp < warp_epoch_[warp]) return true;
  return !lanes_.empty() && stamp < lanes_[warp][me % machine::warp_size][thread % machine::warp_size];
}

}  // namespace warpwright::observe
