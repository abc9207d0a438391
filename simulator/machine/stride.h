// Problem: most warps access memory with one stride between neighbouring lanes, and costing 32 addresses one by one is
// slow.
// Idea: one loop without branches, which the compiler turns into vector code, tells whether there is such a stride, in
// the whole warp or in each half of it, as in blocks that are 16 threads wide. Costs then follow from arithmetic.
// Left out: warps with inactive lanes.
#pragma once

#include <cstdint>

#include "machine/lanes.h"

namespace warpwright::machine {

inline constexpr int half_warp = warp_size / 2;

/// All modulo 2^64, and for all 32 lanes.
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

}  // namespace warpwright::machine
