// Problem: on a GPU a wrong address is an error code after the fact, or nothing at all.
// Idea: the machine stops at the first wrong access of a block; this observer says what the address is: an element past
// an array's end, memory that was freed, the CPU's memory, which argument it came from, and what probably mends it.
// Invariant: only the faults of the lowest block that had any are told, so the report does not depend on host threads.
// Left out: finding the faults (machine/access.h). Which of two arguments a pointer was computed from: the allocation
// decides.
#pragma once

#include <memory>

#include "observe/observer.h"

namespace warpwright::observe {

/// Diagnoses of kind "out of bounds", "misaligned", "use after free", "host pointer" and "null pointer".
std::unique_ptr<Observer> make_memory_check();

}  // namespace warpwright::observe
