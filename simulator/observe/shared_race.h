// Problem: a missing barrier often goes unnoticed: warps happen to run in a good order, lanes happen to run in step.
// Idea: two accesses to one element race when they are made by different threads, at least one writes, not both are
// atomic, and nothing orders them (happens_before.h). Each element remembers its last writer and enough of its readers
// and of its atomics (accessors.h); every access is held against them.
// Invariant: a race is found in whatever order warps and lanes run, as long as both accesses are made. For each element
// the first race of a block is exact; what comes after it may hide behind it.
// Exact: block barriers, bar.warp.sync, named barriers of whole warps. A shuffle or vote orders no memory; neither does
// volatile.
// Left out: order through fences and flags or locks in shared memory (reported as races); a relaxed or acquiring load
// that an unordered plain store follows (not reported). Whether several writers write the same value is not asked.
#pragma once

#include <memory>

#include "observe/observer.h"

namespace warpwright::observe {

/// Diagnoses of kind "race": one for each pair of lines, in the order in which the program means them. The message
/// names the hazard, RAW (read after write), WAR or WAW. A race between warps is shown in preference to one inside a
/// warp; of races inside a warp, only the first over each element since the last barrier of the block counts, as one
/// missing __syncwarp() breeds many.
std::unique_ptr<Observer> make_shared_race();

}  // namespace warpwright::observe
