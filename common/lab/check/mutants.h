#pragma once

#include <optional>
#include <string>
#include <vector>

#include "activity.h"
#include "context.h"

namespace warpwright::lab {

/// How many changes of each solution `./lab check` tries; all of them take minutes.
inline constexpr int mutants_of_sample = 12;

struct Mutants {
  bool good = false;
  int count = 0;       // tried
  std::string report;  // what got away, and a table
};

/// Builds the solutions, and runs common/lab/mutants/mutants.py, which says what a mutant is and what becomes of it.
/// `sample` changes of each solution, the same ones every time, or all. Throws Problem where nothing can be tried.
Mutants try_mutants(const Context& context, const std::vector<const Exercise*>& exercises, int jobs,
                    std::optional<int> sample, Activity& activity);

}  // namespace warpwright::lab
