#include "observe/sectors.h"

#include "machine/stride.h"
#include "observe/distinct.h"

namespace warpwright::observe {
namespace {

using machine::warp_size;

unsigned sectors_of(const machine::Stride& lanes) {
  const auto step = static_cast<std::uint64_t>(lanes.stride);
  const std::uint64_t last = lanes.first + step * (warp_size - 1);
  const std::uint64_t magnitude = lanes.stride < 0 ? 0 - step : step;
  if (magnitude >= sector_bytes) return warp_size;
  const std::uint64_t low = lanes.stride < 0 ? last : lanes.first;
  const std::uint64_t high = lanes.stride < 0 ? lanes.first : last;
  return static_cast<unsigned>(high / sector_bytes - low / sector_bytes + 1);
}

}  // namespace

unsigned sectors(machine::Lanes lanes, const std::uint64_t* addresses) {
  if (lanes == machine::all_lanes) {
    const machine::Stride stride = machine::find_stride(addresses);
    if (stride.regular) return sectors_of(stride);
  }
  std::uint64_t numbers[warp_size];
  unsigned count = 0;
  if (lanes == machine::all_lanes) {
    for (; count < warp_size; ++count) numbers[count] = addresses[count] / sector_bytes;
  } else {
    for (const int lane : machine::each_lane(lanes)) numbers[count++] = addresses[lane] / sector_bytes;
  }
  return count_distinct(numbers, count);
}

}  // namespace warpwright::observe
