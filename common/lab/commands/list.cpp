#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "commands/commands.h"
#include "files.h"
#include "problem.h"
#include "verdict.h"

namespace warpwright::lab {
namespace {

const char* state_of(const Context& context, const Exercise& exercise) {
  if (!std::filesystem::exists(context.at(exercise.file))) return "missing";
  if (!can_be_read(context.at(exercise.file))) return "unreadable";
  const auto verdict = remembered(context, exercise);
  return !verdict ? "not tried" : *verdict ? "solved" : "open";
}

void print_json(const Context& context) {
  auto chapters = nlohmann::json::array();
  for (const Chapter& chapter : context.course.chapters()) {
    auto exercises = nlohmann::json::array();
    for (const Exercise& exercise : chapter.exercises) {
      exercises.push_back({{"name", exercise.name},
                           {"title", exercise.title},
                           {"state", state_of(context, exercise)},
                           {"file", exercise.file},
                           {"hints_shown", context.state.hints_shown(exercise.name)}});
    }
    chapters.push_back({{"name", chapter.name},
                        {"folder", chapter.folder},
                        {"title", chapter.title},
                        {"after", chapter.after},
                        {"exercises", exercises}});
  }
  fmt::print("{}\n", nlohmann::json({{"chapters", chapters}}).dump(2));
}

void print_table(const Context& context) {
  const Terminal& terminal = context.terminal;
  int name_width = 0;
  for (const Exercise* exercise : context.course.exercises())
    name_width = std::max(name_width, columns(exercise->name));
  const int title_width = std::max(20, terminal.width() - name_width - 17);

  bool first = true;
  for (const Chapter& chapter : context.course.chapters()) {
    fmt::print("{}{}  {}\n", first ? "" : "\n", terminal.bold(chapter.title), terminal.dim(chapter.folder));
    first = false;
    for (const Exercise& exercise : chapter.exercises) {
      const std::string state = state_of(context, exercise);
      const std::string shown = pad(state, 10);
      fmt::print("  {}  {}  {}\n", pad(exercise.name, name_width),
                 state == "solved" ? terminal.green(shown) : terminal.dim(shown), cut(exercise.title, title_width));
    }
  }
}

}  // namespace

int run(Context& context, const request::List& wish) {
  if (wish.json) {
    print_json(context);
  } else {
    print_table(context);
  }
  return ok;
}

}  // namespace warpwright::lab
