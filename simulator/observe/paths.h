// Problem: of two accesses that race, either may come first in a run; which one the program means to come first?
// Idea: look at the program instead of the run. If a thread can get from one to the other without meeting a barrier,
// but not back, the first is meant to come first.
#pragma once

#include <cstdint>

#include "machine/program.h"

namespace warpwright::observe {

/// Whether a thread that has executed `from` can come to `to` without a block barrier, and without a warp barrier
/// unless `past_warp_barriers`.
bool leads_to(const machine::Program& program, std::uint32_t from, std::uint32_t to, bool past_warp_barriers);

}  // namespace warpwright::observe
