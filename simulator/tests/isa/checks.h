// Problem: every row of the instruction table needs a second opinion on every operand that is known to be difficult.
// Idea: a check is an opcode, the types of its operands, and the manual's definition written another way: in wide
// integers, bit by bit, or with the host's rounding modes. Checks are data, so that a test can ask for the rows that
// have none.
// Invariant: operands are given to `expected` and taken from the machine as bits, so that -0 and 0 differ.
// Left out: what the H200 does where the manual leaves it open.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace warpwright::checks {

using s128 = __int128;
using u128 = unsigned __int128;
using Bits = std::uint64_t;

struct Check {
  std::string opcode;
  std::string result;                // a type of PTX: "u32", "pred", ...
  std::vector<std::string> sources;  // types; "imm:N" is a literal
  /// From the operands' bits (the low ones, of the type's width) to the result's.
  std::function<Bits(const std::vector<Bits>&)> expected;
  bool any_nan = false;  // which NaN is left open
};

using Checks = std::vector<Check>;

Checks integer_checks();
Checks bit_checks();
Checks floating_checks();
Checks comparison_checks();
Checks conversion_checks();

// Types by name.
unsigned width_of(std::string_view type);  // in bits; 1 for "pred"
bool is_signed(std::string_view type);
bool is_float(std::string_view type);
Bits masked(Bits bits, std::string_view type);
/// The number that the bits of an integer type stand for.
s128 value_of(Bits bits, std::string_view type);
float f32_of(Bits bits);
double f64_of(Bits bits);
/// Of single precision, as PTX gives results: every NaN is 0x7fffffff.
Bits bits_of(float value);
Bits bits_of(double value);
inline constexpr Bits canonical_nan = 0x7fffffff;

/// Operands of a type that are known to be difficult: limits, powers of two, zeros, infinities, NaNs, subnormals.
std::vector<Bits> edges(std::string_view type);

/// Runs the check's instruction on its operands' edges in all combinations (as many as fit, chosen at random) and on
/// random operands, and reports what differs.
void run_check(const Check& check);

/// Runs an instruction once and returns the result's bits. A NaN of double precision is returned as it is.
Bits evaluate(const std::string& opcode, const std::string& result, const std::vector<std::string>& sources,
              const std::vector<Bits>& operands);

}  // namespace warpwright::checks
