// Problem: how much work does a kernel do, and how many of its lanes do it?
// Idea: the launch's profile knows it.
// Left out: what ptxas makes of the instructions.
#pragma once

#include <memory>

#include "observe/observer.h"

namespace warpwright::observe {

/// Counts metric::warp_instructions, thread_instructions, thread_instructions_on and instructions_of(opcode).
std::unique_ptr<Observer> make_instructions();

}  // namespace warpwright::observe
