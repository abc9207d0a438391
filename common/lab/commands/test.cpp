#include <fmt/format.h>

#include "commands/commands.h"
#include "problem.h"
#include "verdict.h"

namespace warpwright::lab {

int run(Context& context, const request::Test& wish) {
  const Terminal& terminal = context.terminal;
  const auto chosen = context.course.select(wish.name);
  int passed = 0;
  for (const Exercise* exercise : chosen) {
    const Verdict verdict = judge(context, *exercise, wish.solution);
    const std::string name = wish.solution ? "solution." + exercise->name : exercise->name;
    if (verdict.passed) {
      ++passed;
      fmt::print("{}  {}  {:.1f} s\n", terminal.green("passed"), name, verdict.seconds);
    } else {
      fmt::print("{}  {}  {:.1f} s\n\n{}\n", terminal.red("failed"), name, verdict.seconds,
                 highlighted(verdict, *exercise, terminal));
    }
    std::fflush(stdout);
  }
  if (chosen.size() > 1) fmt::print("\n{} of {} passed\n", passed, chosen.size());
  return passed == static_cast<int>(chosen.size()) ? ok : test_failed;
}

}  // namespace warpwright::lab
