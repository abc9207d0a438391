// Problem: a program that is right under one order of its threads may be wrong under another; tests want other orders.
// Idea: wherever the machine is free to choose (which block starts, which block, warp or parted group of lanes goes on,
// and for how long) it asks a generator of numbers that a seed determines.
// Invariant: the same seed gives the same run. Lanes still rejoin where they would in the machine's own order: a group
// never passes a place that another group can come to, so what depends on no order is counted alike under every seed.
// Left out: the order of lanes inside one atomic instruction, lowest first; several host threads (grid.cpp uses one).
#pragma once

#include <cstdint>

#include "machine/flow.h"

namespace warpwright::machine {

class Schedule {
 public:
  /// Blocks that are under way at a time, unless they wait for others.
  static constexpr std::uint32_t width = 8;

  Schedule(const Program& program, std::uint64_t seed) : reach_(program), state_(seed) {}

  const Reach& reach() const { return reach_; }
  /// A number below `count`, which is not 0.
  std::uint32_t below(std::uint32_t count) { return static_cast<std::uint32_t>((next() >> 32) * count >> 32); }
  /// Instructions that a warp executes before others may: 1 to 512, few as likely as many.
  std::uint64_t slice() { return 1 + below(std::uint32_t{2} << below(9)); }

 private:
  /// Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators" (SplitMix64).
  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15u;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

  Reach reach_;
  std::uint64_t state_;
};

}  // namespace warpwright::machine
