// Problem: wherever PTX wants a number it also takes an expression: 0x10, 0f3F800000, -4, (1 << 4) + WARP_SZ.
// Idea: precedence climbing over the tokens, with the PTX ISA's rule for signs ("Constant Expressions"): integers
//   are 64 bits wide and signed unless a literal says U, does not fit, or a cast or an unsigned operand says so.
// Invariant: the value is what a PTX assembler computes; overflow wraps, nothing is undefined.
// Left out: arithmetic on floats, which PTX does not have; only their sign can be given.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "ptx/lexer.h"

namespace warpwright::ptx {

struct Constant {
  enum class Kind : std::uint8_t {
    integer,  // two's complement in 64 bits
    f32,      // bits of a 0f literal in the low half
    f64,      // bits of a 0d literal, or of a decimal one
  };
  Kind kind = Kind::integer;
  std::uint64_t bits = 0;
  bool is_unsigned = false;  // integer only
};

/// The value of a number token. Throws ParseError for one that is malformed or too large.
Constant parse_literal(const Token& token);

/// Parses a constant expression. `what` says in an error what was expected: "the size of an array". Throws ParseError.
Constant parse_constant(Lexer& lexer, std::string_view what);

/// Parses a constant expression whose value must be an integer.
std::int64_t parse_integer(Lexer& lexer, std::string_view what);

/// Parses a number from 0 to `largest` where PTX takes no expression: in `.loc 1 -2 3` nothing is subtracted, and
/// nothing compared in `%r<20>;`.
std::uint64_t parse_count(Lexer& lexer, std::string_view what, std::uint64_t largest);

/// Parses a constant expression whose value must be from 0 to `largest`.
std::uint64_t parse_unsigned(Lexer& lexer, std::string_view what, std::uint64_t largest);

/// Parses the "+ 8" or "- 8" that may follow a symbol or a register; 0 when there is none.
std::int64_t parse_offset(Lexer& lexer);

/// True when the next token can begin a constant expression.
bool at_constant(const Lexer& lexer);

}  // namespace warpwright::ptx
