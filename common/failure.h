#pragma once

#include <cstdint>
#include <string>

#include "observe/report.h"

namespace warpwright {

/// What a failed claim tells the learner. Every field but `text` may be empty.
struct Failure {
  std::string claim = {};  // instead of the running test's: "safely: race"
  std::string file = {};   // where: the learner's line, if it is known
  std::uint32_t line = 0;
  std::string text = {};  // what and why; one statement a line
  std::string next = {};  // what next, besides the hints
  bool is_cause = false;  // explains other failures of the same test, and is shown before them
};

/// Fails the running test.
void fail(Failure failure);

/// A mistake that the device saw, as a failure.
Failure failure_of(const observe::Diagnosis& diagnosis);

}  // namespace warpwright
