// Problem: a race is two threads, two lines and an order that nobody promised; a beginner must see all of that in two
// sentences.
// Idea: say who does what here, who does what where, what is missing between them, and what depends on it. Which access
// is "here" is decided by the program, not by the run: the one that is meant to come second (paths.h).
#pragma once

#include <cstdint>

#include "machine/launch.h"
#include "observe/report.h"
#include "observe/sightings.h"

namespace warpwright::observe {

/// How two accesses meet: what the second does to the first.
enum class Hazard : std::uint8_t { read_after_write, write_after_read, write_after_write };

struct RaceExample {
  std::uint32_t thread = 0;  // numbers in the block
  std::uint32_t other_thread = 0;
  std::uint64_t offset = 0;      // in the shared window, of a byte that both touch
  bool one_instruction = false;  // two lanes of one warp instruction write one element
};

/// SightingKey::what of a race.
constexpr std::uint32_t what(Hazard hazard, bool across_warps) {
  return static_cast<std::uint32_t>(hazard) * 2 + (across_warps ? 1 : 0);
}

/// One diagnosis for each pair of lines; the message names the kind of hazard that is shown.
void report_races(Report& report, const machine::Launch& launch, const Sightings<RaceExample>& races);

}  // namespace warpwright::observe
