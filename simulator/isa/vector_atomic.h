// atom and red of a vector: PTX ISA, "atom". Each element is an atomic of its own; together they are one access.
#pragma once

#include <string_view>

#include "machine/program.h"

namespace warpwright::isa {

/// The operation and the type of an element as PTX spells them ("add", "f32"); null when PTX has no such one.
machine::Combine combination(std::string_view operation, std::string_view type);

/// Program::vectors holds, from `vector` on, the registers of what is combined and then those of the old values;
/// `option` is the number of the operation in Program::combinations.
void vector_atomic(machine::Warp& warp, const machine::Instruction& instruction);

}  // namespace warpwright::isa
