#include "progress.h"

#include <fmt/core.h>

#include <algorithm>

namespace warpwright::lab {

std::string progress_line(const Chapter& chapter, const std::vector<bool>& solved, int name_width) {
  std::string marks;
  for (const bool one : solved) marks += one ? '#' : '.';
  return fmt::format("{} [{}] {} of {}", pad(chapter.name, name_width), marks,
                     std::count(solved.begin(), solved.end(), true), solved.size());
}

}  // namespace warpwright::lab
