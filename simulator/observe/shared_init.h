// Problem: shared memory holds what an earlier block left there; a read of an element that this block never wrote is
// right only by luck.
// Idea: every element remembers the last block that wrote it. A read that came too early is told when the block has
// ended, or when the element is written after it for sure; one that another thread might have preceded is a race
// (shared_race.h).
// Invariant: what is told does not depend on the order in which warps and lanes run, unless there is a race.
// Left out: elements that are written by a value that was itself undefined.
#pragma once

#include <memory>

#include "observe/observer.h"

namespace warpwright::observe {

/// Diagnoses of kind "uninitialised": one for each line that reads or updates an element of shared memory which its
/// block has not written.
std::unique_ptr<Observer> make_shared_init();

}  // namespace warpwright::observe
