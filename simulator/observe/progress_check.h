// Problem: a kernel that waits for what cannot come, or loops for ever, hangs a GPU without a word.
// Idea: the machine ends such a launch and tells where its lanes stood; this observer says who waits where.
// Invariant: only the lowest block that was ended is told, so the report does not depend on host threads.
// Left out: what an assert printed.
#pragma once

#include <memory>

#include "observe/observer.h"

namespace warpwright::observe {

/// Diagnoses of kind "deadlock", "livelock", "endless loop" and "trap".
std::unique_ptr<Observer> make_progress_check();

}  // namespace warpwright::observe
