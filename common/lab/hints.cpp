#include "hints.h"

#include "problem.h"

namespace warpwright::lab {
namespace {

/// Without blank lines at the start, so that code may come first, and without space at the end.
std::string without_blank_ends(std::string_view text) {
  const std::size_t last = text.find_last_not_of(" \t\r\n");
  if (last == std::string_view::npos) return {};
  text = text.substr(0, last + 1);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return std::string(text.substr(text.rfind('\n', first) + 1));
}

}  // namespace

Hints Hints::parse(std::string_view markdown) {
  std::vector<Tier> sections;
  bool fenced = false;
  for (std::size_t at = 0; at < markdown.size();) {
    std::size_t end = markdown.find('\n', at);
    if (end == std::string_view::npos) end = markdown.size();
    const std::string_view line = markdown.substr(at, end - at);
    if (line.substr(0, 3) == "```") fenced = !fenced;
    if (!fenced && line.substr(0, 3) == "## ") {
      sections.push_back({without_blank_ends(line.substr(3)), {}});
    } else if (!sections.empty()) {
      sections.back().text.append(line).append("\n");
    }
    at = end + 1;
  }
  Hints hints;
  for (Tier& section : sections) {
    section.text = without_blank_ends(section.text);
    if (section.title == "Afterwards") {
      hints.afterwards = section.text;
    } else {
      hints.tiers.push_back(section);
    }
  }
  if (hints.tiers.empty()) throw Problem("it holds no hint: a hint begins with a heading of the second level");
  return hints;
}

}  // namespace warpwright::lab
