// Problem: many results are rounded in a direction, or from or to a format, for which C++ has no arithmetic.
// Idea: compute with integers. A number is a sign, 128 bits and an exponent; operations keep every bit that can matter,
// and one bit that says whether there were more; at the end the number is rounded once, to any format, in any
// direction.
// Invariant: where `rest` is set, the significand has at least three bits more than any format holds.
// Left out: speed. What a program does often has its own code in floating.cpp, directed.cpp and half.h.
#pragma once

#include <bit>
#include <type_traits>

#include "isa/formats.h"
#include "isa/rounding.h"
#include "isa/types.h"

namespace warpwright::isa {

using u128 = unsigned __int128;

/// (negative ? -1 : 1) * (significand + something between 0 and 1 if rest) * 2^exponent.
struct Exact {
  enum class Kind : std::uint8_t { finite, infinite, nan };
  Kind kind = Kind::finite;
  bool negative = false;
  bool rest = false;
  int exponent = 0;
  u128 significand = 0;

  bool is_zero() const { return kind == Kind::finite && significand == 0 && !rest; }
};

Exact product(const Exact& a, const Exact& b);
/// Where two numbers of unlike sign cancel, the sum is +0, and -0 if `down`.
Exact sum(const Exact& a, const Exact& b, bool down);
Exact quotient(const Exact& a, const Exact& b);
Exact root(const Exact& a);

/// The bits of the number, rounded to a format with so many bits of fraction. What is larger than `largest` becomes
/// `largest` or `infinity`, as the rounding says.
std::uint64_t rounded_bits(const Exact& number, Rounding rounding, const Encoding& format);

template <class T>
Exact exact(T value) {
  Exact number;
  if constexpr (std::is_integral_v<T>) {
    number.negative = value < 0;
    number.significand = number.negative ? static_cast<Unsigned<T>>(-static_cast<Unsigned<T>>(value)) : value;
  } else {
    using Bits = typename Format<T>::Bits;
    constexpr Encoding format = Format<T>::layout;
    const Bits bits = std::bit_cast<Bits>(value);
    const Bits fraction = static_cast<Bits>(bits & ((Bits{1} << format.fraction) - 1));
    const int field = static_cast<int>(bits >> format.fraction) & (2 * format.bias + 1);
    number.negative = (bits >> (8 * sizeof(Bits) - 1)) != 0;
    if (field == 2 * format.bias + 1)
      number.kind = fraction != 0 ? Exact::Kind::nan : Exact::Kind::infinite;
    else
      number.significand = fraction | (field != 0 ? Bits{1} << format.fraction : Bits{0});
    number.exponent = (field != 0 ? field : 1) - format.bias - format.fraction;
  }
  return number;
}

template <class T, Rounding rounding>
T rounded(const Exact& number) {
  return std::bit_cast<T>(static_cast<typename Format<T>::Bits>(rounded_bits(number, rounding, Format<T>::layout)));
}

}  // namespace warpwright::isa
