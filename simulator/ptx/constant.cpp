#include "ptx/constant.h"

#include <bit>
#include <charconv>
#include <limits>
#include <string>

#include "ptx/failure.h"
#include "ptx/module.h"

namespace warpwright::ptx {
namespace {

/// Parentheses and unary operators inside one another; PTX from a compiler needs one or two.
constexpr int deepest_nesting = 64;

constexpr std::uint64_t warp_size = 32;  // PTX ISA, "Predefined Constants": WARP_SZ
constexpr std::uint64_t sign_bit = std::uint64_t{1} << 63;

struct BinaryOperator {
  std::string_view text;
  int precedence;
};

/// PTX ISA, "Constant Expressions: Summary of Operators"; a larger precedence binds more tightly.
constexpr BinaryOperator binary_operators[] = {{"*", 10}, {"/", 10}, {"%", 10}, {"+", 9},  {"-", 9},  {"<<", 8},
                                               {">>", 8}, {"<", 7},  {">", 7},  {"<=", 7}, {">=", 7}, {"==", 6},
                                               {"!=", 6}, {"&", 5},  {"^", 4},  {"|", 3},  {"&&", 2}, {"||", 1}};

/// 0 when the token is no binary operator.
int precedence_of(const Token& token) {
  if (token.kind != Token::Kind::punctuation) return 0;
  for (const BinaryOperator& candidate : binary_operators) {
    if (candidate.text == token.text) return candidate.precedence;
  }
  return 0;
}

Constant integer(std::uint64_t bits, bool is_unsigned = false) { return {Constant::Kind::integer, bits, is_unsigned}; }

Constant bits_literal(const Token& token, Constant::Kind kind, std::size_t digits) {
  const std::string_view hex = token.text.substr(2);
  std::uint64_t bits = 0;
  const auto [end, error] = std::from_chars(hex.data(), hex.data() + hex.size(), bits, 16);
  if (error != std::errc{} || end != hex.data() + hex.size() || hex.size() != digits) {
    fail(token.line, "expected {} hexadecimal digits after {}, found '{}'", digits, token.text.substr(0, 2),
         token.text);
  }
  return {kind, bits, false};
}

}  // namespace

Constant parse_literal(const Token& token) {
  std::string_view text = token.text;
  const char second = text.size() > 1 && text[0] == '0' ? text[1] : '\0';
  if (second == 'f' || second == 'F') return bits_literal(token, Constant::Kind::f32, 8);
  if (second == 'd' || second == 'D') return bits_literal(token, Constant::Kind::f64, 16);

  const bool is_hexadecimal = second == 'x' || second == 'X';
  const bool is_binary = second == 'b' || second == 'B';
  if (!is_hexadecimal && text.find_first_of(".eE") != std::string_view::npos) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) fail(token.line, "'{}' is not a number", token.text);
    return {Constant::Kind::f64, std::bit_cast<std::uint64_t>(value), false};
  }

  const bool says_unsigned = text.back() == 'U';
  if (says_unsigned) text.remove_suffix(1);
  int base = 10;
  if (is_hexadecimal || is_binary) {
    base = is_hexadecimal ? 16 : 2;
    text.remove_prefix(2);
  } else if (second != '\0') {
    base = 8;
  }
  std::uint64_t bits = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), bits, base);
  if (error == std::errc::result_out_of_range) {
    fail(token.line, "'{}' does not fit in 64 bits", token.text);
  }
  if (error != std::errc{} || end != text.data() + text.size()) {
    fail(token.line, "'{}' is not a number", token.text);
  }
  return integer(bits, says_unsigned || (bits & sign_bit) != 0);
}

namespace {

class Expression {
 public:
  Expression(Lexer& lexer, std::string_view what) : lexer_(lexer), what_(what) {}

  Constant conditional() {
    const Constant condition = binary(1);
    if (!lexer_.at("?")) return condition;
    require_integer(condition);
    lexer_.take();
    enter();
    const Constant yes = conditional();
    lexer_.expect(":", "between the two values of '?'");
    const Constant no = conditional();
    --depth_;
    return condition.bits != 0 ? yes : no;
  }

 private:
  void enter() {
    if (++depth_ > deepest_nesting) fail(lexer_.line(), "this constant expression is nested too deeply");
  }

  void require_integer(const Constant& value) const {
    if (value.kind != Constant::Kind::integer) {
      fail(lexer_.line(), "expected integers in a constant expression, found a floating-point number");
    }
  }

  Constant binary(int least_precedence) {
    Constant left = unary();
    for (;;) {
      const int precedence = precedence_of(lexer_.peek());
      if (precedence == 0 || precedence < least_precedence) return left;
      const Token operation = lexer_.take();
      const Constant right = binary(precedence + 1);
      require_integer(left);
      require_integer(right);
      left = apply(operation, left, right);
    }
  }

  Constant unary() {
    const Token token = lexer_.peek();
    if (token.kind == Token::Kind::number) {
      lexer_.take();
      return parse_literal(token);
    }
    if (lexer_.accept("WARP_SZ")) return integer(warp_size);
    if (lexer_.accept("(")) {
      enter();
      const Constant value = parenthesised();
      --depth_;
      return value;
    }
    if (!lexer_.at("-") && !lexer_.at("+") && !lexer_.at("!") && !lexer_.at("~")) lexer_.fail_expecting(what_);
    lexer_.take();
    enter();
    Constant value = unary();
    --depth_;
    if (token.text == "-" && value.kind != Constant::Kind::integer) {
      value.bits ^= value.kind == Constant::Kind::f32 ? sign_bit >> 32 : sign_bit;
      return value;
    }
    if (token.text == "+") return value;
    require_integer(value);
    if (token.text == "-") return integer(~value.bits + 1, value.is_unsigned);
    if (token.text == "~") return integer(~value.bits, value.is_unsigned);
    return integer(value.bits == 0);
  }

  Constant parenthesised() {
    const bool to_unsigned = lexer_.at(".u64");
    if (to_unsigned || lexer_.at(".s64")) {
      lexer_.take();
      lexer_.expect(")", "after the type of a cast");
      const Constant value = unary();
      require_integer(value);
      return integer(value.bits, to_unsigned);
    }
    const Constant value = conditional();
    lexer_.expect(")", "at the end of a constant expression");
    return value;
  }

  static Constant apply(const Token& operation, const Constant& left, const Constant& right) {
    const std::uint64_t a = left.bits;
    const std::uint64_t b = right.bits;
    const bool is_unsigned = left.is_unsigned || right.is_unsigned;
    const auto signed_a = static_cast<std::int64_t>(a);
    const auto signed_b = static_cast<std::int64_t>(b);
    const bool less = is_unsigned ? a < b : signed_a < signed_b;
    const std::string_view text = operation.text;

    if (text == "+") return integer(a + b, is_unsigned);
    if (text == "-") return integer(a - b, is_unsigned);
    if (text == "*") return integer(a * b, is_unsigned);
    if (text == "/" || text == "%") {
      if (b == 0) fail(operation.line, "this constant expression divides by zero");
      if (is_unsigned) return integer(text == "/" ? a / b : a % b, true);
      if (signed_b == -1) return integer(text == "/" ? ~a + 1 : 0);
      return integer(static_cast<std::uint64_t>(text == "/" ? signed_a / signed_b : signed_a % signed_b));
    }
    // The type of a shift is its left operand's.
    if (text == "<<") return integer(b < 64 ? a << b : 0, left.is_unsigned);
    if (text == ">>") {
      if (left.is_unsigned) return integer(b < 64 ? a >> b : 0, true);
      return integer(static_cast<std::uint64_t>(signed_a >> (b < 64 ? b : 63)));
    }
    if (text == "<") return integer(less);
    if (text == ">=") return integer(!less);
    if (text == "<=") return integer(less || a == b);
    if (text == ">") return integer(!less && a != b);
    if (text == "==") return integer(a == b);
    if (text == "!=") return integer(a != b);
    if (text == "&") return integer(a & b, is_unsigned);
    if (text == "^") return integer(a ^ b, is_unsigned);
    if (text == "|") return integer(a | b, is_unsigned);
    if (text == "&&") return integer(a != 0 && b != 0);
    return integer(a != 0 || b != 0);
  }

  Lexer& lexer_;
  std::string_view what_;
  int depth_ = 0;
};

}  // namespace

Constant parse_constant(Lexer& lexer, std::string_view what) { return Expression(lexer, what).conditional(); }

std::int64_t parse_integer(Lexer& lexer, std::string_view what) {
  const std::uint32_t line = lexer.line();
  const Constant value = parse_constant(lexer, what);
  if (value.kind != Constant::Kind::integer) {
    fail(line, "expected {}, found a floating-point number", what);
  }
  return static_cast<std::int64_t>(value.bits);
}

std::uint64_t parse_count(Lexer& lexer, std::string_view what, std::uint64_t largest) {
  const Token token = lexer.peek();
  lexer.expect(Token::Kind::number, what);
  const Constant value = parse_literal(token);
  if (value.kind != Constant::Kind::integer || value.bits > largest) {
    fail(token.line, "expected {} from 0 to {}, found '{}'", what, largest, token.text);
  }
  return value.bits;
}

std::uint64_t parse_unsigned(Lexer& lexer, std::string_view what, std::uint64_t largest) {
  const std::uint32_t line = lexer.line();
  const auto value = static_cast<std::uint64_t>(parse_integer(lexer, what));
  if (value > largest) {
    fail(line, "expected {} from 0 to {}", what, largest);
  }
  return value;
}

std::int64_t parse_offset(Lexer& lexer) {
  if (!lexer.accept("+") && !lexer.at("-")) return 0;
  return parse_integer(lexer, "an offset in bytes");
}

bool at_constant(const Lexer& lexer) {
  return lexer.at(Token::Kind::number) || lexer.at("-") || lexer.at("+") || lexer.at("~") || lexer.at("(") ||
         lexer.at("!") || lexer.at("WARP_SZ");
}

}  // namespace warpwright::ptx
