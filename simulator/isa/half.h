// Problem: C++20 has no 16-bit floats.
// Idea: every such number is a double-precision one, and so is, exactly or rounded to odd, every sum and product of
// them; what remains is to round a double to 16 bits.
// Invariant: `to_half(value, error)` rounds `value + error` once, where the error is smaller than half a unit in the
// value's last place.
#pragma once

#include <bit>
#include <cmath>

#include "isa/formats.h"
#include "isa/rounding.h"
#include "isa/types.h"

namespace warpwright::isa {

template <class T>
bool is_nan(T half) {
  return (half.bits & 0x7fff) > Format<T>::layout.infinity;
}

inline f32 to_f32(bf16 half) { return std::bit_cast<f32>(u32{half.bits} << 16); }

/// The fraction and exponent are in place after a shift, but for the exponent's bias; a multiplication corrects it, and
/// subnormal numbers with it.
inline f32 to_f32(f16 half) {
  const u32 magnitude = (half.bits & u32{0x7fff}) << 13;
  const u32 sign = (half.bits & u32{0x8000}) << 16;
  const f32 value = std::bit_cast<f32>(magnitude) * 0x1p112f;
  const u32 bits = (half.bits & 0x7c00) == 0x7c00 ? magnitude | 0x7f800000u : std::bit_cast<u32>(value);
  return std::bit_cast<f32>(sign | bits);
}

template <class T>
f64 to_f64(T value) {
  if constexpr (std::is_same_v<T, f16> || std::is_same_v<T, bf16>)
    return to_f32(value);
  else
    return static_cast<f64>(value);
}

/// The double nearest to `value + error` whose last bit is odd, unless there is no error: rounded once more, to fewer
/// bits, it gives what the exact sum would have given.
inline f64 to_odd(f64 value, f64 error) {
  const u64 bits = std::bit_cast<u64>(value);
  if (error == 0 || (bits & 1) != 0 || !std::isfinite(value)) return value;
  return std::bit_cast<f64>((error > 0) == (value > 0) ? bits + 1 : bits - 1);
}

template <class T, Rounding rounding>
T to_half(f64 value) {
  constexpr Encoding format = Format<T>::layout;
  constexpr int lowest = 1 - format.bias;  // exponent of the smallest normal number
  const u64 bits = std::bit_cast<u64>(value);
  const u16 sign = static_cast<u16>(bits >> 48 & 0x8000);
  const bool negative = sign != 0;
  if (value != value) return {static_cast<u16>(format.nan)};
  const u64 magnitude = bits & ~(u64{1} << 63);
  if (magnitude == u64{0x7ff} << 52) return {static_cast<u16>(sign | format.infinity)};
  if (magnitude >> 52 == 0) {  // zero, or so small a number that only its being there matters
    const bool away = magnitude != 0 && rounding == (negative ? Rounding::down : Rounding::up);
    return {static_cast<u16>(sign | (away ? 1 : 0))};
  }
  const int exponent = static_cast<int>(magnitude >> 52) - 1023;
  const u64 significand = (magnitude & ((u64{1} << 52) - 1)) | u64{1} << 52;
  const int below = exponent < lowest ? lowest - exponent : 0;
  const int dropped = 52 - format.fraction + below < 63 ? 52 - format.fraction + below : 63;  // bits
  const u64 kept = significand >> dropped;
  const u64 rest = significand & ((u64{1} << dropped) - 1);
  const u64 half = u64{1} << (dropped - 1);
  bool away = false;
  if constexpr (rounding == Rounding::nearest_even) away = rest > half || (rest == half && (kept & 1) != 0);
  if constexpr (rounding == Rounding::down) away = negative && rest != 0;
  if constexpr (rounding == Rounding::up) away = !negative && rest != 0;
  const int field = exponent < lowest ? 0 : exponent - lowest;  // less one: the significand's highest bit adds it
  const u64 result = (static_cast<u64>(field) << format.fraction) + kept + (away ? 1 : 0);
  if (result <= format.largest) return {static_cast<u16>(sign | result)};
  constexpr bool nearest = rounding == Rounding::nearest_even;
  const bool to_infinity =
      nearest || (rounding == Rounding::down && negative) || (rounding == Rounding::up && !negative);
  return {static_cast<u16>(sign | (to_infinity ? format.infinity : format.largest))};
}

template <class T, Rounding rounding>
T to_half(f64 value, f64 error) {
  return to_half<T, rounding>(to_odd(value, error));
}

template <class T>
constexpr u16 magnitude(T a) {
  return a.bits & 0x7fff;
}

/// Numbers in order; -0 is less than +0.
template <class T>
int order(T a) {
  return (a.bits & 0x8000) != 0 ? ~magnitude(a) : magnitude(a);
}
template <class T>
T canonical(T a) {
  return is_nan(a) ? T{static_cast<u16>(Format<T>::layout.nan)} : a;
}

/// The less of two numbers, and the greater one; a NaN loses against a number, unless it wins.
template <class T>
T lesser(T a, T b, bool nan_wins) {
  if (is_nan(a) || is_nan(b)) return canonical(is_nan(a) == nan_wins ? a : b);
  return order(a) < order(b) ? a : b;
}
template <class T>
T greater(T a, T b, bool nan_wins) {
  if (is_nan(a) || is_nan(b)) return canonical(is_nan(a) == nan_wins ? a : b);
  return order(a) < order(b) ? b : a;
}

}  // namespace warpwright::isa
