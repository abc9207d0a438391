#include <fmt/core.h>

#include "commands/commands.h"
#include "files.h"
#include "git.h"
#include "problem.h"
#include "verdict.h"

namespace warpwright::lab {
namespace {

namespace fs = std::filesystem;

/// The exercise as it is handed out. That is the committed text, unless somebody has committed an answer; then the text
/// that lay beside the solution when that was last changed.
std::string first_text(const Context& context, const Exercise& exercise, const std::string& now) {
  const Git git(context.root);
  const auto committed = git.text("HEAD", exercise.file);
  if (committed && *committed != now && remembered(context, exercise, *committed) != true) return *committed;
  if (const auto commit = git.last_change(exercise.solution)) {
    if (const auto text = git.text(*commit, exercise.file)) return *text;
  }
  throw Problem(
      fmt::format("the text that {} had at first is in the repository's history, and git is missing or does not "
                  "know it",
                  exercise.file),
      fmt::format("git log --oneline -- {}", exercise.file));
}

fs::path backup_of(const Context& context, const Exercise& exercise) {
  const std::string stem = exercise.name + "." + local_time("%Y-%m-%d.%H-%M-%S");
  fs::path backup = fs::path(".lab/backups") / (stem + ".cu");
  for (int other = 2; fs::exists(context.root / backup); ++other) {
    backup.replace_filename(fmt::format("{}.{}.cu", stem, other));
  }
  return backup;
}

}  // namespace

int run(Context& context, const request::Reset& wish) {
  const Exercise& exercise = context.course.exercise(wish.name);
  const fs::path file = context.at(exercise.file);
  const bool there = fs::exists(file);
  const std::string now = there ? read_file(file) : "";
  const std::string first = first_text(context, exercise, now);
  if (there && now == first) {
    fmt::print("{} is as it was handed out; there is nothing to reset\n", exercise.file);
    return ok;
  }
  // The backup is on the disk before the file is touched.
  const fs::path backup = backup_of(context, exercise);
  if (there) write_file(context.root / backup, now);
  write_file(file, first);
  fmt::print("{} is as it was handed out\n", exercise.file);
  if (there) {
    fmt::print("\n  your text is kept   {}\n  to bring it back    cp {} {}\n", backup.string(), backup.string(),
               exercise.file);
  }
  return ok;
}

}  // namespace warpwright::lab
