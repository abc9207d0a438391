#include "nearest.h"

#include <algorithm>
#include <cctype>

namespace warpwright::lab {
namespace {

std::string lower(std::string_view word) {
  std::string result(word);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

}  // namespace

int slips_between(std::string_view a, std::string_view b) {
  // Three rows of the edit-distance table: a swap of neighbours looks back two.
  std::vector<int> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) above[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, above);
    std::swap(above, row);
  }
  return above[b.size()];
}

std::string nearest(std::string_view word, const std::vector<std::string>& candidates) {
  const std::string wanted = lower(word);
  std::string best;
  int fewest = 0;
  // What somebody began to type and left at that is no slip.
  const auto goes_on = [&](const std::string& candidate) {
    return wanted.size() > 2 && lower(candidate).substr(0, wanted.size()) == wanted;
  };
  if (const auto whole = std::find_if(candidates.begin(), candidates.end(), goes_on); whole != candidates.end())
    return *whole;
  for (const std::string& candidate : candidates) {
    const int slips = slips_between(wanted, lower(candidate));
    const int most = std::max<int>(2, static_cast<int>(std::max(word.size(), candidate.size())) / 3);
    // A word of two letters is two slips from any other: something must be left of what was typed.
    if (slips > most || slips >= static_cast<int>(std::max(word.size(), candidate.size()))) continue;
    if (best.empty() || slips < fewest) {
      best = candidate;
      fewest = slips;
    }
  }
  return best;
}

}  // namespace warpwright::lab
