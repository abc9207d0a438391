// Problem: a function may call itself, or be called from several places by lanes of one warp, and each lane must find
// its way and its registers back.
// Idea: lanes that run together have made the same calls, so a group of lanes holds the chain of its calls. A
// function's registers lie at one place; those of one that may be running already are kept with the call and put back
// afterwards.
// Invariant: a lane's part of `saved` belongs to that lane alone: groups that part share a call, groups that meet join
// theirs.
// Left out: registers that ptxas would spill; a frame in local memory holds the function's own arrays only.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "machine/lanes.h"
#include "machine/program.h"

namespace warpwright::machine {

struct Call {
  std::shared_ptr<Call> caller;  // null in a function that the kernel itself has called
  std::uint32_t site = 0;        // pc of the call
  std::uint32_t function = 0;    // that is called: index into Program::functions
  std::uint32_t depth = 1;
  std::uint32_t frame = 0;       // bytes from the start of the thread's local memory
  std::vector<std::byte> saved;  // the function's registers as they were, all lanes; empty when it was not running
  std::array<std::uint64_t, warp_size> alloca_top{};  // as it was
};

/// Whether two groups have made the same calls.
bool same_calls(const Call* a, const Call* b);

/// Which of two groups is behind, where calls count as if they were part of the kernel: below 0 when that is `a`.
int compare_progress(const Program& program, const Call* a, std::uint32_t a_pc, const Call* b, std::uint32_t b_pc);

/// Gives `to`, and those that it was called from, the lanes of `from`, which has made the same calls.
void join_calls(const Program& program, Call* to, const Call* from, Lanes lanes);

/// Copies some lanes of a function's registers between two images of them.
void copy_registers(const Function& function, std::byte* to, const std::byte* from, Lanes lanes);

}  // namespace warpwright::machine
