#include "watching.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "commands/commands.h"
#include "keys.h"
#include "problem.h"
#include "watch.h"

namespace warpwright::lab {
namespace {

/// A line across the screen, so that the eye finds where the newest verdict begins.
void rule(const Terminal& terminal, const std::string& text) {
  const std::string head = fmt::format("-- {}  {} ", local_time("%H:%M:%S"), text);
  const int rest = std::min(terminal.width(), 100) - columns(head);
  fmt::print("\n{}\n", terminal.dim(head + std::string(static_cast<std::size_t>(std::max(0, rest)), '-')));
}

void show_keys(const Terminal& terminal, const Exercise& exercise) {
  const std::string line = fmt::format("watching {}   h hint  n next  l list  r run again  q quit", exercise.file);
  fmt::print("\n{}\n", terminal.dim(cut(line, terminal.width())));
  std::fflush(stdout);
}

}  // namespace

void show_verdict(const Context& context, const Exercise& exercise, const Verdict& verdict) {
  const Terminal& terminal = context.terminal;
  fmt::print("\n{}  {}\n", terminal.bold(exercise.name), exercise.title);
  fmt::print("\n{}", as_text(verdict, exercise, terminal));
  if (verdict.passed) fmt::print("\n  what there is to learn from it   ./lab solution {}\n", exercise.name);
}

void show_what_to_do(const Context& context, const Exercise& exercise) {
  const auto chapter = std::find_if(context.course.chapters().begin(), context.course.chapters().end(),
                                    [&](const Chapter& one) { return one.name == exercise.chapter; });
  fmt::print("\n  edit   {}\n", context.terminal.bold(exercise.file));
  fmt::print("  read   {}/README.md\n", chapter->folder);
  fmt::print("  stuck  ./lab hint {}\n", exercise.name);
  fmt::print("  then   {}\n", context.terminal.interactive() ? "save: this screen follows" : "./lab");
}

void watch(Context& context, const Exercise& first) {
  const Terminal& terminal = context.terminal;
  const Exercise* exercise = &first;
  Keys keys;
  std::optional<FileWatch> file(context.at(exercise->file));
  std::optional<char> key;
  bool due = !remembered(context, *exercise);  // saved again while the verdict shown was on its way
  show_keys(terminal, *exercise);
  for (;;) try {
      if (!key && !due) key = keys.wait(file->descriptor(), 500);
      due |= file->changed();
      switch (std::exchange(key, {}).value_or('\0')) {
        case 'q':
          return;
        case 'r':
          due = true;
          break;
        case 'h':
          rule(terminal, "hint");
          run(context, request::Hint{exercise->name, {}});
          show_keys(terminal, *exercise);
          break;
        case 'l':
          rule(terminal, "list");
          run(context, request::List{});
          show_keys(terminal, *exercise);
          break;
        case 'n':
          exercise = next_unsolved(context, exercise);
          if (exercise == nullptr) {
            fmt::print("\n{}\n", terminal.green("Every exercise is solved."));
            return;
          }
          file.emplace(context.at(exercise->file));
          due = true;
      }
      if (!due) continue;
      due = false;
      rule(terminal, "building and testing " + exercise->name);
      // Another save makes this run pointless, and so do two of the keys; the others wait for its end.
      const Verdict verdict = judge(context, *exercise, false, [&] {
        if (const auto pressed = keys.wait(-1, 0)) key = pressed;
        due = file->changed();
        return !due && key != 'q' && key != 'n';
      });
      if (verdict.stopped) continue;
      show_verdict(context, *exercise, verdict);
      if (verdict.passed) fmt::print("\n");
      if (verdict.passed) show_progress(context);
      show_keys(terminal, *exercise);
    } catch (const Problem& problem) {
      fmt::print("\n{}\n", problem.what());
      if (!problem.mend.empty()) fmt::print("  next: {}\n", problem.mend);
    }
}

}  // namespace warpwright::lab
