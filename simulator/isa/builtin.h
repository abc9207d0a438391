// Problem: device code calls a few functions that no module defines: printf, assert, malloc and free.
// Idea: each is an instruction whose operands are the call's parameters (machine/call.h).
// Invariant: what is printed appears in the order in which it was executed; a program that prints runs on one host
// thread.
// Left out: the limit of the buffer that a GPU prints into; nested launches.
#pragma once

#include <string_view>

#include "machine/program.h"

namespace warpwright::isa {

/// vprintf, __assertfail, malloc or free; null for any other name. option: the call's site.
machine::Execute builtin(std::string_view name);

}  // namespace warpwright::isa
