// Problem: a PTX module is up to megabytes of text, and every later step wants words, not characters.
// Idea: one pass, one token ahead, tokens as views into the text; a dotted opcode or %tid.x is one token.
// Invariant: a token's line is the line of its first character, and its text stays valid as long as the text does.
// Left out: what the words mean.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace warpwright::ptx {

struct Token {
  enum class Kind : std::uint8_t {
    end,
    word,         // an identifier with what dots and "::" join to it: "ld.global.f32", "%tid.x", "$L__BB0_2"
    directive,    // ".reg", one component at a time
    number,       // any literal, unconverted: "0x1F", "0f3F800000", "1.5e-3"
    string,       // without its quotes
    punctuation,  // one character, or one of << >> <= >= == != && ||
  };
  Kind kind = Kind::end;
  std::string_view text;
  std::uint32_t line = 1;
};

/// Splits PTX text into tokens. Every failure is a ParseError with the line and what was expected there.
class Lexer {
 public:
  explicit Lexer(std::string_view text);

  const Token& peek() const { return token_; }
  std::uint32_t line() const { return token_.line; }
  Token take();

  bool at(Token::Kind kind) const { return token_.kind == kind; }
  /// True when the next token is written so and is no string.
  bool at(std::string_view text) const { return token_.text == text && token_.kind != Token::Kind::string; }
  /// Takes the next token if it is written so.
  bool accept(std::string_view text);
  /// True when nothing but blanks separates the next token from `character`.
  bool followed_by(char character) const;

  /// Takes the next token, which must be written so; `place` completes "expected ';' ...".
  void expect(std::string_view text, std::string_view place);
  /// Takes the next token, which must be of this kind; `what` completes "expected ...".
  std::string_view expect(Token::Kind kind, std::string_view what);

  /// Throws "expected WHAT, found TOKEN" at the next token.
  [[noreturn]] void fail_expecting(std::string_view what) const;

 private:
  void advance();
  void skip_blanks_and_comments();
  std::size_t end_of_word(std::size_t from) const;
  std::size_t end_of_number(std::size_t from) const;
  std::string_view slice(std::size_t from, std::size_t to) const { return text_.substr(from, to - from); }
  char character(std::size_t index) const { return index < text_.size() ? text_[index] : '\0'; }

  std::string_view text_;
  std::size_t position_ = 0;
  std::uint32_t line_ = 1;
  Token token_;
};

}  // namespace warpwright::ptx
