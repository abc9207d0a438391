// Instructions in which lanes of a warp work together: PTX ISA, "Parallel Synchronization and Communication
// Instructions". The warp has gathered the lanes before any of these runs (machine/warp.h).
//
// Register convention: source[3] is the member mask.
#pragma once

#include <string_view>

#include "machine/program.h"

namespace warpwright::isa {

/// shfl.sync: mode is "up", "down", "bfly" or "idx". source: value, b, c, mask; destination2: predicate, if any.
machine::Execute shuffle(std::string_view mode);

/// vote.sync: mode is "all", "any", "uni" or "ballot". source[0]: predicate; option 1: the predicate is negated.
machine::Execute vote(std::string_view mode);

/// redux.sync: operation "add", "min", "max", "and", "or", "xor"; type "u32", "s32" or "b32". Null when there is no
/// such form.
machine::Execute redux(std::string_view operation, std::string_view type);

/// match.sync: mode is "any" or "all", type "b32" or "b64". source[0]: value; destination2: predicate of "all", if any.
/// Null when there is no such form.
machine::Execute match(std::string_view mode, std::string_view type);

/// bar.red: operation "popc", "and" or "or"; type "u32" or "pred". What it does once the block's threads have met. Null
/// when there is no such form.
machine::Execute barrier_reduction(std::string_view operation, std::string_view type);

/// elect.sync: the lowest lane of the mask leads. destination: its number, if wanted; destination2: whether it is this
/// lane.
void elect(machine::Warp& warp, const machine::Instruction& instruction);

/// activemask.b32
void activemask(machine::Warp& warp, const machine::Instruction& instruction);

}  // namespace warpwright::isa
