// Problem: what a launch has to be ordered with depends on what it touches, and its arguments do not tell.
// Idea: the offsets that each line of the kernel reads and writes, by allocation.
// Invariant: exact to the byte, and the same for any number of host threads.
// Left out: judging (cudart/stream_races.h). The observer is not among those of every launch: a program with one stream
// has nothing to ask it.
#pragma once

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

std::unique_ptr<Footprint> make_footprint();

}  // namespace warpwright::observe
