// Problem: "the kernel hangs" names nobody.
// Idea: say who polls what, what is found there every time, who waits at a barrier meanwhile, and why nobody is left
// who could change that. The likely mend follows from these.
// Left out: who holds a lock: its word does not tell.
#pragma once

#include <cstdint>
#include <vector>

#include "observe/first_faults.h"
#include "observe/report.h"

namespace warpwright::observe {

/// "at the block barrier", "at the warp barrier" or "for other lanes": what lanes that do not move wait for.
const char* wait_text(const machine::Program& program, std::uint32_t pc);

/// The diagnosis of a launch that ended in the faults of a livelock.
Diagnosis livelock(const machine::Launch& launch, const std::vector<SavedFault>& faults);

}  // namespace warpwright::observe
