// Problem: __syncthreads() counts threads, not places. When one part of a block comes to one barrier and the rest to
// another, the hardware may let both go on as if they had met, each in the wrong place.
// Idea: remember from which instructions the threads of one phase of a barrier came; more than one is a mistake.
// Left out: barriers that say for how many threads, or that not all wait at (bar.arrive): there, different instructions
// are the point. Waits that never end are told as a deadlock (progress_check.h).
#pragma once

#include <memory>

#include "observe/observer.h"

namespace warpwright::observe {

/// Diagnoses of kind "barrier divergence": one for each pair of lines.
std::unique_ptr<Observer> make_barrier_divergence();

}  // namespace warpwright::observe
