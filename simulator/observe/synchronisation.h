// Problem: exact knowledge of order is dear, and most kernels never need it: they have barriers of whole blocks and
// whole warps only.
// Idea: look at a program's barriers once, before it runs.
// Invariant: when something is said to be absent, no launch of the program can do it, except that lanes which have
// exited are missing at a warp's barrier.
#pragma once

#include "machine/program.h"

namespace warpwright::observe {

/// What a program may do, by its instructions.
struct Synchronisation {
  bool partial_block_barriers = false;  // a bar that says for how many threads
  bool partial_warp_barriers = false;   // a bar.warp.sync whose mask is not all ones, or not known
  bool atomics = false;                 // in shared memory, relaxed and releasing stores among them
  bool partial() const { return partial_block_barriers || partial_warp_barriers; }
};

Synchronisation synchronisation_of(const machine::Program& program);

}  // namespace warpwright::observe
