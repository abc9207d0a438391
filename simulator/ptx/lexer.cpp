#include "ptx/lexer.h"

#include <algorithm>
#include <array>

#include "ptx/failure.h"
#include "ptx/module.h"

namespace warpwright::ptx {
namespace {

enum CharacterClass : std::uint8_t { other = 0, blank = 1, identifier_start = 2, identifier = 4, digit = 8 };

constexpr std::array<std::uint8_t, 256> character_classes = [] {
  std::array<std::uint8_t, 256> classes{};
  for (int c = 'a'; c <= 'z'; ++c) classes[c] = classes[c - 'a' + 'A'] = identifier_start | identifier;
  for (int c = '0'; c <= '9'; ++c) classes[c] = identifier | digit;
  classes['_'] = classes['$'] = identifier_start | identifier;
  classes['%'] = identifier_start;
  classes[' '] = classes['\t'] = classes['\r'] = classes['\f'] = classes['\v'] = blank;
  return classes;
}();

bool is(char character, std::uint8_t wanted) {
  return (character_classes[static_cast<unsigned char>(character)] & wanted) != 0;
}

/// Operators of constant expressions that take two characters.
bool is_pair(char first, char second) {
  switch (first) {
    case '<':
    case '>':
      return second == first || second == '=';
    case '=':
    case '!':
      return second == '=';
    case '&':
    case '|':
      return second == first;
    default:
      return false;
  }
}

std::string in_words(const Token& token) {
  constexpr std::size_t longest = 60;
  switch (token.kind) {
    case Token::Kind::end:
      return "the end of the text";
    case Token::Kind::string:
      return "a string";
    default:
      break;
  }
  if (token.text.size() == 1 && (token.text[0] < ' ' || token.text[0] > '~')) {
    return fmt::format("a character of code {}", static_cast<unsigned char>(token.text[0]));
  }
  return fmt::format("'{}{}'", token.text.substr(0, longest), token.text.size() > longest ? "..." : "");
}

}  // namespace

Lexer::Lexer(std::string_view text) : text_(text) { advance(); }

Token Lexer::take() {
  const Token taken = token_;
  advance();
  return taken;
}

bool Lexer::accept(std::string_view text) {
  if (!at(text)) return false;
  advance();
  return true;
}

bool Lexer::followed_by(char wanted) const {
  std::size_t next = position_;
  while (is(character(next), blank)) ++next;
  return character(next) == wanted;
}

void Lexer::expect(std::string_view text, std::string_view place) {
  if (accept(text)) return;
  fail_expecting(fmt::format("'{}' {}", text, place));
}

std::string_view Lexer::expect(Token::Kind kind, std::string_view what) {
  if (!at(kind)) fail_expecting(what);
  return take().text;
}

void Lexer::fail_expecting(std::string_view what) const {
  fail(token_.line, "expected {}, found {}", what, in_words(token_));
}

void Lexer::skip_blanks_and_comments() {
  for (;;) {
    const char c = character(position_);
    if (c == '\n') {
      ++line_;
      ++position_;
    } else if (is(c, blank)) {
      ++position_;
    } else if (c == '/' && character(position_ + 1) == '/') {
      position_ = std::min(text_.find('\n', position_), text_.size());
    } else if (c == '/' && character(position_ + 1) == '*') {
      const std::size_t end = text_.find("*/", position_ + 2);
      if (end == std::string_view::npos) fail(line_, "this comment has no end: expected */");
      for (; position_ < end + 2; ++position_) line_ += text_[position_] == '\n';
    } else {
      return;
    }
  }
}

std::size_t Lexer::end_of_word(std::size_t from) const {
  std::size_t end = from + 1;
  for (;;) {
    while (is(character(end), identifier)) ++end;
    if (character(end) == '.' && is(character(end + 1), identifier)) {
      ++end;
    } else if (character(end) == ':' && character(end + 1) == ':' && is(character(end + 2), identifier)) {
      end += 2;
    } else {
      return end;
    }
  }
}

std::size_t Lexer::end_of_number(std::size_t from) const {
  // In 0x1E and 0d3FE... an 'e' is a digit; only a decimal has an exponent, and with it perhaps a sign.
  const char second = character(from + 1);
  const bool is_decimal = !(character(from) == '0' && is(second, identifier_start));
  std::size_t end = from + 1;
  for (;; ++end) {
    const char c = character(end);
    if (is(c, identifier) || c == '.') continue;
    const char before = text_[end - 1];
    const bool is_exponent_sign = is_decimal && (c == '+' || c == '-') && (before == 'e' || before == 'E');
    if (!is_exponent_sign) return end;
  }
}

void Lexer::advance() {
  skip_blanks_and_comments();
  const std::size_t from = position_;
  token_.line = line_;
  if (from >= text_.size()) {
    token_.kind = Token::Kind::end;
    token_.text = {};
    return;
  }
  const char c = text_[from];
  if (is(c, identifier_start) && (c != '%' || is(character(from + 1), identifier))) {
    token_.kind = Token::Kind::word;
    position_ = end_of_word(from);
  } else if (is(c, digit)) {
    token_.kind = Token::Kind::number;
    position_ = end_of_number(from);
  } else if (c == '.' && is(character(from + 1), identifier_start)) {
    token_.kind = Token::Kind::directive;
    position_ = from + 2;
    while (is(character(position_), identifier)) ++position_;
  } else if (c == '"') {
    const std::size_t end = text_.find_first_of("\"\n", from + 1);
    if (end == std::string_view::npos || text_[end] == '\n') fail(line_, "this string has no closing quote");
    token_.kind = Token::Kind::string;
    token_.text = slice(from + 1, end);
    // It ends up in messages, which a NUL would cut short.
    if (token_.text.find('\0') != std::string_view::npos) fail(line_, "this string holds a character of code 0");
    position_ = end + 1;
    return;
  } else {
    token_.kind = Token::Kind::punctuation;
    position_ = from + (is_pair(c, character(from + 1)) ? 2 : 1);
  }
  token_.text = slice(from, position_);
}

}  // namespace warpwright::ptx
