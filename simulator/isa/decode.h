// Problem: a module is names; a warp wants register offsets and function pointers.
// Idea: one pass over a kernel's body. Opcodes of the table become their row; memory, branches, barriers and
// collectives have rules of their own. Nothing is looked up again while the kernel runs.
// Invariant: the kernel's instructions come first, in the order of its body, and then those of the functions that it
// may call; a return follows each one's last.
#pragma once

#include <map>
#include <string>

#include "machine/memory.h"
#include "machine/program.h"
#include "ptx/module.h"

namespace warpwright::isa {

/// Where the module's .global and .const variables lie, and what pointers to its functions hold, by mangled name.
struct Symbols {
  std::map<std::string, machine::Address> addresses;
};

/// Decodes the kernel with this mangled name. Throws machine::UnsupportedInstruction naming the instruction, its PTX
/// line and its source line, and std::invalid_argument when the module has no such kernel.
machine::Program decode(const ptx::Module& module, const std::string& entry_name, const Symbols& symbols);

}  // namespace warpwright::isa
