// Problem: most warps access memory with one stride between neighbouring lanes, and costing 32 addresses one by one is
// slow.
// Idea: one loop without branches, which the compiler turns into vector code, tells whether there is such a stride.
// Costs then follow from arithmetic.
// Left out: warps with inactive lanes.
#pragma once

#include <cstdint>

#include "machine/lanes.h"

namespace warpwright::machine {

/// A lane's address is `first + lane * stride`, modulo 2^64, for all 32 lanes.
struct Stride {
  bool regular = false;
  std::uint64_t first = 0;
  std::int64_t stride = 0;
};

[[gnu::always_inline]] inline Stride find_stride(const std::uint64_t* addresses) {
  const std::uint64_t first = addresses[0];
  const std::uint64_t step = addresses[1] - first;
  std::uint64_t expected = first;
  std::uint64_t difference = 0;
  for (int lane = 0; lane < warp_size; ++lane) {
    difference |= addresses[lane] ^ expected;
    expected += step;
  }
  return {difference == 0, first, static_cast<std::int64_t>(step)};
}

}  // namespace warpwright::machine
