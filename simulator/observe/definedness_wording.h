// Problem: an undefined value does its harm far from where it came from, and a beginner has to see both places.
// Idea: the line is that of the load, or where there is none that of the use; the use is the other line.
#pragma once

#include <cstdint>

#include "machine/launch.h"
#include "observe/report.h"
#include "observe/sightings.h"
#include "observe/taint.h"

namespace warpwright::observe {

/// What depends on the undefined value.
enum class Use : std::uint32_t { stored, decided, address, updated, operand };

struct UndefinedExample {
  std::uint32_t thread = 0;
  Origin origin;
};

/// SightingKey::what of a use: of a loaded value, or of a variable that nothing wrote.
constexpr std::uint32_t what(Use use, const Origin& origin) {
  return static_cast<std::uint32_t>(use) * 2 + (origin.load == Origin::nowhere ? 1 : 0);
}

void report_uninitialised(Report& report, const machine::Launch& launch, const Sightings<UndefinedExample>& seen);

}  // namespace warpwright::observe
