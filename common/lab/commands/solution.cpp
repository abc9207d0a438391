#include <fmt/core.h>

#include <algorithm>

#include "commands/commands.h"
#include "files.h"
#include "hints.h"
#include "problem.h"
#include "verdict.h"

namespace warpwright::lab {

int run(Context& context, const request::Solution& wish) {
  const Exercise& exercise = context.course.exercise(wish.name);
  const Terminal& terminal = context.terminal;
  if (!wish.anyway && !is_solved(context, exercise)) {
    fmt::print("{}  your own answer does not pass yet, so the reference answer stays closed\n\n",
               terminal.bold(exercise.name));
    fmt::print("  a hint          ./lab hint {}\n", exercise.name);
    fmt::print("  what fails      ./lab test {}\n", exercise.name);
    fmt::print("  open it anyway  ./lab solution {} --anyway\n", exercise.name);
    return test_failed;
  }

  fmt::print("{}\n\n{}", terminal.bold(exercise.solution), read_file(context.at(exercise.solution)));
  if (exercise.hints.empty()) return ok;
  const Hints hints = Hints::parse(read_file(context.at(exercise.hints)));
  if (!hints.afterwards.empty()) {
    fmt::print("\n{}\n\n{}", terminal.bold("Afterwards"), wrap(hints.afterwards, std::min(terminal.width(), 100), 2));
  }
  return ok;
}

}  // namespace warpwright::lab
