// Problem: many threads that all write `found = true` race, and nothing depends on who wins.
// Idea: look at what is about to be written, before it is: beside what another lane writes, or over what is there.
// Left out: a value that somebody else has overwritten in between.
#pragma once

#include "machine/launch.h"
#include "machine/program.h"
#include "observe/observer.h"

namespace warpwright::observe {

/// Whether a lane's store puts down what the memory holds already. False when the event does not tell values.
bool writes_what_is_there(const machine::Launch& launch, const Access& access, int lane);
/// Whether two lanes of one store, which have the same address, put down the same value.
bool lanes_write_same_value(const machine::Program& program, const Access& access, int lane, int other);

}  // namespace warpwright::observe
