// Problem: a value that nobody has set is often zero on the machine where a program is tried, and something else later.
// Idea: global, local and shared memory remember which of their bytes were written (machine/contents.h, shared_init.h),
// and registers hold taints (taint.h). Moves, loads and stores pass undefined bytes on, as a structure's padding needs
// it. What is computed from them is undefined too, and is told once something depends on it: a store to global memory,
// a branch, an address, an atomic. The instruction is followed by its operands alone (machine/operands.h).
// Invariant: nothing is told of a value that nothing depends on: compilers compute ahead, and throw away.
// Left out: undefined bytes that pass through parameters of calls, from one lane to another through a vote, and those
// of which a mask keeps only a part.
#pragma once

#include <memory>

#include "observe/observer.h"

namespace warpwright::observe {

/// Diagnoses of kind "uninitialised". The line is the load's, or where there is none the one that uses the value; the
/// other line is the one that uses it.
std::unique_ptr<Observer> make_definedness();

}  // namespace warpwright::observe
