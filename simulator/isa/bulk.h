// Problem: one thread has the copy engine bring a whole tile, and an mbarrier is told when it has come.
// Idea: a copy into shared memory waits in the block until somebody asks its mbarrier, one out of shared memory in the
// thread's bulk groups until somebody waits for them (machine/async_copies.h): as late as a GPU may.
// Invariant: sizes and addresses are multiples of 16, and both sides lie within one object.
// Left out: tensors, multicast, reductions in bulk, other blocks' shared memory.
#pragma once

#include "machine/program.h"

namespace warpwright::isa {

/// cp.async.bulk: source[0] the destination's address, source[1] the source's, source[2] the size and, into shared
/// memory, source[3] the mbarrier's address.
void bulk_to_shared(machine::Warp& warp, const machine::Instruction& instruction);
void bulk_to_global(machine::Warp& warp, const machine::Instruction& instruction);
void bulk_commit_group(machine::Warp& warp, const machine::Instruction& instruction);
/// option: how many groups may stay under way.
void bulk_wait_group(machine::Warp& warp, const machine::Instruction& instruction);

}  // namespace warpwright::isa
