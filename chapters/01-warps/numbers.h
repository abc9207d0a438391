// Whole numbers as inputs and as results: no tolerance is needed, and one lost value shows.
#pragma once

#include <fmt/core.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "device_array.h"
#include "inputs.h"

namespace warps {

/// Random words, all 32 bits of them.
inline std::vector<std::uint32_t> words(std::size_t n, std::uint64_t seed) {
  warpwright::Random random(seed);
  std::vector<std::uint32_t> values(n);
  for (auto& value : values) value = static_cast<std::uint32_t>(random.next());
  return values;
}

/// Random whole numbers in [0, bound).
inline std::vector<std::uint32_t> numbers_below(std::uint32_t bound, std::size_t n, std::uint64_t seed) {
  warpwright::Random random(seed);
  std::vector<std::uint32_t> values(n);
  for (auto& value : values) value = static_cast<std::uint32_t>(random.below(bound));
  return values;
}

/// Random whole numbers in [-bound, bound].
inline std::vector<std::int32_t> signed_numbers(std::int32_t bound, std::size_t n, std::uint64_t seed) {
  warpwright::Random random(seed);
  std::vector<std::int32_t> values(n);
  const auto choices = 2 * static_cast<std::uint64_t>(bound) + 1;
  for (auto& value : values) value = static_cast<std::int32_t>(random.below(choices)) - bound;
  return values;
}

/// The first place where whole numbers differ, and how many do, in words; or nothing.
template <class T>
std::optional<std::string> difference(const std::string& what, const std::vector<T>& got,
                                      const std::vector<T>& expected) {
  std::size_t wrong = 0, first = 0;
  for (std::size_t i = got.size(); i-- > 0;) {
    if (got[i] == expected[i]) continue;
    ++wrong;
    first = i;
  }
  if (wrong == 0) return std::nullopt;
  std::string text = fmt::format("{}[{}] {}", what, first,
                                 warpwright::is_poison(got[first])
                                     ? "was never written: it still holds the poison that the test put there"
                                     : fmt::format("is {}", got[first]));
  text += fmt::format("\nexpected {}", expected[first]);
  if (wrong > 1) text += fmt::format("\n{} of {} values are wrong", wrong, got.size());
  return text;
}

}  // namespace warps
