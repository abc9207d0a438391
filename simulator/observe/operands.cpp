#include "observe/operands.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace warpwright::observe {
namespace {

/// Takes the guard off the front of the text; empty when there is none.
std::string_view take_guard(std::string_view& text) {
  if (!text.starts_with('@')) return {};
  const std::size_t end = std::min(text.find(' '), text.size());
  std::string_view guard = text.substr(1, end - 1);
  if (guard.starts_with('!')) guard.remove_prefix(1);
  text.remove_prefix(std::min(end + 1, text.size()));
  return guard;
}

bool writes_nothing(std::string_view opcode) {
  constexpr std::array<std::string_view, 9> all = {"st",  "red",  "bra",    "bar",  "barrier",
                                                   "ret", "exit", "membar", "fence"};
  return std::ranges::find(all, opcode) != all.end();
}

bool is_part_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$'; }

}  // namespace

std::string_view opcode_of(std::string_view text) {
  take_guard(text);
  return text.substr(0, text.find_first_of(" .;"));
}

Operands operands_of(std::string_view text) {
  Operands operands;
  if (const std::string_view guard = take_guard(text); !guard.empty()) operands.read.emplace_back(guard);
  bool written = !writes_nothing(opcode_of(text));
  text.remove_prefix(std::min(text.find(' '), text.size()));
  int braces = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '{') ++braces;
    if (text[i] == '}') --braces;
    if (text[i] == ',' && braces == 0) written = false;
    if (std::isdigit(static_cast<unsigned char>(text[i])) != 0) {  // a number, to its end
      while (i + 1 < text.size() && is_part_of_name(text[i + 1])) ++i;
      continue;
    }
    if (text[i] != '%' && !is_part_of_name(text[i])) continue;
    const std::size_t begin = i;
    while (i + 1 < text.size() && is_part_of_name(text[i + 1])) ++i;
    (written ? operands.written : operands.read).emplace_back(text.substr(begin, i + 1 - begin));
  }
  return operands;
}

}  // namespace warpwright::observe
