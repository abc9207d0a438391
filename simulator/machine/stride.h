// Problem: most warps access memory with one stride between neighbouring lanes, and costing 32 addresses one by one is
// slow.
// Idea: one loop without branches, which the compiler turns into vector code, tells whether there is such a stride, in
// the whole warp or in each half of it, as in blocks that are 16 threads wide. Costs then follow from arithmetic.
// Left out: halves of warps with inactive lanes.
#pragma once

#include <cstdint>

#include "machine/lanes.h"

namespace warpwright::machine {

inline constexpr int half_warp = warp_size / 2;

/// All modulo 2^64, and for all lanes that are active.
struct Stride {
  bool regular = false;  // a lane's address is `first + lane * stride`
  bool by_half = false;  // it is `first + lane % 16 * stride + lane / 16 * jump`
  std::uint64_t first = 0;
  std::int64_t stride = 0;
  std::int64_t jump = 0;
};

inline constexpr Stride no_stride;

[[gnu::always_inline]] inline Stride find_stride(const std::uint64_t* addresses) {
  const std::uint64_t first = addresses[0];
  const std::uint64_t step = addresses[1] - first;
  const std::uint64_t jump = addresses[half_warp] - first;
  std::uint64_t expected = first;
  std::uint64_t difference = 0;
  for (int lane = 0; lane < half_warp; ++lane) {
    difference |= addresses[lane] ^ expected;
    difference |= addresses[half_warp + lane] ^ (expected + jump);
    expected += step;
  }
  return {.regular = difference == 0 && jump == half_warp * step,
          .by_half = difference == 0,
          .first = first,
          .stride = static_cast<std::int64_t>(step),
          .jump = static_cast<std::int64_t>(jump)};
}

/// The same of these lanes, of which there is at least one.
[[gnu::always_inline]] inline Stride find_stride(const std::uint64_t* addresses, Lanes lanes) {
  if (lanes == all_lanes) return find_stride(addresses);
  const int lowest = first_lane(lanes);
  const Lanes others = lanes & (lanes - 1);
  if (others == 0) return {.regular = true, .by_half = true, .first = addresses[lowest]};
  const auto apart = static_cast<std::int64_t>(addresses[first_lane(others)] - addresses[lowest]);
  const int lanes_apart = first_lane(others) - lowest;
  if (apart % lanes_apart != 0) return {};
  const auto step = static_cast<std::uint64_t>(apart / lanes_apart);
  const std::uint64_t first = addresses[lowest] - step * static_cast<std::uint64_t>(lowest);
  std::uint64_t expected = first;
  std::uint64_t difference = 0;
  for (int lane = 0; lane < warp_size; ++lane) {
    const std::uint64_t counts = (lanes & lane_bits.of[lane]) != 0 ? ~std::uint64_t{0} : 0;
    difference |= (addresses[lane] ^ expected) & counts;
    expected += step;
  }
  return {.regular = difference == 0,
          .by_half = difference == 0,
          .first = first,
          .stride = static_cast<std::int64_t>(step),
          .jump = static_cast<std::int64_t>(half_warp * step)};
}

}  // namespace warpwright::machine
