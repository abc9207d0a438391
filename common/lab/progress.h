#pragma once

#include <string>
#include <vector>

#include "context.h"

namespace warpwright::lab {

/// "reduce [#.#] 2 of 3": one mark an exercise, in order.
std::string progress_line(const Chapter& chapter, const std::vector<bool>& solved, int name_width);

}  // namespace warpwright::lab
