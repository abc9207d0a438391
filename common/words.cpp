#include "words.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <fstream>

namespace warpwright {

std::string thousands(std::uint64_t value) {
  std::string digits = std::to_string(value);
  for (std::size_t i = digits.size(); i > 3;) {
    i -= 3;
    digits.insert(i, 1, ',');
  }
  return digits;
}

std::string so_many(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", thousands(count), noun, count == 1 ? "" : "s");
}

std::string count_text(double value) {
  if (value >= 0 && value == std::floor(value)) return thousands(static_cast<std::uint64_t>(value));
  return fmt::format("{:.2f}", value);
}

std::string words_of(std::string_view claim) {
  const auto is_upper = [&](std::size_t i) { return i < claim.size() && std::isupper(claim[i]) != 0; };
  const auto is_lower = [&](std::size_t i) { return i < claim.size() && std::islower(claim[i]) != 0; };
  const auto is_digit = [&](std::size_t i) { return i < claim.size() && std::isdigit(claim[i]) != 0; };
  const auto is_word_start = [&](std::size_t i) {
    return is_upper(i) ? !is_upper(i - 1) || is_lower(i + 1) : is_digit(i) && is_lower(i - 1);
  };
  std::string text;
  for (std::size_t begin = 0; begin < claim.size();) {
    std::size_t end = begin + 1;
    // NaN is the one name in use that changes case inside.
    if (claim.substr(begin, 3) == "NaN") {
      end = begin + 3;
    } else {
      while (end < claim.size() && !is_word_start(end) && claim[end] != '_') ++end;
    }
    std::string word(claim.substr(begin, end - begin));
    const bool abbreviation = word.size() > 1 && std::islower(word[1]) == 0;
    if (!abbreviation && word != "NaN") word[0] = static_cast<char>(std::tolower(word[0]));
    text += (text.empty() ? "" : " ") + word;
    begin = end + (end < claim.size() && claim[end] == '_' ? 1 : 0);
  }
  return text;
}

std::string wrap(std::string_view text, std::size_t indent, std::size_t width) {
  const std::string margin(indent, ' ');
  std::string result;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t newline = std::min(text.find('\n', begin), text.size());
    std::string_view rest = text.substr(begin, newline - begin);
    begin = newline + 1;
    while (true) {
      std::size_t cut = rest.size();
      if (rest.size() + indent > width) {
        cut = rest.rfind(' ', width - indent);
        if (cut == std::string_view::npos || cut == 0) cut = std::min(rest.find(' '), rest.size());
      }
      if (!result.empty()) result += '\n';
      result += margin;
      result += rest.substr(0, cut);
      if (cut == rest.size()) break;
      rest.remove_prefix(cut + 1);
    }
  }
  return result;
}

std::string in_repository(std::string_view path) {
  return (std::filesystem::path(WARPWRIGHT_REPOSITORY) / path).string();
}

std::string shown_path(std::string_view path) {
  constexpr std::string_view repository = WARPWRIGHT_REPOSITORY "/";
  if (path.substr(0, repository.size()) == repository) path.remove_prefix(repository.size());
  return std::string(path);
}

std::string source_line(std::string_view path, std::uint32_t line) {
  std::ifstream file(in_repository(path));
  std::string text;
  for (std::uint32_t i = 0; i < line; ++i) {
    if (!std::getline(file, text)) return {};
  }
  const std::size_t first = text.find_first_not_of(" \t");
  if (line == 0 || first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") + 1 - first);
}

}  // namespace warpwright
