// Problem: sums of more than 64 bits are chains of instructions that hand on a carry which no operand names.
// Idea: the condition code is a predicate register that no PTX can spell; Instruction::source[3] and destination2 say
// which, where an instruction reads or writes it.
// Invariant: an instruction without .cc leaves the condition code as it is.
#pragma once

#include <string_view>

#include "machine/program.h"

namespace warpwright::isa {

struct Carrying {
  machine::Execute execute = nullptr;
  bool reads = false;   // the condition code
  bool writes = false;  // the condition code
};

/// What to do for addc, subc and madc, and for add, sub and mad with .cc; `execute` is null for all else.
Carrying carrying(std::string_view opcode);

}  // namespace warpwright::isa
