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

/// What the two threads have in common least: each distance needs another mend.
enum class Apart : std::uint8_t { lanes, warps, blocks };

struct RaceExample {
  std::uint32_t thread = 0;  // numbers in their blocks
  std::uint32_t other_thread = 0;
  std::uint64_t other_block = 0;
  std::uint64_t offset = 0;      // of a byte that both touch: in the shared window, or its global address
  bool one_instruction = false;  // two lanes of one warp instruction write one element
};

/// What kind of race it is.
struct RaceKind {
  Hazard hazard = Hazard::read_after_write;
  Apart apart = Apart::warps;
  machine::Space space = machine::Space::shared;
  bool same_value = false;  // both write one value: a warning
  bool in_flight = false;   // with an asynchronous copy that nobody has waited for
};

/// SightingKey::what of a race, and back.
std::uint32_t what(const RaceKind& kind);
RaceKind race_kind(std::uint32_t what);

/// One diagnosis for each pair of lines; the message names the kind of hazard that is shown. Writes of one value are
/// told only where nothing worse is.
void report_races(Report& report, const machine::Launch& launch, const Sightings<RaceExample>& races);

}  // namespace warpwright::observe
