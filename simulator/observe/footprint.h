// Problem: what a launch has to be ordered with depends on what it touches, and its arguments do not tell.
// Idea: the offsets that each line of the kernel reads and writes, by allocation.
// Invariant: exact to the byte, and the same for any number of host threads.
// Left out: judging (cudart/stream_races.h). The observer is not among those of every launch: a program with one stream
// asks it about memory that host code reaches too, and about nothing when it has none.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "observe/observer.h"
#include "observe/uses.h"

namespace warpwright::observe {

class Footprint : public Observer {
 public:
  /// By allocation, and in each in the order of the program; they are the caller's now.
  virtual std::vector<Part> take_parts() = 0;
};

/// What to look at: all allocations, or those that host code reaches too, where it does not matter which values are
/// written.
enum class FootprintOf : std::uint8_t { all, what_the_host_reaches };

std::unique_ptr<Footprint> make_footprint(FootprintOf what);

}  // namespace warpwright::observe
