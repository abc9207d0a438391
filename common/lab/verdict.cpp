#include "verdict.h"

#include <fmt/core.h>

#include "activity.h"
#include "ctest.h"
#include "files.h"
#include "problem.h"

namespace warpwright::lab {
namespace {

/// A verdict holds for a text of the exercise and for the test that gave it.
std::string mark_of(const Context& context, const Exercise& exercise, const std::string& text) {
  return fingerprint(exercise.test.empty() ? text : text + '\0' + read_file(context.at(exercise.test)));
}

std::string text_of(const Context& context, const Exercise& exercise) {
  try {
    return read_file(context.at(exercise.file));
  } catch (const Problem& problem) {
    throw Problem(problem.what(), problem.mend.empty() ? "./lab reset " + exercise.name : problem.mend);
  }
}

/// A test that ends as failed makes CMake add where in the script that was, which is nobody's concern.
std::string without_frame(std::string output) {
  const std::size_t frame = output.find("CMake Error at ");
  if (frame != std::string::npos && output.find("run_test.cmake", frame) != std::string::npos) output.erase(frame);
  while (!output.empty() && (output.back() == '\n' || output.back() == ' ')) output.pop_back();
  return output;
}

}  // namespace

Outcome build(const Context& context, const std::vector<std::string>& targets, Activity& activity,
              const std::function<bool()>& go_on) {
  std::vector<std::string> words = {"cmake",
                                    "-P",
                                    (context.root / "cmake/toolkit/locked.cmake").string(),
                                    "--",
                                    context.build.string(),
                                    "cmake",
                                    "--build",
                                    context.build.string(),
                                    "--target"};
  words.insert(words.end(), targets.begin(), targets.end());
  return run({words, context.root}, activity, go_on);
}

Verdict judge(Context& context, const Exercise& exercise, bool solution, const std::function<bool()>& go_on) {
  const std::string name = solution ? "solution." + exercise.name : exercise.name;
  const std::string mark = mark_of(context, exercise, solution ? "" : text_of(context, exercise));
  Command test = command_of_test(context.build, name);
  if (context.schedule) test.environment.emplace_back("WARPWRIGHT_SCHEDULE", std::to_string(*context.schedule));
  Verdict verdict;
  Activity activity("building " + name);
  // The test would build it too, but silently. If this fails, the test says why.
  verdict.stopped = build(context, {name}, activity, go_on).stopped;
  if (verdict.stopped) return verdict;
  activity.now("testing " + name);
  const Outcome outcome = run(test, activity, go_on);
  verdict.passed = outcome.exit_status == 0;
  verdict.stopped = outcome.stopped;
  verdict.output = without_frame(outcome.output);
  verdict.seconds = activity.seconds();
  if (!solution && !context.on_gpu && !context.schedule && !verdict.stopped)
    context.state.remember_verdict(exercise.name, mark, verdict.passed);
  return verdict;
}

std::string as_text(const Verdict& verdict, const Exercise& exercise, const Terminal& terminal) {
  if (verdict.output.empty()) return verdict.passed ? terminal.green(exercise.name + "  passed") + "\n" : "";
  std::string text;
  for (std::size_t at = 0; at < verdict.output.size();) {
    const std::size_t end = std::min(verdict.output.find('\n', at), verdict.output.size());
    const std::string line = verdict.output.substr(at, end - at);
    at = end + 1;
    const bool claim = line.find(exercise.name + "  ") != std::string::npos && line[0] != ' ';
    const bool place = line.find(exercise.file + ":") == 2 || line.find(exercise.file + "(") == 0;
    text += (claim && verdict.passed ? terminal.green(line)
             : claim                 ? terminal.red(line)
             : place                 ? terminal.bold(line)
                                     : line) +
            "\n";
  }
  return text;
}

std::optional<bool> remembered(const Context& context, const Exercise& exercise) {
  try {
    return remembered(context, exercise, text_of(context, exercise));
  } catch (const Problem&) {
    return std::nullopt;  // what cannot be read, nobody has judged; whoever tests it says so
  }
}

std::optional<bool> remembered(const Context& context, const Exercise& exercise, const std::string& text) {
  return context.state.verdict(exercise.name, mark_of(context, exercise, text));
}

bool is_solved(Context& context, const Exercise& exercise) {
  if (const auto known = remembered(context, exercise)) return *known;
  return judge(context, exercise, false).passed;
}

}  // namespace warpwright::lab
