// Problem: an instruction in a loop meets the same few patterns of addresses again and again, at other places, and
// costing 32 addresses one by one is slow.
// Idea: keep the last few patterns, as distances from the lowest lane's address, with their costs; a comparison without
// branches tells whether one has come back.
// Invariant: a cost that does not change when all addresses move by a multiple of `period` bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "machine/lanes.h"
#include "observe/observer.h"

namespace warpwright::observe {

template <class Cost>
class Recurring {
 public:
  /// The cost of an access: as it was if its pattern is one that is kept, else `cost()`. `period` is a power of two.
  template <class Compute>
  Cost cost(const Access& access, std::uint64_t period, Compute compute) {
    const std::uint64_t first = access.addresses[machine::first_lane(access.lanes)];
    const std::uint64_t phase = first & (period - 1);
    const std::uint64_t span = access.addresses[machine::last_lane(access.lanes)] - first;
    if (!patterns_) patterns_ = std::make_unique<Patterns>();
    for (std::size_t i = 0; i < most; ++i) {
      const Pattern& kept = (*patterns_)[(last_ + i) % most];
      if (access.lanes != kept.lanes || phase != kept.phase || span != kept.span) continue;
      if (!kept.is_that_of(access, first)) continue;
      last_ = (last_ + i) % most;
      return kept.cost;
    }
    last_ = (last_ + most - 1) % most;
    Pattern& pattern = (*patterns_)[last_];
    pattern.lanes = access.lanes;
    pattern.phase = phase;
    pattern.span = span;
    pattern.stride = *access.stride;
    for (int lane = 0; lane < machine::warp_size; ++lane) {
      pattern.active[lane] = machine::has_lane(access.lanes, lane) ? ~std::uint64_t{0} : 0;
      pattern.distance[lane] = access.addresses[lane] - first;
    }
    return pattern.cost = compute();
  }

 private:
  struct Pattern {
    machine::Lanes lanes = 0;  // none yet: no access has none
    std::uint64_t phase = 0;
    std::uint64_t span = 0;  // from the lowest lane's address to the highest one's
    machine::Stride stride;
    std::array<std::uint64_t, machine::warp_size> distance, active;
    Cost cost{};

    bool is_that_of(const Access& access, std::uint64_t first) const {
      if (access.stride->by_half && stride.by_half)
        return access.stride->stride == stride.stride && access.stride->jump == stride.jump;
      std::uint64_t difference = 0;
      for (int lane = 0; lane < machine::warp_size; ++lane)
        difference |= ((access.addresses[lane] - first) ^ distance[lane]) & active[lane];
      return difference == 0;
    }
  };

  static constexpr std::size_t most = 8;  // a tree over a block of 256 threads has as many
  using Patterns = std::array<Pattern, most>;

  std::unique_ptr<Patterns> patterns_;  // nothing before the first access
  std::size_t last_ = 0;                // where the last one is; behind it in turn those that came before
};

}  // namespace warpwright::observe
