// What the versions from v3 on have won, each in turn. All speak of the first launch, as the contracts in sums.h.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <sstream>
#include <string>

#include "failure.h"
#include "observe/metrics.h"
#include "sums.h"

namespace reduce {

/// A thread adds at least two values before the tree begins, so a block's tile has at least two for each of its
/// threads.
inline void expect_half_the_blocks(const warpwright::observe::Report& launch, std::size_t n = contract_n) {
  const std::size_t values = std::size_t{2} * threads_of(launch);
  warpwright::expect_at_most(launch, warpwright::counters::blocks, static_cast<double>(groups_of(values, n)),
                             "a block of " + std::to_string(threads_of(launch)) +
                                 " threads that load two values each " + "sums " + std::to_string(values) + " values");
}

inline const warpwright::Counter load_waits = {"waits for global loads",
                                               {{std::string(warpwright::observe::metric::global_load_waits), ""}}};

/// A lane has asked for `least` values before it first waits for one.
inline void expect_values_in_flight(const warpwright::observe::Report& launch, unsigned least = 2) {
  const double bytes = launch.metrics.at(std::string(warpwright::observe::metric::global_load_bytes));
  warpwright::expect_at_most(launch, load_waits, bytes / (sizeof(float) * 32 * least),
                             "an addition waits for its operands, and a load behind it waits as well: load " +
                                 std::to_string(least) +
                                 " values first, so that they are on their way together, then add");
}

/// What v3 has won: half of the blocks, two values in flight, and nothing of v2 lost.
inline void expect_two_loads_a_thread(const warpwright::observe::Report& launch) {
  expect_half_the_blocks(launch);
  expect_values_in_flight(launch);
  expect_no_needless_traffic(launch);
}

/// Rounds that span several warps, and the load, need a barrier of the block; 64 values and fewer are one warp's.
inline int barriers_before_the_last_warp(unsigned threads) {
  return std::max(0, static_cast<int>(std::bit_width(threads)) - 6);
}

/// What v4 has won: no barrier of the block from 64 values on, and a tree with barriers of the warp instead.
inline void expect_last_warp(const warpwright::observe::Report& launch) {
  using namespace warpwright;
  const unsigned threads = threads_of(launch);
  const double blocks = blocks_of(launch);
  expect_at_most(
      launch, counters::block_barriers, blocks * barriers_before_the_last_warp(threads),
      "a barrier follows the load and each round that leaves more than 32 threads to add; the rounds from 64 "
      "values on are one warp's");
  expect_at_least(launch, counters::warp_barriers, 5 * blocks,
                  "the last warp has six rounds, and between two of them its lanes wait for one another: __syncwarp()");
  expect_at_most(launch, counters::warp_barriers, 12 * blocks,
                 "from 64 values on only the first warp adds, in six rounds with a barrier or two in each; the other "
                 "warps go around them");
  expect_tree(launch, packed_additions(threads), 0, barriers_before_the_last_warp(threads));
}

/// A barrier of the warp is reached by the lanes that its mask names, all of them and no others. Lanes that have exited
/// are not waited for, so that less may look right; CUDA promises nothing for it.
inline void expect_named_lanes_at_warp_barriers(const warpwright::observe::Report& launch) {
  namespace metric = warpwright::observe::metric;
  constexpr std::string_view opcode = "bar.warp.sync";
  for (const auto& [pc, instruction] : launch.instructions) {
    if (instruction.text.compare(0, opcode.size(), opcode) != 0) continue;
    std::istringstream operand(instruction.text.substr(opcode.size()));
    long long mask = 0;
    if (!(operand >> mask)) continue;  // in a register
    const double named = std::popcount(static_cast<std::uint32_t>(mask));
    const double barriers = instruction.metrics.at(std::string(metric::warp_instructions));
    const double arrived = instruction.metrics.at(std::string(metric::thread_instructions));
    if (arrived == named * barriers) continue;
    warpwright::fail(
        {.file = instruction.file,
         .line = instruction.line,
         .text = "expected " + warpwright::count_text(named) + " lanes at each barrier; counted " +
                 warpwright::count_text(arrived / barriers) +
                 " on average\nbecause a mask names the lanes that come to the barrier: place it where all "
                 "of them do, and no others"});
    return;
  }
}

/// Instructions that the answer to v4 executes to sum n values, a multiple of 512, once (tests/solutions.cpp counts
/// them again).
constexpr double v4_instructions(std::size_t n) { return static_cast<double>(n / 512) * 473; }

/// What v6 has won: sums in registers, passed on by shuffles. A block needs shared memory for one value from each warp,
/// of which there are 32 at most, and one barrier before they are read.
inline void expect_one_barrier(const warpwright::observe::Report& launch) {
  warpwright::expect_at_most(
      launch, warpwright::counters::block_barriers, blocks_of(launch),
      "within a warp a shuffle waits by itself; only before one warp reads the sums of the others does the block wait");
}

inline void expect_little_shared_memory(const warpwright::observe::Report& launch) {
  const std::uint32_t bytes = launch.program().static_shared_bytes + launch.dynamic_shared_bytes;
  if (bytes <= 128) return;
  warpwright::fail({.text = "expected at most 128 bytes of shared memory for a block; it has " +
                            warpwright::thousands(bytes) +
                            "\nbecause a block has 32 warps at most, and of each one float has to be kept"});
}

/// Five rounds in each warp that has loaded something, at least; and no more than each warp doing all of it twice.
inline void expect_shuffles(const warpwright::observe::Report& launch) {
  using namespace warpwright;
  const double warps = blocks_of(launch) * warps_of(threads_of(launch));
  expect_at_least(launch, counters::shuffles, 5 * warps,
                  "32 values are one after five rounds, 16, 8, 4, 2 and 1 apart");
  expect_at_most(launch, counters::shuffles, 10 * warps,
                 "five rounds in each warp, and five more for the warps' sums, are enough");
  expect_exactly(launch, counters::atomics, 0, "shuffles and one barrier do it");
}

}  // namespace reduce
