#include "terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>

namespace warpwright::lab {
namespace {

bool dumb() {
  const char* term = std::getenv("TERM");
  return term == nullptr || std::string_view(term).empty() || std::string_view(term) == "dumb";
}

bool colour_unwanted() {
  const char* wish = std::getenv("NO_COLOR");
  return wish != nullptr && *wish != '\0';
}

bool begins_code_point(char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }

/// Columns that a list item's marker takes: 2 for "- ", 3 for "1. "; 0 for any other line.
std::size_t marker(std::string_view line) {
  if (line.substr(0, 2) == "- " || line.substr(0, 2) == "* ") return 2;
  const std::size_t digits = std::min(line.find_first_not_of("0123456789"), line.size());
  return digits > 0 && line.substr(digits, 2) == ". " ? digits + 2 : 0;
}

/// A line that no paragraph takes up: a heading, a row of a table, a quotation, code.
bool stands_alone(std::string_view line) {
  return line.empty() || line[0] == '#' || line[0] == '|' || line[0] == '>' || line.substr(0, 4) == "    ";
}

/// Words broken into lines; those after the first are indented by `hang` more.
std::string lines_of(std::string_view words, int width, int indent, std::size_t hang) {
  std::string result, line;
  std::size_t first_word = 0;  // where the line's words begin
  const auto start_line = [&](std::size_t more) {
    line.assign(static_cast<std::size_t>(indent) + more, ' ');
    first_word = line.size();
  };
  start_line(0);
  for (std::size_t at = 0; at < words.size();) {
    const std::size_t end = std::min(words.find(' ', at), words.size());
    const std::string_view word = words.substr(at, end - at);
    at = end + 1;
    if (word.empty()) continue;
    if (line.size() > first_word && columns(line) + 1 + columns(word) > width) {
      result += line + "\n";
      start_line(hang);
    }
    if (line.size() > first_word) line += ' ';
    line += word;
  }
  return line.size() > first_word ? result + line + "\n" : result;
}

}  // namespace

Terminal::Terminal(int descriptor)
    : interactive_(isatty(descriptor) && isatty(STDIN_FILENO) && !dumb()),
      colour_(isatty(descriptor) && !dumb() && !colour_unwanted()),
      descriptor_(descriptor) {}

int Terminal::width() const {
  if (width_ > 0) return width_;
  winsize size = {};
  if (ioctl(descriptor_, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 160;
}

std::string Terminal::paint(std::string_view code, std::string_view text) const {
  if (!colour_ || text.empty()) return std::string(text);
  return std::string("\033[").append(code).append("m").append(text).append("\033[0m");
}

int columns(std::string_view text) {
  int count = 0;
  for (char c : text) count += begins_code_point(c) ? 1 : 0;
  return count;
}

std::string cut(std::string_view text, int width) {
  if (columns(text) <= width) return std::string(text);
  const int keep = width > 3 ? width - 3 : 0;
  std::size_t end = 0;
  for (int seen = 0; end < text.size(); ++end) {
    if (begins_code_point(text[end]) && seen++ == keep) break;
  }
  return std::string(text.substr(0, end)) + std::string("...").substr(0, static_cast<std::size_t>(width - keep));
}

std::string pad(std::string_view text, int width) {
  std::string result(text);
  const int missing = width - columns(text);
  if (missing > 0) result.append(static_cast<std::size_t>(missing), ' ');
  return result;
}

std::string wrap(std::string_view text, int width, int indent) {
  std::string result, paragraph;
  std::size_t hang = 0;
  const auto end_paragraph = [&] {
    result += lines_of(paragraph, width, indent, hang);
    paragraph.clear();
    hang = 0;
  };
  bool fenced = false;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    at = end + 1;
    const bool fence = line.substr(0, 3) == "```";
    const bool in_item = hang > 0 && line.substr(0, 2) == "  ";
    if (fenced || fence || (stands_alone(line) && !in_item)) {
      end_paragraph();
      result += line.empty() ? "\n" : std::string(static_cast<std::size_t>(indent), ' ').append(line).append("\n");
    } else {
      if (marker(line) > 0) end_paragraph();
      if (marker(line) > 0) hang = marker(line);
      paragraph.append(paragraph.empty() ? "" : " ").append(line);
    }
    if (fence) fenced = !fenced;
  }
  end_paragraph();
  return result;
}

std::string local_time(const char* format) {
  const std::time_t now = std::time(nullptr);
  std::tm parts = {};
  localtime_r(&now, &parts);
  char text[64];
  return std::string(text, std::strftime(text, sizeof text, format, &parts));
}

std::string thousands(unsigned long long value) {
  std::string digits = std::to_string(value);
  for (int at = static_cast<int>(digits.size()) - 3; at > 0; at -= 3) digits.insert(static_cast<std::size_t>(at), ",");
  return digits;
}

}  // namespace warpwright::lab
