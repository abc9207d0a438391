// Problem: .ftz, .sat and .relu, alone and together, multiply the number of instructions.
// Idea: they are functions of functions. `ftz<add<f32>>` is add with its operands and its result flushed; it has the
// types of `add`, and so it is a row like any other.
// Invariant: what a modifier does not speak of passes through as it is.
#pragma once

#include <bit>
#include <cmath>

#include "isa/formats.h"
#include "isa/half.h"
#include "isa/types.h"

namespace warpwright::isa {

/// .ftz of single precision: a subnormal number is a zero of its sign.
template <class T>
T flushed(T value) {
  if constexpr (std::is_same_v<T, f32>)
    return std::fabs(value) < 0x1p-126f ? std::copysign(0.0f, value) : value;
  else
    return value;
}

// Where rounding can make the smallest normal number of a smaller result, .ftz has to know what was there before: on
// the H200, a result counts as subnormal if it were less than that number with exponents without end. To see that, the
// result is computed once more, from operands that make it 2^24 times as large.

inline f32 enlarged(f32 value) { return value * 0x1p24f; }
inline f32 flushed_by(f32 large_result, f32 result) {
  return std::fabs(large_result) < 0x1p-102f ? std::copysign(0.0f, result) : result;
}

template <f32 (*mul)(f32, f32)>
f32 ftz_mul(f32 a, f32 b) {
  a = flushed(a), b = flushed(b);
  return flushed_by(mul(enlarged(a), b), mul(a, b));
}
template <f32 (*div)(f32, f32)>
f32 ftz_div(f32 a, f32 b) {
  a = flushed(a), b = flushed(b);
  return flushed_by(div(enlarged(a), b), div(a, b));
}
template <f32 (*div)(f32, f32)>
f32 ftz_rcp(f32 a) {
  return ftz_div<div>(1.0f, a);
}
/// Inlined, or a function compiled for a wider processor would call this one.
template <f32 (*fma)(f32, f32, f32)>
[[gnu::always_inline]] inline f32 ftz_fma(f32 a, f32 b, f32 c) {
  a = flushed(a), b = flushed(b), c = flushed(c);
  return flushed_by(fma(enlarged(a), b, enlarged(c)), fma(a, b, c));
}

/// .ftz of half precision.
template <class T>
T flushed_half(T value) {
  if constexpr (std::is_same_v<T, f16>)
    return (value.bits & 0x7c00) == 0 ? f16{static_cast<u16>(value.bits & 0x8000)} : value;
  else
    return value;
}

/// .sat: clamps to [0, 1]; NaN gives +0.
template <class T>
T saturated(T value) {
  if constexpr (std::is_same_v<T, f16>) {
    if (value.bits > 0x7c00) return f16{0};  // negative, or NaN
    return value.bits > 0x3c00 ? f16{0x3c00} : value;
  } else {
    return value > 0 ? (value < 1 ? value : T{1}) : T{0};
  }
}

/// .relu: what is negative becomes +0; NaN stays.
template <class T>
T rectified(T value) {
  if constexpr (std::is_same_v<T, f32>)
    return std::signbit(value) && value == value ? 0.0f : value;
  else
    return (value.bits & 0x8000) != 0 && !is_nan(value) ? T{0} : value;
}

template <auto function>
struct Modified;

template <class D, class... S, D (*function)(S...)>
struct Modified<function> {
  static D flush(S... s) { return flushed(function(flushed(s)...)); }
  static D flush_half(S... s) { return flushed_half(function(flushed_half(s)...)); }
  static D saturate(S... s) { return saturated(function(s...)); }
  static D rectify(S... s) { return rectified(function(s...)); }
};

template <auto function>
inline constexpr auto ftz = &Modified<function>::flush;
template <auto function>
inline constexpr auto ftz_half = &Modified<function>::flush_half;
template <auto function>
inline constexpr auto sat = &Modified<function>::saturate;
template <auto function>
inline constexpr auto relu = &Modified<function>::rectify;

template <class T>
struct PackedType;
template <>
struct PackedType<f16> {
  using type = f16x2;
};
template <>
struct PackedType<bf16> {
  using type = bf16x2;
};
template <class T>
using Packed = typename PackedType<T>::type;

template <class T>
Packed<T> pack_halves(T low, T high) {
  return {static_cast<u32>(high.bits) << 16 | low.bits};
}

template <auto function>
struct InBothHalves;

template <class D, class... S, D (*function)(S...)>
struct InBothHalves<function> {
  static Packed<D> call(Packed<S>... s) {
    return pack_halves(function(S{static_cast<u16>(s.bits)}...), function(S{static_cast<u16>(s.bits >> 16)}...));
  }
};

/// The function of two halves at a time.
template <auto function>
inline constexpr auto x2 = &InBothHalves<function>::call;

}  // namespace warpwright::isa
