#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpwright::lab {

/// How many single-character slips (insert, drop, replace, swap neighbours) lie between two words.
int slips_between(std::string_view a, std::string_view b);

/// The candidate that `word` was most likely meant to be: the fewest slips, the first of equals. Empty when none is
/// near: more slips than a third of the longer word (at least two) is not a slip but another word.
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace warpwright::lab
