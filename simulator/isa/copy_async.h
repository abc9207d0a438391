// cp.async: PTX ISA, "Asynchronous copy", the part that is not in bulk. The copies themselves are made when somebody
// waits (machine/async_copies.h).
#pragma once

#include "machine/program.h"

namespace warpwright::isa {

/// cp.async.{ca,cg}: source[0] the shared address, `offset` added to it; source[1] and `source_offset` the
/// global one; source[2] the bytes
/// that are read, if fewer than element_bytes, or the predicate that says that none are (ignore-src, option 1).
void copy_async(machine::Warp& warp, const machine::Instruction& instruction);
void commit_group(machine::Warp& warp, const machine::Instruction& instruction);
/// option: how many groups may stay under way.
void wait_group(machine::Warp& warp, const machine::Instruction& instruction);
void wait_all(machine::Warp& warp, const machine::Instruction& instruction);

}  // namespace warpwright::isa
