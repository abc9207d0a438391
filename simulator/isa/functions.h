// Problem: a kernel calls functions that nvcc did not inline, by name, through pointers, or in a circle.
// Idea: gather every function that the kernel may come to and decode them all into one program; then look at who calls
// whom, to know which may run twice in one thread and how much local memory a thread's frames take.
// Invariant: a call through a pointer may reach every function whose address the module's variables or the gathered
// functions hold; nothing else is callable.
// Left out: functions of other modules; `nvcc -rdc`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "isa/decode.h"
#include "machine/program.h"
#include "ptx/module.h"

namespace warpwright::isa {

/// Bytes of local memory for frames and alloca() where their number is not known before the kernel runs.
inline constexpr std::uint32_t open_stack = 16 * 1024;

/// `entry` and, behind it, all functions with a body that it may call.
std::vector<const ptx::Function*> gather(const ptx::Module& module, const ptx::Function& entry);

/// What a pointer to the module's function `index` holds: an address that no memory has.
std::uint64_t function_address(std::uint64_t module_number, std::size_t index);

/// Adds the addresses of the module's functions to `symbols`.
void add_functions(const ptx::Module& module, std::uint64_t module_number, Symbols& symbols);

/// Fills `is_recursive` and adds what calls need to `local_bytes`. `has_alloca`: some function asks for memory as it
/// runs.
void analyse_calls(machine::Program& program, bool has_alloca);

}  // namespace warpwright::isa
