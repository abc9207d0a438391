// Problem: run a grid of blocks so that results are a GPU's and counts do not depend on the host.
// Idea: host threads take blocks in index order; each block is run by one host thread, which starts others while it
// waits for them; observers are forked per host thread and joined afterwards.
// Invariant: a launch ends: finished, faulted, deadlocked or over its step budget. It never hangs and never touches
// memory that the program does not own.
// Left out: the runtime API around it (cudart/).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "machine/lanes.h"
#include "machine/memory.h"
#include "machine/program.h"

namespace warpwright::observe {
class Observer;
}

namespace warpwright::machine {

/// A kernel launch: what the program is given.
struct Launch {
  const Program* program = nullptr;
  DeviceMemory* memory = nullptr;
  Dim3 grid;
  Dim3 block;
  std::uint64_t number = 1;  // of the program's launches: %gridid
  std::uint32_t dynamic_shared_bytes = 0;
  std::vector<std::byte> parameters;  // the parameter buffer, Program::parameter_bytes long
  /// Blocks that the GPU holds at a time: those behind them start when one of them has ended.
  std::uint64_t resident_blocks = 4096;
  /// Of the GPU: %nsmid. Blocks are dealt out to them in turn: %smid, which a program may read and not rely on.
  std::uint32_t multiprocessors = 132;
  /// All blocks start at once. `grid_workspace`, which such a launch has, is what cooperative groups' grid.sync()
  /// counts arrivals in: two words, the second of which starts as 0.
  bool cooperative = false;
  Address grid_workspace = 0;
  /// While the launch runs, somebody else may write memory that the host, too, can reach.
  bool host_runs_on = false;
  std::string* printed = nullptr;  // what the kernel's printf() adds to, if it is to be kept

  std::uint32_t threads_per_block() const { return static_cast<std::uint32_t>(block.count()); }
  std::uint32_t warps_per_block() const { return (threads_per_block() + warp_size - 1) / warp_size; }
  /// Bytes of the block's shared window: red zones, static arrays and the dynamic array.
  std::uint32_t shared_window_bytes() const { return program->shared_window_bytes + dynamic_shared_bytes; }
};

struct Options {
  unsigned host_threads = 1;
  /// Instructions that one warp may execute before it counts as endless.
  std::uint64_t step_budget = std::uint64_t{1} << 28;
  /// The seed of an order in which blocks, warps and parted lanes run (schedule.h); nothing: the machine's own, which
  /// is the quickest. With a seed there is one host thread.
  std::optional<std::uint64_t> schedule = {};
};

enum class LaunchStatus : std::uint8_t { finished, faulted, deadlocked, over_budget };

/// Runs the grid to its end. Every observer hears the events it wants and has been joined when this returns.
/// A fault in one block stops the launch: blocks not yet started do not start.
LaunchStatus run(const Launch& launch, const Options& options,
                 std::span<const std::unique_ptr<observe::Observer>> observers);

}  // namespace warpwright::machine
