#include "expect.h"

#include <fmt/core.h>

#include <bit>
#include <cmath>

#include "words.h"

namespace warpwright {
namespace {

std::string describe(const std::string& what, float got, double expected, const Tolerance& tolerance) {
  if (is_poison(got)) {
    return fmt::format("{} was never written: it still holds the poison that the test put there\nexpected {:.9g}", what,
                       expected);
  }
  std::string text = fmt::format("{} is {:.9g}\nexpected {:.9g}", what, got, expected);
  if (std::isfinite(expected) && std::isfinite(got)) {
    text += fmt::format(", off by {:.3g}; allowed {:.3g}: {}", std::abs(got - expected), tolerance.absolute,
                        tolerance.reason);
  } else if (tolerance.absolute == 0 && !tolerance.reason.empty()) {
    text += ", because " + tolerance.reason;
  }
  return text;
}

bool matches(float got, double expected, const Tolerance& tolerance) {
  if (is_poison(got)) return false;
  if (std::isnan(expected)) return std::isnan(got);
  if (std::isinf(expected)) return got == expected;
  return std::abs(got - expected) <= tolerance.absolute;  // false for a NaN
}

}  // namespace

Tolerance exact(std::string reason) { return {0, std::move(reason)}; }

Tolerance sum_tolerance(std::size_t n, const SumReference& reference) {
  const int levels = n < 2 ? 0 : std::bit_width(n - 1);
  const int depth = levels + 32;
  return {depth * 0x1p-24 * reference.sum_of_absolutes,
          fmt::format("{} roundings of 2^-24 each, of sum|x| = {:.4g} ({} for a tree of {} values, 32 to spare)", depth,
                      reference.sum_of_absolutes, levels, thousands(n))};
}

std::optional<std::string> mismatch(const std::string& what, float got, double expected, const Tolerance& tolerance) {
  if (matches(got, expected, tolerance)) return std::nullopt;
  return describe(what, got, expected, tolerance);
}

std::optional<std::string> mismatch(const std::string& what, std::span<const float> got,
                                    std::span<const double> expected, const Tolerance& tolerance) {
  if (got.size() != expected.size()) {
    return fmt::format("{} has {} values\nexpected {}", what, thousands(got.size()), thousands(expected.size()));
  }
  std::optional<std::size_t> first;
  std::size_t wrong = 0, poisoned = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (matches(got[i], expected[i], tolerance)) continue;
    if (!first) first = i;
    ++wrong;
    if (is_poison(got[i])) ++poisoned;
  }
  if (!first) return std::nullopt;
  std::string text = describe(fmt::format("{}[{}]", what, *first), got[*first], expected[*first], tolerance);
  if (wrong > 1) {
    text += fmt::format("\n{} of {} values are wrong", thousands(wrong), thousands(got.size()));
    if (poisoned != 0) text += fmt::format(", {} of them never written", thousands(poisoned));
  }
  return text;
}

}  // namespace warpwright
