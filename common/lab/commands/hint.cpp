#include "hints.h"

#include <fmt/core.h>

#include <algorithm>

#include "commands/commands.h"
#include "files.h"
#include "problem.h"

namespace warpwright::lab {

int run(Context& context, const request::Hint& wish) {
  const Exercise& exercise = context.course.exercise(wish.name);
  if (exercise.hints.empty()) throw Problem(fmt::format("{} has no hints", exercise.name));
  const Hints hints = Hints::parse(read_file(context.at(exercise.hints)));

  const int last = static_cast<int>(hints.tiers.size());
  const int shown = context.state.hints_shown(exercise.name);
  const int tier = std::min(wish.tier.value_or(shown + 1), last);
  const Hints::Tier& hint = hints.tiers[static_cast<std::size_t>(tier - 1)];

  const Terminal& terminal = context.terminal;
  fmt::print("{}  hint {} of {}: {}\n\n", terminal.bold(exercise.name), tier, last, hint.title);
  fmt::print("{}\n", wrap(hint.text, std::min(terminal.width(), 100), 2));
  if (tier < last) {
    fmt::print("{}\n", terminal.dim(fmt::format("the next: ./lab hint {}", exercise.name)));
  } else {
    fmt::print("{}\n",
               terminal.dim(fmt::format("this was the last; the answer: ./lab solution {} --anyway", exercise.name)));
  }
  if (!wish.tier && tier > shown) context.state.remember_hints(exercise.name, tier);
  return ok;
}

}  // namespace warpwright::lab
