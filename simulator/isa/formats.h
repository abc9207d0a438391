// The floating-point formats of PTX as numbers: PTX ISA, "Fundamental Types" and "Alternate Floating-Point Data
// Formats".
#pragma once

#include <cstdint>

#include "isa/types.h"

namespace warpwright::isa {

/// A sign, a biased exponent and a fraction, from the highest bit down.
struct Encoding {
  int fraction = 0;  // bits
  int bias = 0;
  int width = 0;               // bits of the whole
  std::uint64_t largest = 0;   // the largest finite number
  std::uint64_t infinity = 0;  // what larger ones become
  std::uint64_t nan = 0;       // the NaN that arithmetic makes
};

template <class T>
struct Format;

template <>
struct Format<f16> {
  using Bits = u16;
  static constexpr Encoding layout = {10, 15, 16, 0x7bff, 0x7c00, 0x7fff};
};
template <>
struct Format<bf16> {
  using Bits = u16;
  static constexpr Encoding layout = {7, 127, 16, 0x7f7f, 0x7f80, 0x7fff};
};
template <>
struct Format<f32> {
  using Bits = u32;
  static constexpr Encoding layout = {23, 127, 32, 0x7f7fffff, 0x7f800000, 0x7fffffff};
};
template <>
struct Format<f64> {
  using Bits = u64;
  static constexpr Encoding layout = {52, 1023, 64, 0x7fefffffffffffff, 0x7ff0000000000000, 0x7fffffffffffffff};
};

}  // namespace warpwright::isa
