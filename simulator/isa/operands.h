// Problem: which registers an instruction reads and writes shows in its text, and every opcode would have to be taught
// again.
// Idea: PTX is regular: the first operand is the result, unless the instruction has none; the rest is read.
// Invariant: an instruction that is not known to be something else is one that computes.
// Left out: what a call passes.
#pragma once

#include "isa/layout.h"
#include "machine/program.h"
#include "ptx/module.h"

namespace warpwright::isa {

/// Appends the operands of one more instruction to Program::operands.
void append_operands(const ptx::Instruction& instruction, const Layout& layout, machine::Program& program);

/// Fills Program::unwritten: the registers that some path from the kernel's beginning reads before anything has written
/// them.
void find_unwritten(machine::Program& program);

}  // namespace warpwright::isa
