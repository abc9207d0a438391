// Problem: lanes that took different paths should run together again wherever the paths meet, not only at the end.
// Idea: rank the basic blocks topologically, each loop in one piece, and always run the group of lanes with the lowest
// rank. Nobody can then pass a meeting point while others are still on their way to it ("thread frontiers", Diamos et
// al., MICRO 2011).
// Invariant: along every edge that is not a loop's back edge the rank rises; a loop's blocks have consecutive ranks.
// Left out: loops with several entries (goto into a loop) are ranked, but may rejoin later than they could.
#pragma once

#include "machine/program.h"

namespace warpwright::machine {

/// Fills `program.rank` and `program.run_length` from the decoded code. A run is a stretch of unguarded straight
/// instructions that no branch enters in the middle.
void analyse_flow(Program& program);

}  // namespace warpwright::machine
