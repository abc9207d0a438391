#include "isa/small_formats.h"

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <map>
#include <stdexcept>

namespace warpwright::checks {
namespace {

f128 power_of_two(int exponent) {
  f128 result = 1;
  for (; exponent > 0; --exponent) result *= 2;
  for (; exponent < 0; ++exponent) result /= 2;
  return result;
}

/// The number with this encoding, sign aside.
f128 magnitude(Bits encoding, const SmallFormat& format) {
  const Bits field = encoding >> format.fraction;
  const Bits fraction = encoding & ((Bits{1} << format.fraction) - 1);
  const f128 significand = fraction + (field != 0 ? Bits{1} << format.fraction : 0);
  return significand *
         power_of_two(static_cast<int>(field != 0 ? field : 1) - format.bias - static_cast<int>(format.fraction));
}

/// -1, 0 or 1, as the value is less than, equal to or greater than the number.
int compare(const Value& value, f128 number) {
  const f128 difference = value.high - number;  // exact where it is small
  const f128 decides = difference != 0 ? difference : value.low;
  return decides < 0 ? -1 : decides > 0 ? 1 : 0;
}

/// Infinity and NaN count as double precision has them.
f128 special(double value) { return value; }

}  // namespace

const SmallFormat& small_format(std::string_view type) {
  static const std::map<std::string_view, SmallFormat> formats = {{"f16", {16, 10, 15, 0x7bff, 0x7fff}},
                                                                  {"bf16", {16, 7, 127, 0x7f7f, 0x7fff}},
                                                                  {"e5m2", {8, 2, 15, 0x7b, 0x7f}},
                                                                  {"e4m3", {8, 3, 7, 0x7e, 0x7f, false}},
                                                                  {"tf32", {19, 10, 127, 0x3fbff, 0x3ffff}}};
  return formats.at(type);
}

Value exact_sum(f128 a, f128 b) {
  const f128 sum = a + b;
  if (sum - sum != 0) return {sum, 0};
  const f128 part_of_b = sum - a;
  return {sum, (a - (sum - part_of_b)) + (b - part_of_b)};
}

f128 number_of(Bits bits, std::string_view type) {
  if (type == "f32") return f32_of(bits);
  if (type == "f64") return f64_of(bits);
  if (!is_float(type) && type.front() != 'e') return value_of(bits, type);
  const SmallFormat& format = small_format(type);
  const bool negative = (bits >> (format.width - 1) & 1) != 0;
  const Bits encoding = bits & ((Bits{1} << (format.width - 1)) - 1);
  f128 result;
  if (encoding <= format.largest)
    result = magnitude(encoding, format);
  else
    result = special(format.has_infinity && encoding == format.largest + 1 ? HUGE_VAL : NAN);
  return negative ? -result : result;
}

namespace {

Bits rounded_in(const SmallFormat& format, const Value& value, int mode, bool negative) {
  if (value.high != value.high) return format.nan;
  if (value.high != 0) negative = value.high < 0;
  const Bits sign = Bits{negative} << (format.width - 1);
  const Value size = negative ? Value{-value.high, -value.low} : value;
  if (size.high - size.high != 0) return sign | (format.largest + 1);
  Bits below = 0, above = format.largest + 1;  // below <= size; above > size, or above the range
  while (above - below > 1) {
    const Bits middle = (below + above) / 2;
    (compare(size, magnitude(middle, format)) < 0 ? above : below) = middle;
  }
  const bool is_beyond = compare(size, magnitude(above, format)) >= 0;
  if (!is_beyond && compare(size, magnitude(below, format)) == 0) return sign | below;
  bool up = false;
  if (mode == FE_TONEAREST) {
    const int side = is_beyond ? 1 : compare(size, (magnitude(below, format) + magnitude(above, format)) / 2);
    up = side > 0 || (side == 0 && below % 2 != 0);
  } else {
    up = (mode == FE_UPWARD && !negative) || (mode == FE_DOWNWARD && negative);
  }
  return sign | (up ? above : below);
}

}  // namespace

Bits rounded_to(std::string_view type, const Value& value, int mode, bool negative) {
  return rounded_in(small_format(type), value, mode, negative);
}

bool is_small(std::string_view type, const Value& value, int mode) {
  static const SmallFormat wide_f16 = {17, 10, 31, (Bits{62} << 10) + 0x3ff, 0xffff};
  static const SmallFormat wide_f32 = {33, 23, 255, (Bits{510} << 23) + 0x7fffff, 0xffffffff};
  const bool is_f16 = type == "f16";
  const SmallFormat& wide = is_f16 ? wide_f16 : wide_f32;
  const Bits sign = Bits{1} << (wide.width - 1);
  return magnitude(rounded_in(wide, value, mode, false) & (sign - 1), wide) < power_of_two(is_f16 ? -14 : -126);
}

Bits made_finite(Bits bits, std::string_view type) {
  const SmallFormat& format = small_format(type);
  const Bits sign = Bits{1} << (format.width - 1);
  return (bits & (sign - 1)) == format.largest + 1 ? bits - 1 : bits;
}

namespace {

struct Shape {
  Bits sign, exponent, one;
};
Shape shape_of(std::string_view type) {
  if (type == "f32") return {0x80000000, 0x7f800000, 0x3f800000};
  if (type == "f64") return {Bits{1} << 63, 0x7ff0000000000000, 0x3ff0000000000000};
  if (type == "bf16") return {0x8000, 0x7f80, 0x3f80};
  if (type == "f16") return {0x8000, 0x7c00, 0x3c00};
  throw std::invalid_argument("no modifier is known for " + std::string(type));
}

}  // namespace

Bits flushed(Bits bits, std::string_view type) {
  const Shape shape = shape_of(type);
  return (bits & shape.exponent) == 0 ? bits & shape.sign : bits;
}
Bits saturated(Bits bits, std::string_view type) {
  const Shape shape = shape_of(type);
  return bits > shape.exponent ? 0 : std::min(bits, shape.one);
}
Bits rectified(Bits bits, std::string_view type) {
  const Shape shape = shape_of(type);
  return bits >= shape.sign && bits <= (shape.sign | shape.exponent) ? 0 : bits;
}

Check modified(Check check, const std::string& opcode, std::string_view modifiers) {
  const bool flushes = modifiers.find(".ftz") != modifiers.npos;
  const bool saturates = modifiers.ends_with(".sat");
  const bool rectifies = modifiers.find(".relu") != modifiers.npos;
  // f16's arithmetic flushes f16, everything else single precision alone.
  const bool halves = check.result == "f16" && check.sources.front() == "f16";
  const auto is_flushed = [=](const std::string& type) { return type == (halves ? "f16" : "f32"); };
  const auto flush = [=](std::vector<Bits> operands) {
    for (std::size_t i = 0; i < operands.size(); ++i)
      if (flushes && is_flushed(check.sources[i])) operands[i] = flushed(operands[i], check.sources[i]);
    return operands;
  };
  Check result = check;
  result.opcode = opcode;
  const bool flushes_result = flushes && is_flushed(check.result);
  const auto smallest_of = [=] { return shape_of(check.result).exponent & ~(shape_of(check.result).exponent << 1); };
  result.expected = [=](const auto& x) {
    Bits bits = check.expected(flush(x));
    if (flushes_result) {
      bits = flushed(bits, check.result);
      const Bits sign = bits & shape_of(check.result).sign;
      if (check.is_small && bits == (sign | smallest_of()) && check.is_small(flush(x))) bits = sign;
    }
    if (saturates) bits = saturated(masked(bits, check.result), check.result);
    return rectifies ? rectified(masked(bits, check.result), check.result) : bits;
  };
  if (check.accepts)
    result.accepts = [=](const auto& x, Bits bits) {
      if (check.accepts(flush(x), bits) || bits == result.expected(x)) return true;
      // A subnormal result that were near enough is flushed.
      const bool is_zero = flushes_result && (bits & ~shape_of(check.result).sign) == 0;
      return is_zero && check.accepts(flush(x), bits | (smallest_of() - 1));
    };
  return result;
}

Check packed(const Check& check, const std::string& opcode) {
  Check result = check;
  result.opcode = opcode;
  result.result += "x2";
  for (std::string& source : result.sources) source += "x2";
  const auto half = [](std::vector<Bits> operands, int shift) {
    for (Bits& operand : operands) operand = operand >> shift & 0xffff;
    return operands;
  };
  result.expected = [=](const auto& x) { return check.expected(half(x, 16)) << 16 | check.expected(half(x, 0)); };
  if (check.accepts)
    result.accepts = [=](const auto& x, Bits bits) {
      return is_right(check, half(x, 16), bits >> 16 & 0xffff) && is_right(check, half(x, 0), bits & 0xffff);
    };
  return result;
}

}  // namespace warpwright::checks
