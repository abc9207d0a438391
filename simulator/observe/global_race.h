// Problem: a block that reads what another one writes, or a thread what its neighbour writes, is right as long as it is
// lucky; no tool that only looks at shared memory sees it.
// Idea: two accesses to one byte race when they are made by different threads of the grid, they conflict (roles.h), and
// nothing orders them: no barrier of their block or warp (happens_before.h), no fence and flag (handovers.h). Blocks
// have no order at all, whichever came first here.
// Invariant: what is found does not depend on luck: a pair of accesses races in whatever order they are made. With
// several host threads, which of several racing pairs is shown may differ from run to run.
// Exact: as shared_race.h. One launch is ordered before the next.
// Left out: see global_shadow.h and handovers.h.
#pragma once

#include <memory>

#include "observe/observer.h"

namespace warpwright::observe {

/// Diagnoses of kind "race". Where both only write one and the same value, the diagnosis is a warning.
std::unique_ptr<Observer> make_global_race();

}  // namespace warpwright::observe
