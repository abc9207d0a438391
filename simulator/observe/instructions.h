// Problem: how much work does a kernel do, and how many of its lanes do it?
// Idea: a warp tells of runs of instructions; a run adds to the count where it starts and takes away where it ends, so
// a run costs the same whatever its length. The counts by instruction are the running sums.
// Left out: what ptxas makes of the instructions.
#pragma once

#include <memory>

#include "observe/observer.h"

namespace warpwright::observe {

/// Counts metric::warp_instructions, thread_instructions, thread_instructions_on and instructions_of(opcode).
std::unique_ptr<Observer> make_instructions();

}  // namespace warpwright::observe
