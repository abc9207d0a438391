// Which observers there are. Adding one is a file pair and a line in observers.cpp.
#pragma once

#include <memory>
#include <vector>

#include "observe/observer.h"

namespace warpwright::observe {

using Observers = std::vector<std::unique_ptr<Observer>>;

/// What puts the machine's faults into words: wrong addresses, deadlocks, endless loops, traps. They cost nothing until
/// one happens.
Observers faults();
/// Counters of metrics.h: coalescing, bank conflicts, instructions, divergence, barriers.
Observers counters();
/// Checks for mistakes that do not stop a launch: barrier divergence, races, uninitialised reads, shuffles.
Observers sanitizers();

}  // namespace warpwright::observe
