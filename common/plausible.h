// Problem: a clock that is read before the kernel is done measures the launch, and every kernel looks fast.
// Idea: the harness owns the clock (events in the kernel's own stream), and still asks whether the time can be true:
// all data that a run reads has to come from memory, as the L2 is flushed before it.
// Invariant: a time that is refused is shorter than that of any kernel which has read its input.
#pragma once

namespace warpwright {

/// Whether a run can have taken `seconds`, when a plain read of as many bytes takes `roof_seconds`. Half of the bytes
/// may be written, and stay in the L2 for a while.
constexpr bool is_plausible(double seconds, double roof_seconds) { return 2 * seconds >= roof_seconds; }

inline constexpr const char* implausible =
    "no kernel moves its data in this time: it is less than half of what a plain read of as many bytes takes. Was the "
    "work launched in another stream than the one given, or not waited for?";

}  // namespace warpwright
