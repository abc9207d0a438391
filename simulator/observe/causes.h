// Problem: an index that nobody wrote leads out of its array. Both are seen, and the learner should hear of the cause.
// Idea: of one block, what was uninitialised is told before what was out of bounds; all else keeps its order.
#pragma once

#include <vector>

#include "observe/report.h"

namespace warpwright::observe {

void put_causes_first(std::vector<Diagnosis>& diagnoses);

}  // namespace warpwright::observe
