// Problem: the same commands are read on a wide terminal, on a narrow one, in a pipe and in the log of a CI run.
// Idea: one object knows what the output is; whoever prints asks it for colour and width.
// Invariant: without a terminal, with NO_COLOR set or TERM=dumb, no escape sequence is printed.
// Left out: keys (keys.h) and what moves (activity.h).
#pragma once

#include <string>
#include <string_view>

namespace warpwright::lab {

class Terminal {
 public:
  /// What standard output is, or standard error.
  explicit Terminal(int descriptor = 1);
  /// A given one, for tests.
  Terminal(bool interactive, bool colour, int width) : interactive_(interactive), colour_(colour), width_(width) {}

  /// Somebody sits there: both standard input and this are a terminal.
  bool interactive() const { return interactive_; }
  /// Columns; 160 when there is no terminal to measure. Asked anew each time, since windows are resized.
  int width() const;

  std::string bold(std::string_view text) const { return paint("1", text); }
  std::string dim(std::string_view text) const { return paint("2", text); }
  std::string red(std::string_view text) const { return paint("31", text); }
  std::string green(std::string_view text) const { return paint("32", text); }
  std::string yellow(std::string_view text) const { return paint("33", text); }

 private:
  std::string paint(std::string_view code, std::string_view text) const;
  bool interactive_ = false;
  bool colour_ = false;
  int width_ = 0;  // 0: measure
  int descriptor_ = 1;
};

/// Columns that a UTF-8 text takes; every code point counts as one.
int columns(std::string_view text);
/// At most `width` columns of a text, ending in "..." where something was cut.
std::string cut(std::string_view text, int width);
/// The text filled with spaces to `width` columns.
std::string pad(std::string_view text, int width);
/// Markdown's paragraphs and list items broken into lines of at most `width` columns, each after `indent` spaces.
/// Headings, tables, quotations and code (indented or fenced) keep their breaks.
std::string wrap(std::string_view text, int width, int indent = 0);
/// The local time now, in strftime's format.
std::string local_time(const char* format);
/// 1234567 as "1,234,567".
std::string thousands(unsigned long long value);

}  // namespace warpwright::lab
