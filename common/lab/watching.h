#pragma once

#include "context.h"
#include "verdict.h"

namespace warpwright::lab {

/// The first exercise after the given one (or of all) that is not known to be solved, going round at the end; nullptr
/// when all are.
const Exercise* next_unsolved(const Context& context, const Exercise* after);

/// A line a chapter: which of its exercises are solved.
void show_progress(const Context& context);
void show_verdict(const Context& context, const Exercise& exercise, const Verdict& verdict);
/// Which file to edit, and the commands that go on from there; less where the screen follows what is saved.
void show_what_to_do(const Context& context, const Exercise& exercise);

/// Stays with an exercise whose verdict has just been shown: every save is built, tested and shown, until the user goes
/// on to another exercise or leaves.
void watch(Context& context, const Exercise& exercise);

}  // namespace warpwright::lab
