// Problem: results in 16 bits and fewer need a second opinion, and the host has no such arithmetic.
// Idea: such a format has few numbers. Find by bisection the two that an exact value lies between, and choose as the
// manual says: no bit of a significand is ever shifted or rounded.
// Invariant: a value is `high + low`, exactly.
#pragma once

#include <string>

#include "isa/checks.h"

namespace warpwright::checks {

using f128 = __float128;

struct SmallFormat {
  unsigned width, fraction;
  int bias;
  Bits largest;  // finite number; the next encoding counts as the number that would follow it, for rounding
  Bits nan;
  bool has_infinity = true;
};

/// f16, bf16, e4m3, e5m2, and tf32 without the 13 bits that it leaves unused.
const SmallFormat& small_format(std::string_view type);

struct Value {
  f128 high = 0, low = 0;
};
/// The sum of two numbers that are exact themselves.
Value exact_sum(f128 a, f128 b);

/// The number that these bits stand for; NaN and infinity included.
f128 number_of(Bits bits, std::string_view type);
/// The bits of the value in this format, rounded in the host's mode (FE_TONEAREST and its like). `negative` is the sign
/// of a zero.
Bits rounded_to(std::string_view type, const Value& value, int mode, bool negative = false);
/// Whether the value, rounded to this format with exponents without end, is less than its smallest normal number; f16
/// and f32.
bool is_small(std::string_view type, const Value& value, int mode);
/// .satfinite: the largest number in place of an infinity.
Bits made_finite(Bits bits, std::string_view type);

// Modifiers, on bits.
Bits flushed(Bits bits, std::string_view type);
Bits saturated(Bits bits, std::string_view type);
Bits rectified(Bits bits, std::string_view type);

/// The check of the instruction with these modifiers, of which it knows .ftz, .sat and .relu.
Check modified(Check check, const std::string& opcode, std::string_view modifiers);

/// The check of the same instruction on two halves at a time.
Check packed(const Check& check, const std::string& opcode);

}  // namespace warpwright::checks
