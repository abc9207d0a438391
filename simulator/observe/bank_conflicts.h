// Problem: lanes that want different words of one bank wait for one another, and nothing in the source shows it.
// Idea: cost every shared-memory instruction by the banks' rules (banks.h) and keep its worst execution.
// Left out: arbitration. On whole kernels the hardware's own conflict counter is some per cent too high (it counts
// other waits too); its SASS-sourced wavefront counter is not, and is the one to compare with.
#pragma once

#include <memory>

#include "observe/observer.h"

namespace warpwright::observe {

/// Counts metric::shared_{load,store,atomic}_{wavefronts,conflicts,requests}; an exemplar's cost is in wavefronts.
std::unique_ptr<Observer> make_bank_conflicts();

}  // namespace warpwright::observe
