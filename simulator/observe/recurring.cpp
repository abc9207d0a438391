#include "observe/recurring.h"

#include "machine/wide.h"

namespace warpwright::observe {

using machine::Lanes;
using machine::warp_size;

namespace {

WARPWRIGHT_WIDE bool are_equal(const std::uint64_t* addresses, std::uint64_t first, const std::uint64_t* distances,
                               const std::uint64_t* active) {
  std::uint64_t difference = 0;
  for (int lane = 0; lane < warp_size; ++lane)
    difference |= ((addresses[lane] - first) ^ distances[lane]) & active[lane];
  return difference == 0;
}

}  // namespace

void Distances::set(Lanes lanes, const std::uint64_t* addresses) {
  const std::uint64_t first = addresses[machine::first_lane(lanes)];
  span_ = addresses[machine::last_lane(lanes)] - first;
  for (int lane = 0; lane < warp_size; ++lane) {
    active_[lane] = machine::has_lane(lanes, lane) ? ~std::uint64_t{0} : 0;
    of_[lane] = addresses[lane] - first;
  }
}

bool Distances::are_those_of(Lanes lanes, const std::uint64_t* addresses) const {
  const std::uint64_t first = addresses[machine::first_lane(lanes)];
  return addresses[machine::last_lane(lanes)] - first == span_ &&
         are_equal(addresses, first, of_.data(), active_.data());
}

}  // namespace warpwright::observe
