// Problem: a program that needs a part of the GPU which is not simulated should hear of that part, not of a qualifier.
// Idea: an instruction that was refused is looked up here: what it belongs to is the better reason.
// Left out: whatever a feature's message should say beyond its name; the instruction and its lines stand beside it.
#pragma once

#include <string_view>

#include "ptx/module.h"

namespace warpwright::isa {

/// What is not simulated and has this instruction, "tensor cores are not simulated"; empty when it is of no such part.
std::string_view missing_feature(const ptx::Instruction& instruction);

}  // namespace warpwright::isa
