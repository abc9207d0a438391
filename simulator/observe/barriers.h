// Problem: waiting for others has a price; how often does a kernel wait, and how often does it talk without waiting?
// Idea: count block barriers, the warps that arrive at them, warp barriers and shuffles.
// Left out: how long anybody waits.
#pragma once

#include <memory>

#include "observe/observer.h"

namespace warpwright::observe {

/// Counts metric::block_barriers, block_barrier_arrivals, warp_barriers and shuffles.
std::unique_ptr<Observer> make_barriers();

}  // namespace warpwright::observe
