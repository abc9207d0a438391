// Problem: kernels read clocks, to measure or to wait, and the simulated GPU has no time.
// Idea: time is what a warp has executed: %clock, %clock64 and %globaltimer all read the number of the instruction
// among those that the warp has executed in its block. It rises with every instruction, and is the same in every run.
// %gridid, the only other special register of 64 bits, is read here too: the number of the launch.
// Left out: that warps share a clock; two warps' readings say nothing about which came first.
#pragma once

#include "ptx/module.h"

namespace warpwright::isa {

/// Whether the instruction, a mov, reads a clock or the number of the launch.
bool is_clock(const ptx::Instruction& from);

}  // namespace warpwright::isa
