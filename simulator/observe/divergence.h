// Problem: when some lanes of a warp take a branch and the others do not, the warp walks both paths.
// Idea: count conditional branches, which the launch's profile knows, and those where lanes part, and the warps that
// this happens to.
// Left out: the hardware's view. ptxas turns short branches into guarded instructions, where no lane parts from
// another; there the idle lanes show in metric::thread_instructions_on instead.
#pragma once

#include <memory>

#include "observe/observer.h"

namespace warpwright::observe {

/// Counts metric::branches, divergent_branches, divergent_warps, launched_warps and launched_blocks.
std::unique_ptr<Observer> make_divergence();

}  // namespace warpwright::observe
