#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpwright::lab {

/// An exercise's hints file: Markdown with a heading of the second level for each of the three tiers, in order, and a
/// last one, "Afterwards", for what there is to learn from the answer.
struct Hints {
  struct Tier {
    std::string title;
    std::string text;
  };
  std::vector<Tier> tiers;
  std::string afterwards;

  /// Throws Problem when there is no tier.
  static Hints parse(std::string_view markdown);
};

}  // namespace warpwright::lab
