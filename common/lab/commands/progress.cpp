#include "progress.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <set>

#include "commands/commands.h"
#include "files.h"
#include "git.h"
#include "problem.h"
#include "verdict.h"
#include "watching.h"

namespace warpwright::lab {
namespace {

bool known_as_solved(const Context& context, const Exercise& exercise) {
  return std::filesystem::exists(context.at(exercise.file)) && remembered(context, exercise) == true;
}

/// Tests what somebody has worked on without `lab` having seen it, so that the progress shown is true.
void learn_of_edits(Context& context) {
  const std::set<std::string> edited = Git(context.root).edited("exercises");
  for (const Exercise* exercise : context.course.exercises()) {
    if (edited.count(exercise->file) == 0 || !can_be_read(context.at(exercise->file))) continue;
    if (!remembered(context, *exercise)) judge(context, *exercise, false);
  }
}

}  // namespace

void show_progress(const Context& context) {
  int name_width = 0;
  for (const Chapter& chapter : context.course.chapters()) name_width = std::max(name_width, columns(chapter.name));
  for (const Chapter& chapter : context.course.chapters()) {
    std::vector<bool> solved;
    for (const Exercise& exercise : chapter.exercises) solved.push_back(known_as_solved(context, exercise));
    const std::string line = progress_line(chapter, solved, name_width);
    fmt::print("{}{}\n", line,
               context.terminal.dim(cut("   " + chapter.title, context.terminal.width() - columns(line))));
  }
}

const Exercise* next_unsolved(const Context& context, const Exercise* after) {
  const auto all = context.course.exercises();
  const auto from = after == nullptr ? all.begin() : std::next(std::find(all.begin(), all.end(), after));
  const auto unsolved = [&](const Exercise* exercise) { return !known_as_solved(context, *exercise); };
  if (const auto found = std::find_if(from, all.end(), unsolved); found != all.end()) return *found;
  const auto found = std::find_if(all.begin(), from, unsolved);
  return found == from ? nullptr : *found;
}

int run(Context& context, const request::Progress&) {
  learn_of_edits(context);
  // Whatever is not known to be solved may be so all the same (a fresh clone of finished work).
  const Exercise* next = next_unsolved(context, nullptr);
  Verdict verdict;
  while (next != nullptr && (verdict = judge(context, *next, false)).passed) next = next_unsolved(context, next);

  show_progress(context);
  if (next == nullptr) {
    fmt::print("\n{}\n", context.terminal.green("Every exercise is solved."));
    return ok;
  }
  show_verdict(context, *next, verdict);
  show_what_to_do(context, *next);
  if (context.terminal.interactive()) watch(context, *next);
  return ok;
}

}  // namespace warpwright::lab
