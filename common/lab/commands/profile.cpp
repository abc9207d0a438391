#include <fmt/core.h>

#include <fstream>

#include "activity.h"
#include "commands/commands.h"
#include "files.h"
#include "ninja.h"
#include "problem.h"
#include "profile_report.h"
#include "verdict.h"

namespace warpwright::lab {
namespace {

std::vector<std::string> lines_of(const std::filesystem::path& file) {
  std::vector<std::string> lines;
  try {
    const std::string text = read_file(file);
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      lines.push_back(text.substr(at, end - at));
      at = end + 1;
    }
  } catch (const Problem&) {
    return {};
  }
  return lines;
}

/// A path inside the repository as one from there; others as they are.
std::string below(const std::filesystem::path& root, const std::string& file) {
  const std::string relative = std::filesystem::path(file).lexically_relative(root).string();
  return relative.empty() || relative.substr(0, 2) == ".." ? file : relative;
}

}  // namespace

int run(Context& context, const request::Profile& wish) {
  const Exercise& exercise = context.course.exercise(wish.name);
  const std::string name = (wish.solution ? "solution." : "") + exercise.name;
  const std::string program = "bench." + name;
  Outcome outcome;
  {
    Activity activity("building " + program);
    const Outcome built = build(context, {program}, activity);
    if (built.exit_status != 0) {
      activity.clear();
      const auto failed = failed_steps(built.output);
      for (const FailedStep& step : failed) fmt::print(stderr, "{}\n", step.output);
      if (failed.empty()) fmt::print(stderr, "{}\n", built.output);
      throw Problem(program + " does not compile", "mend what the compiler names above");
    }
    activity.now("profiling " + name);
    Command command{{(context.build / "bin" / program).string(), "--profile", "--json"}, context.root, {}, true};
    if (wish.n) command.arguments.insert(command.arguments.end(), {"--n", std::to_string(*wish.n)});
    if (wish.schedule) command.environment.emplace_back("WARPWRIGHT_SCHEDULE", std::to_string(*wish.schedule));
    outcome = run(command, activity);
  }
  // A wrong result, or a mistake on the way, is told on standard error; what was counted is worth seeing all the same.
  const int status = outcome.exit_status == 0 ? ok : outcome.exit_status == 1 ? test_failed : not_possible;
  if (wish.json || outcome.output.empty()) {
    fmt::print("{}", outcome.output);
    fmt::print(stderr, "{}", outcome.errors);
    return status;
  }
  ProfileReport report = ProfileReport::parse(outcome.output);
  for (auto& launch : report.launches) {
    for (auto& line : launch.lines) line.file = below(context.root, line.file);
  }
  const Terminal& terminal = context.terminal;
  if (!wish.html.empty()) {
    std::ofstream page(wish.html);
    page << as_html(report, name, [&](const std::string& file) { return lines_of(context.at(file)); });
    page.close();
    if (!page) throw Problem(fmt::format("{} cannot be written", wish.html), "name another file");
    fmt::print(stderr, "{}", outcome.errors);
    fmt::print("{}\n  next: open {} in a browser\n", terminal.bold(name), wish.html);
    return status;
  }
  fmt::print("{}  {}\n\n{}", terminal.bold(name), terminal.dim("on " + report.device),
             as_text(
                 report, {wish.launch, wish.ptx}, [&](const std::string& file) { return lines_of(context.at(file)); },
                 terminal));
  fmt::print("\n{}\n", terminal.dim("every counter by line, as JSON: ./lab profile " + exercise.name +
                                    (wish.solution ? " --solution" : "") + " --json"));
  if (!outcome.errors.empty()) {
    std::fflush(stdout);
    fmt::print(stderr, "\n{}", outcome.errors);
  }
  return status;
}

}  // namespace warpwright::lab
