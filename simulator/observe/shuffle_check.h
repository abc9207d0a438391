// Problem: a shuffle exchanges values between the lanes that its mask names. When a lane is named that does not take
// part, or is read although it does not take part, or takes part without being named, the result is undefined, and
// often looks right.
// Idea: hold each shuffle's masks and source lanes against the lanes that execute it together.
// Left out: widths that are no power of two; votes, matches and reductions.
#pragma once

#include <memory>

#include "observe/observer.h"

namespace warpwright::observe {

/// Diagnoses of kind "shuffle mask" (a mask without the lane itself, or with a live lane that is elsewhere) and
/// "shuffle source" (a lane is read that has exited, was never launched or is elsewhere): one for each line and kind.
std::unique_ptr<Observer> make_shuffle_check();

}  // namespace warpwright::observe
