// Problem: one missing barrier makes a hundred pairs of instructions race, and a run shows each in one of two orders.
// Idea: a race is told once for each pair of lines, in the order that the program means, which paths.h finds. Where a
// flag is not fenced, it is the flag's race that is told, and not those of the data that it was to hand over.
#pragma once

#include <cstdint>
#include <vector>

#include "machine/program.h"
#include "observe/race_wording.h"
#include "observe/sightings.h"

namespace warpwright::observe {

/// A race as it is told: `pc` comes second, or is meant to.
struct Race {
  std::uint32_t pc = 0;
  std::uint32_t other_pc = 0;
  RaceKind kind;
  bool order_is_known = false;  // by the program; otherwise it is this run's
  bool in_one_pass = false;     // no thread gets from one to the other without a barrier
  bool is_flag = false;         // volatile, and somebody waits for it
  std::uint64_t block = 0;
  std::uint64_t order = 0;
  std::uint64_t count = 0;
  RaceExample example;
};

/// In the order in which they are told.
std::vector<Race> by_lines(const machine::Program& program, const Sightings<RaceExample>& races);

}  // namespace warpwright::observe
