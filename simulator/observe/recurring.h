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

/// Of active lanes' addresses from the lowest lane's.
class Distances {
 public:
  void set(machine::Lanes lanes, const std::uint64_t* addresses);
  bool are_those_of(machine::Lanes lanes, const std::uint64_t* addresses) const;

 private:
  std::uint64_t span_ = 0;  // to the highest lane's
  std::array<std::uint64_t, machine::warp_size> of_, active_;
};

template <class Cost>
class Recurring {
 public:
  /// The cost of an access: as it was if its pattern is one that is kept, else `cost()`. `period` is a power of two.
  template <class Compute>
  Cost cost(const Access& access, std::uint64_t period, Compute compute) {
    const Cost* known = latest(access, period);
    return known != nullptr ? *known : find(access, phase_of(access, period), compute);
  }
  /// The same if the pattern is the latest one and a stride, else null.
  [[gnu::always_inline]] const Cost* latest(const Access& access, std::uint64_t period) const {
    const machine::Stride& stride = access.stride();
    if (latest_ == nullptr || !stride.by_half || !latest_->is_stride_of(access, stride.first & (period - 1)))
      return nullptr;
    return &latest_->cost;
  }

 private:
  static std::uint64_t phase_of(const Access& access, std::uint64_t period) {
    const machine::Stride& stride = access.stride();
    return (stride.by_half ? stride.first : access.address(machine::first_lane(access.lanes))) & (period - 1);
  }

  struct Pattern {
    machine::Lanes lanes = 0;  // none yet: no access has none
    std::uint64_t phase = 0;
    machine::Stride stride;
    Cost cost{};
    Distances distances;  // of those without a stride

    bool is_stride_of(const Access& access, std::uint64_t its_phase) const {
      const machine::Stride& its = access.stride();
      return access.lanes == lanes && its_phase == phase && stride.by_half && its.stride == stride.stride &&
             its.jump == stride.jump;
    }
    bool is_that_of(const Access& access, std::uint64_t its_phase) const {
      if (access.stride().by_half) return is_stride_of(access, its_phase);
      return access.lanes == lanes && its_phase == phase && !stride.by_half &&
             distances.are_those_of(access.lanes, access.addresses->list());
    }
  };

  /// Among those that are kept, or else in place of the first of them.
  template <class Compute>
  [[gnu::noinline]] Cost find(const Access& access, std::uint64_t phase, Compute compute) {
    if (!patterns_) patterns_ = std::make_unique<Patterns>();
    const auto begin = patterns_->begin();
    const std::size_t last = latest_ != nullptr ? static_cast<std::size_t>(latest_ - &*begin) : 0;
    for (std::size_t i = 0; i < most; ++i) {
      latest_ = &begin[(last + i) % most];
      if (latest_->is_that_of(access, phase)) return latest_->cost;
    }
    latest_->lanes = access.lanes;
    latest_->phase = phase;
    latest_->stride = access.stride();
    if (!latest_->stride.by_half) latest_->distances.set(access.lanes, access.addresses->list());
    return latest_->cost = compute();
  }

  static constexpr std::size_t most = 8;  // a tree over a block of 256 threads has as many
  using Patterns = std::array<Pattern, most>;

  std::unique_ptr<Patterns> patterns_;  // nothing before the first access
  Pattern* latest_ = nullptr;           // behind it in turn those that came before
};

}  // namespace warpwright::observe
