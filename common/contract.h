// Problem: "no two lanes wait for one bank" must be a test, exact, and its failure must show the lanes and the line.
// Idea: hold a counter of a launch to a number, with the reason for that number. A failure names the instruction that
// counted most, shows its worst execution, and compares.
// Invariant: a contract on a launch that was not profiled fails.
#pragma once

#include <string>
#include <vector>

#include "observe/report.h"

namespace warpwright {

/// What is counted: one metric, or several added up, with the words that messages use.
struct Counter {
  struct Part {
    std::string metric;  // as in observe::Metrics
    std::string words;   // "on stores"; empty when there is one part
  };
  std::string name;  // plural: "bank conflicts"
  std::vector<Part> parts;
};

namespace counters {
extern const Counter bank_conflicts;  // of loads and stores in shared memory
extern const Counter store_conflicts;
extern const Counter load_conflicts;
extern const Counter shared_loads;   // passes through the banks, so that a conflict counts
extern const Counter shared_stores;  // passes through the banks
extern const Counter global_loads;   // of warps
extern const Counter global_stores;  // of warps
extern const Counter load_sectors;   // of 32 bytes, in global memory
extern const Counter store_sectors;  // of 32 bytes, in global memory
extern const Counter bytes_loaded;   // by lanes, in global memory
extern const Counter bytes_stored;   // by lanes, in global memory
extern const Counter divergent_branches;
extern const Counter block_barriers;
extern const Counter barrier_arrivals;  // of warps, at block barriers
extern const Counter warp_barriers;
extern const Counter shuffles;      // of warps
extern const Counter atomics;       // of warps, in shared and in global memory
extern const Counter instructions;  // of warps
extern const Counter blocks;        // that the launch consists of
}  // namespace counters

/// The counter's value over the whole launch.
double count(const observe::Report& launch, const Counter& counter);

/// Each fails the running test unless the launch counts so. `why` says where the number comes from, in a sentence
/// without a full stop.
void expect_exactly(const observe::Report& launch, const Counter& counter, double expected, const std::string& why);
void expect_at_most(const observe::Report& launch, const Counter& counter, double most, const std::string& why);
void expect_at_least(const observe::Report& launch, const Counter& counter, double least, const std::string& why);

/// "8-way conflict: lanes 0, 2, 4, 6, ... read words 0, 32, 64, 96, ... of tile, all in bank 0"
std::string describe_conflict(const observe::InstructionReport& instruction, const machine::Program& program);
/// "32 sectors where 4 would do: lanes 0, 1, 2, 3, ... read at bytes 0, 128, 256, 384, ..."
std::string describe_sectors(const observe::InstructionReport& instruction);

}  // namespace warpwright
