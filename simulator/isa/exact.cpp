// The arithmetic of exact.h, and PTX's double precision with the rounding modifiers .rz, .rm and .rp, for which no
// wider type of the host's would do.
#include "isa/exact.h"

#include <algorithm>
#include <utility>

#include "isa/rows.h"

namespace warpwright::isa {
namespace {

constexpr int bits_of_significand = 128;
constexpr int top_when_aligned = 124;  // leaves room for a carry, and bits below those of any product

/// Number of the highest bit that is set; -1 when there is none.
int top_bit(u128 value) {
  const auto high = static_cast<u64>(value >> 64);
  const auto low = static_cast<u64>(value);
  return high != 0 ? 127 - std::countl_zero(high) : low != 0 ? 63 - std::countl_zero(low) : -1;
}

/// The same number with its highest bit at `top`.
Exact with_top_at(int top, Exact number) {
  const int shift = top - top_bit(number.significand);
  number.significand = shift >= 0 ? number.significand << shift : number.significand >> -shift;
  number.exponent -= shift;
  return number;
}

Exact not_a_number() {
  Exact nan;
  nan.kind = Exact::Kind::nan;
  return nan;
}

bool is_nan(const Exact& a) { return a.kind == Exact::Kind::nan; }
bool is_infinite(const Exact& a) { return a.kind == Exact::Kind::infinite; }

u128 square_root(u128 value) {
  u128 result = 0;
  for (u128 bit = u128{1} << 126; bit != 0; bit >>= 2) {
    if (value >= result + bit) {
      value -= result + bit;
      result = (result >> 1) + bit;
    } else {
      result >>= 1;
    }
  }
  return result;
}

}  // namespace

Exact product(const Exact& a, const Exact& b) {
  if (is_nan(a) || is_nan(b)) return not_a_number();
  Exact result;
  result.negative = a.negative != b.negative;
  if (is_infinite(a) || is_infinite(b)) {
    if (a.is_zero() || b.is_zero()) return not_a_number();
    result.kind = Exact::Kind::infinite;
    return result;
  }
  result.significand = a.significand * b.significand;
  result.exponent = a.exponent + b.exponent;
  return result;
}

Exact sum(const Exact& a, const Exact& b, bool down) {
  if (is_nan(a) || is_nan(b)) return not_a_number();
  if (is_infinite(a) && is_infinite(b) && a.negative != b.negative) return not_a_number();
  if (is_infinite(a)) return a;
  if (is_infinite(b)) return b;
  Exact zero;
  zero.negative = a.negative == b.negative ? a.negative : down;
  if (a.is_zero() && b.is_zero()) return zero;
  if (a.is_zero()) return b;
  if (b.is_zero()) return a;

  Exact larger = with_top_at(top_when_aligned, a), smaller = with_top_at(top_when_aligned, b);
  if (std::pair(larger.exponent, larger.significand) < std::pair(smaller.exponent, smaller.significand))
    std::swap(larger, smaller);
  const int shift = std::min(larger.exponent - smaller.exponent, bits_of_significand - 1);
  const u128 kept = smaller.significand >> shift;
  const bool rest = kept << shift != smaller.significand;
  if (larger.negative == smaller.negative) {
    larger.significand += kept;
  } else {
    if (larger.significand == kept && !rest) return zero;
    larger.significand -= kept + (rest ? 1 : 0);  // one less, and the rest is what the smaller one lacks of it
  }
  larger.rest = rest;
  return larger;
}

Exact quotient(const Exact& a, const Exact& b) {
  if (is_nan(a) || is_nan(b) || (a.is_zero() && b.is_zero()) || (is_infinite(a) && is_infinite(b)))
    return not_a_number();
  Exact result;
  result.negative = a.negative != b.negative;
  if (is_infinite(a) || b.is_zero()) {
    result.kind = Exact::Kind::infinite;
    return result;
  }
  if (a.is_zero() || is_infinite(b)) return result;
  const Exact dividend = with_top_at(bits_of_significand - 1, a);
  result.significand = dividend.significand / b.significand;
  result.rest = dividend.significand % b.significand != 0;
  result.exponent = dividend.exponent - b.exponent;
  return result;
}

Exact root(const Exact& a) {
  if (is_nan(a) || a.is_zero()) return a;
  if (a.negative) return not_a_number();
  if (is_infinite(a)) return a;
  Exact square = with_top_at(bits_of_significand - 2, a);
  if (square.exponent % 2 != 0) {
    square.significand <<= 1;
    --square.exponent;
  }
  Exact result;
  result.significand = square_root(square.significand);
  result.rest = result.significand * result.significand != square.significand;
  result.exponent = square.exponent / 2;
  return result;
}

std::uint64_t rounded_bits(const Exact& number, Rounding rounding, const Encoding& format) {
  if (is_nan(number)) return format.nan;
  const std::uint64_t sign = u64{number.negative} << (format.width - 1);
  if (is_infinite(number)) return sign | format.infinity;
  if (number.significand == 0) return sign;

  const int lowest = 1 - format.bias - format.fraction;  // exponent of the smallest subnormal number
  const int last = std::max(number.exponent + top_bit(number.significand) - format.fraction, lowest);
  const int dropped = last - number.exponent;  // bits
  u128 kept = 0;
  bool half = false, rest = number.rest;
  if (dropped <= 0) {
    kept = number.significand << -dropped;
  } else if (dropped > bits_of_significand) {
    rest = true;
  } else {
    kept = dropped < bits_of_significand ? number.significand >> dropped : 0;
    half = (number.significand >> (dropped - 1) & 1) != 0;
    rest = rest || (number.significand & ((u128{1} << (dropped - 1)) - 1)) != 0;
  }

  const bool away = rounding == Rounding::nearest_even   ? half && (rest || (kept & 1) != 0)
                    : rounding == Rounding::nearest_away ? half
                    : rounding == Rounding::down         ? number.negative && (half || rest)
                    : rounding == Rounding::up           ? !number.negative && (half || rest)
                                                         : false;
  // A carry out of the fraction goes into the exponent, as it should.
  const int exponent = std::min(last - lowest, 2 * format.bias + 1);
  const std::uint64_t magnitude =
      (static_cast<u64>(exponent) << format.fraction) + static_cast<u64>(kept) + (away ? 1 : 0);
  if (magnitude <= format.largest) return sign | magnitude;
  const bool to_infinity = rounding == Rounding::nearest_even || rounding == Rounding::nearest_away ||
                           (rounding == Rounding::down && number.negative) ||
                           (rounding == Rounding::up && !number.negative);
  return sign | (to_infinity ? format.infinity : format.largest);
}

namespace {

/// Double precision returns the first NaN that it was given.
f64 quiet(f64 a) { return std::bit_cast<f64>(std::bit_cast<u64>(a) | u64{1} << 51); }

template <Rounding rounding, class... T>
f64 finish(const Exact& number, T... operands) {
  if (number.kind != Exact::Kind::nan) return rounded<f64, rounding>(number);
  f64 result = std::bit_cast<f64>(u64{0xfff8000000000000});
  bool found = false;
  ((!found && operands != operands ? (result = quiet(operands), found = true) : false), ...);
  return result;
}

template <Rounding rounding>
f64 add(f64 a, f64 b) {
  return finish<rounding>(sum(exact(a), exact(b), rounding == Rounding::down), a, b);
}
template <Rounding rounding>
f64 sub(f64 a, f64 b) {
  return finish<rounding>(sum(exact(a), exact(-b), rounding == Rounding::down), a, b);
}
template <Rounding rounding>
f64 mul(f64 a, f64 b) {
  return finish<rounding>(product(exact(a), exact(b)), a, b);
}
template <Rounding rounding>
f64 fma(f64 a, f64 b, f64 c) {
  return finish<rounding>(sum(product(exact(a), exact(b)), exact(c), rounding == Rounding::down), a, b, c);
}
template <Rounding rounding>
f64 div(f64 a, f64 b) {
  return finish<rounding>(quotient(exact(a), exact(b)), a, b);
}
template <Rounding rounding>
f64 rcp(f64 a) {
  return finish<rounding>(quotient(exact(1.0), exact(a)), a);
}
template <Rounding rounding>
f64 sqrt(f64 a) {
  return finish<rounding>(root(exact(a)), a);
}

}  // namespace

void add_exact_rows(Table& table) {
  for_each_directed([&]<Rounding rounding>(std::string_view name) {
    rare_row<add<rounding>>(table, "add.", name, ".f64");
    rare_row<sub<rounding>>(table, "sub.", name, ".f64");
    rare_row<mul<rounding>>(table, "mul.", name, ".f64");
    rare_row<fma<rounding>>(table, "fma.", name, ".f64");
    rare_row<fma<rounding>>(table, "mad.", name, ".f64");
    rare_row<div<rounding>>(table, "div.", name, ".f64");
    rare_row<rcp<rounding>>(table, "rcp.", name, ".f64");
    rare_row<sqrt<rounding>>(table, "sqrt.", name, ".f64");
  });
}

}  // namespace warpwright::isa
