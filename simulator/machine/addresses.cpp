#include "machine/addresses.h"

#include "machine/wide.h"

namespace warpwright::machine {
namespace {

struct Survey {
  std::uint64_t low, high, bits;
};

/// Other lanes count as if they had the address of the lowest.
WARPWRIGHT_WIDE Survey survey_of(const std::uint64_t* addresses, Lanes lanes) {
  const std::uint64_t first = addresses[first_lane(lanes)];
  Survey all{first, first, first};
  for (int lane = 0; lane < warp_size; ++lane) {
    const std::uint64_t address = (lanes & lane_bits.of[lane]) != 0 ? addresses[lane] : first;
    all.low = std::min(all.low, address);
    all.high = std::max(all.high, address);
    all.bits |= address;
  }
  return all;
}

}  // namespace

void Addresses::survey_list(Lanes lanes) {
  const Survey all = survey_of(of_, lanes);
  low_ = all.low;
  high_ = all.high;
  bits_ = all.bits;
}

void Addresses::write_list() const {
  for (int lane = 0; lane < warp_size; ++lane) of_[lane] = stride_.at(lane);
  listed_ = true;
}

}  // namespace warpwright::machine
