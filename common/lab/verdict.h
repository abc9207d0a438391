#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "activity.h"
#include "context.h"

namespace warpwright::lab {

/// Builds targets of the sim preset while no other build is in the folder.
Outcome build(const Context& context, const std::vector<std::string>& targets, Activity& activity,
              const std::function<bool()>& go_on = {});

struct Verdict {
  bool passed = false;
  bool stopped = false;  // the caller had enough before the end; the rest means nothing then
  std::string output;    // what the compiler or the test said
  double seconds = 0;
};

/// Builds an exercise (or its solution) and runs its CTest test, showing that something is going on. The verdict on an
/// exercise is remembered, if the simulated GPU gave it in its own order. `go_on` is asked about ten times a second;
/// false stops.
Verdict judge(Context& context, const Exercise& exercise, bool solution, const std::function<bool()>& go_on = {});

/// What the test said, with the lines that name the claim and the learner's line set off on a terminal.
std::string as_text(const Verdict& verdict, const Exercise& exercise, const Terminal& terminal);

/// What is remembered of the exercise's text as it is now, or of another text of it.
std::optional<bool> remembered(const Context& context, const Exercise& exercise);
std::optional<bool> remembered(const Context& context, const Exercise& exercise, const std::string& text);

/// Whether the exercise's test passes, from memory or by running it.
bool is_solved(Context& context, const Exercise& exercise);

}  // namespace warpwright::lab
