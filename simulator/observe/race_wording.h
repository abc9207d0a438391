// Problem: a race is two threads, two lines and an order that nobody promised; a beginner must see all of that in two
// sentences.
// Idea: say who does what here, who did what where, what is missing between them, and what depends on it.
#pragma once

#include <cstdint>

#include "machine/launch.h"
#include "observe/report.h"
#include "observe/sightings.h"

namespace warpwright::observe {

/// How two accesses meet, in the order in which they were made in this run.
enum class Hazard : std::uint8_t { read_after_write, write_after_read, write_after_write };

struct RaceExample {
  std::uint32_t thread = 0;  // numbers in the block
  std::uint32_t other_thread = 0;
  std::uint64_t offset = 0;      // in the shared window
  bool one_instruction = false;  // two lanes of one warp instruction write one element
};

/// SightingKey::what of a race.
constexpr std::uint32_t what(Hazard hazard, bool across_warps) {
  return static_cast<std::uint32_t>(hazard) * 2 + (across_warps ? 1 : 0);
}

/// One diagnosis for each pair of lines and each kind of hazard.
void report_races(Report& report, const machine::Launch& launch, const Sightings<RaceExample>& races);

}  // namespace warpwright::observe
