// Problem: an instruction in a loop meets the same pattern of addresses again and again, at other places, and costing
// 32 addresses one by one is slow.
// Idea: keep the last pattern, as distances from the lowest lane's address, with its cost; a comparison without
// branches tells whether it has come back.
// Invariant: a cost that does not change when all addresses move by a multiple of `period` bytes.
#pragma once

#include <array>
#include <cstdint>

#include "machine/lanes.h"
#include "observe/observer.h"

namespace warpwright::observe {

template <class Cost>
class Recurring {
 public:
  /// The cost of an access: as it was for the last pattern if this is that one, else `cost()`. `period` is a power of
  /// two.
  template <class Compute>
  Cost cost(const Access& access, std::uint64_t period, Compute compute) {
    const std::uint64_t first = access.addresses[machine::first_lane(access.lanes)];
    const std::uint64_t phase = first & (period - 1);
    if (access.lanes != lanes_ || phase != phase_ || !same_pattern(access, first)) {
      lanes_ = access.lanes;
      phase_ = phase;
      stride_ = *access.stride;
      for (int lane = 0; lane < machine::warp_size; ++lane) {
        active_[lane] = machine::has_lane(lanes_, lane) ? ~std::uint64_t{0} : 0;
        distance_[lane] = access.addresses[lane] - first;
      }
      cost_ = compute();
    }
    return cost_;
  }

 private:
  bool same_pattern(const Access& access, std::uint64_t first) const {
    if (access.stride->by_half && stride_.by_half)
      return access.stride->stride == stride_.stride && access.stride->jump == stride_.jump;
    return same_distances(access.addresses, first);
  }
  bool same_distances(const std::uint64_t* addresses, std::uint64_t first) const {
    std::uint64_t difference = 0;
    for (int lane = 0; lane < machine::warp_size; ++lane)
      difference |= ((addresses[lane] - first) ^ distance_[lane]) & active_[lane];
    return difference == 0;
  }

  machine::Lanes lanes_ = 0;  // none yet: no access has none
  std::uint64_t phase_ = 0;
  machine::Stride stride_;
  std::array<std::uint64_t, machine::warp_size> distance_, active_;
  Cost cost_{};
};

}  // namespace warpwright::observe
