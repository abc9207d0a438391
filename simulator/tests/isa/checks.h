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
  std::vector<std::string> sources;  // types; "imm:N" is a literal, "small" a number below 32
  /// From the operands' bits (the low ones, of the type's width) to the result's.
  std::function<Bits(const std::vector<Bits>&)> expected;
  bool any_nan = false;  // which NaN is left open
  /// Whether a result that is not the expected one is near enough; of approximations alone.
  std::function<bool(const std::vector<Bits>&, Bits)> accepts = {};
  /// Instructions that leave the result in its register, where one with the operands in order would not do: {0} is the
  /// result's register, {1} the first operand's. %r24 to %r28 and %p12 to %p15 are free.
  std::string body = {};
  /// Where rounding can make the smallest normal number of a smaller result: whether with exponents without end it
  /// would be less, which is what .ftz on the H200 goes by. The recording says so; the manual leaves it open.
  std::function<bool(const std::vector<Bits>&)> is_small = {};
};

using Checks = std::vector<Check>;

Checks integer_checks();
Checks bit_checks();
Checks floating_checks();
Checks comparison_checks();
Checks conversion_checks();
Checks float_conversion_checks();
Checks packed_conversion_checks();
Checks half_checks();
Checks approximation_checks();
/// Of instructions that the decoder puts together from rows, or that have rules of their own.
Checks composed_checks();
/// Of additions of floats in memory.
Checks atomic_checks();

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
/// Whether the bits are a NaN of this type, if it is one of floats.
bool is_nan(Bits bits, std::string_view type);

/// Operands of a type that are known to be difficult: limits, powers of two, zeros, infinities, NaNs, subnormals.
std::vector<Bits> edges(std::string_view type);

/// Floats whose product, quotient, sum or conversion lies about the smallest normal number, where rounding and .ftz
/// meet. There are none unless all sources have the same type.
std::vector<std::vector<Bits>> about_the_smallest(const std::vector<std::string>& sources);

/// The operands that a check is tried with: edges in all combinations (as many as fit, chosen at random), those, and
/// random ones. Above the bits of a type lies garbage.
std::vector<std::vector<Bits>> operands_of(const Check& check);
/// The same operands as the instruction sees them: literals in place, nothing above the bits of their type.
std::vector<Bits> as_seen(const Check& check, std::vector<Bits> operands);
/// Whether the result is right for these operands, as the instruction sees them.
bool is_right(const Check& check, const std::vector<Bits>& operands, Bits result);
/// The check's PTX, from operands in memory to the result in memory. It uses the names that machine/kernel.h lists.
std::string body_of(const Check& check);
/// Runs it on the simulated GPU: a result for each tuple of operands.
std::vector<Bits> results_of(const Check& check, const std::vector<std::vector<Bits>>& tuples);
/// "add.s32 0x1 0x2".
std::string written(const Check& check, const std::vector<Bits>& operands);

/// Runs the check's instruction on its operands' edges in all combinations (as many as fit, chosen at random) and on
/// random operands, and reports what differs.
void run_check(const Check& check);

/// Runs an instruction once and returns the result's bits. A NaN of double precision is returned as it is.
Bits evaluate(const std::string& opcode, const std::string& result, const std::vector<std::string>& sources,
              const std::vector<Bits>& operands);

}  // namespace warpwright::checks
