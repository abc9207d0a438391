// Problem: memory answers late, so what a warp has asked for before it first needs an answer decides how well the wait
// is used. A loop that loads a value and adds it asks for one at a time; one that loads eight values and then adds them
// asks for eight. How many are they, in a kernel of which only the PTX is known?
// Idea: in a stretch without branches, ptxas pulls loads up as far as it may, and their uses down: PTX that loads, adds
// and loads, adds becomes machine code that loads, loads, adds, adds. So the loads of a stretch go in rounds. Those of
// a round need no value that another one of it brings, and are under way together; the first use of a value ends the
// wait for its whole round. Loads divided by waits are the loads before the first use, bytes divided by waits the bytes
// in flight. What makes a load belong to a later round: an address that depends on a value of the round before; or a
// global store, a barrier, a fence or an atomic in between that has to wait for such a value, because a load may not be
// pulled up over it (a .nc load may, over a store).
// Invariant: a value that no stretch has used yet is still under way in the next one. A move is no use.
// Left out: what ptxas does beyond that, such as guarding loads instead of branching around them; so the hardware may
// have more in flight than is counted. Loads through generic addresses. Lanes of a parted warp share their registers
// here.
#pragma once

#include <memory>

#include "observe/observer.h"

namespace warpwright::observe {

/// Counts metric::global_load_waits.
std::unique_ptr<Observer> make_load_waits();

}  // namespace warpwright::observe
