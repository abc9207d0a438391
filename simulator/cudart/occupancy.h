// Problem: programs size their grids by how many blocks a multiprocessor holds at a time.
// Idea: each resource of a multiprocessor holds so many blocks, rounded as the card hands it out; the scarcest decides.
// Invariant: a block that cannot be launched at all has an occupancy of 0.
// Left out: what registers a kernel takes on a real card. ptxas decides that, and the simulated GPU has none; see
// assumed_registers.
#pragma once

#include <cstddef>
#include <optional>

#include "cudart/device.h"
#include "machine/program.h"

namespace warpwright::cudart {

/// The largest number of registers a thread at which they never limit occupancy: 2048 threads of 32 registers fill a
/// multiprocessor's 65536.
inline constexpr int assumed_registers = 32;

/// What a block of a kernel takes.
struct BlockNeeds {
  int threads = 0;
  int registers_per_thread = assumed_registers;
  std::size_t shared_bytes = 0;  // static and dynamic
};

/// What a block of the program takes. One that its __launch_bounds__ exclude counts as one without threads.
BlockNeeds needs_of(const machine::Program& program, int threads, std::size_t dynamic_shared_bytes);

/// How many blocks a multiprocessor holds at a time.
int blocks_per_multiprocessor(const Device& device, const BlockNeeds& needs);

/// How much shared memory each of `blocks` can have beside the others; nothing when they do not fit without any.
std::optional<std::size_t> shared_bytes_for(const Device& device, BlockNeeds needs, int blocks);

}  // namespace warpwright::cudart
