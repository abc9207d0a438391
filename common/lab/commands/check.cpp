#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <optional>
#include <thread>

#include "activity.h"
#include "check/mutants.h"
#include "check/tests.h"
#include "check/texts.h"
#include "commands/commands.h"
#include "ninja.h"
#include "problem.h"
#include "verdict.h"

namespace warpwright::lab {
namespace {

/// A part of the check, when it is over.
struct Phase {
  std::string name;
  bool good = false;
  double seconds = 0;
  std::string extent;  // how much there was: "112 files"
};

/// As much of a long complaint as somebody reads.
std::string beginning(const std::string& complaint) {
  constexpr long most = 40;
  const long lines = std::count(complaint.begin(), complaint.end(), '\n');
  if (lines <= most) return complaint;
  std::size_t end = 0;
  for (long line = 0; line < most; ++line) end = complaint.find('\n', end) + 1;
  return complaint.substr(0, end) + fmt::format("... and {} lines more\n", lines - most);
}

class Check {
 public:
  Check(Context& context, const request::Check& wish)
      : context_(context),
        terminal_(context.terminal),
        mend_(wish.fix),
        jobs_(wish.jobs > 0 ? wish.jobs : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()))) {}

  void texts() {
    std::vector<TextCheck> checks;
    phase("linters", "pinned in cmake/linters.txt", [&] {
      checks = text_checks(context_);
      return std::optional<std::string>();
    });
    for (const TextCheck& check : checks) {
      phase(check.name, fmt::format("{} files", check.files.size()), [&] {
        const std::string complaint = check.judge(mend_);
        return complaint.empty() ? std::nullopt : std::optional(beginning(complaint) + check.mend_with);
      });
    }
  }

  bool build_everything() {
    phase("build", "", [&] {
      Activity activity("building everything");
      const Outcome outcome =
          build(context_, {"all", "proofs", "benchmarks", "--", "-k", "0", "-j", std::to_string(jobs_)}, activity);
      return outcome.exit_status == 0 ? std::nullopt : complaint_about(outcome.output);
    });
    return phases_.back().good;
  }

  void test_everything() {
    phase("tests", "", [&]() -> std::optional<std::string> {
      Activity activity("testing");
      Listener listener;
      listener.line = [&](std::string_view line) { show(line, activity); };
      listener.tick = [&] {
        activity.tick();
        return true;
      };
      const Outcome outcome = run(
          {{"ctest", "--preset", "check", "-j", std::to_string(jobs_), "--no-label-summary"}, context_.root}, listener);
      if (outcome.exit_status == 0) return std::nullopt;
      return log_.closing().empty() ? outcome.output : "";  // what failed was shown when it failed
    });
    phases_.back().extent = fmt::format("{} tests", log_.results().size());
  }

  /// Gives the solutions mechanical mistakes, `sample` to each, or all.
  void try_mutants(const std::vector<const Exercise*>& exercises, std::optional<int> sample) {
    phase("mutants", "", [&]() -> std::optional<std::string> {
      Activity activity("changing solutions, which their tests have to reject");
      const Mutants tried = warpwright::lab::try_mutants(context_, exercises, jobs_, sample, activity);
      mutants_ = tried.count;
      activity.clear();
      if (tried.good && !sample) fmt::print("{}", tried.report);
      return tried.good ? std::nullopt : std::optional(tried.report);
    });
    phases_.back().extent = fmt::format("{} mutants", mutants_);
  }

  int finish() {
    std::vector<std::string> failed;
    double total = 0;
    std::size_t width = 5;
    for (const Phase& phase : phases_) width = std::max(width, phase.name.size());
    fmt::print("\n{}\n", terminal_.bold("where the time went"));
    for (const Phase& phase : phases_) {
      total += phase.seconds;
      if (!phase.good) failed.push_back(phase.name);
      const std::string state = phase.good ? terminal_.green("ok") : terminal_.red("failed");
      const std::string extent =
          phase.extent.empty() ? "" : (phase.good ? "      " : "  ") + terminal_.dim(phase.extent);
      fmt::print("  {:<{}}  {:>7.1f} s  {}{}\n", phase.name, width, phase.seconds, state, extent);
    }
    fmt::print("  {:<{}}  {:>7.1f} s\n", "total", width, total);
    show_slowest();
    if (!failed.empty()) fmt::print("\n{} {}\n", terminal_.red("failed:"), fmt::join(failed, ", "));
    if (!log_.closing().empty()) fmt::print("\n{}", log_.closing());
    return failed.empty() ? ok : test_failed;
  }

 private:
  /// Runs a part, which returns what it complains of, and prints that at once.
  void phase(const std::string& name, const std::string& extent,
             const std::function<std::optional<std::string>()>& work) {
    const auto began = std::chrono::steady_clock::now();
    std::optional<std::string> complaint;
    try {
      complaint = work();
    } catch (const Problem& problem) {
      complaint = problem.what() + (problem.mend.empty() ? "" : "\n  next: " + problem.mend) + "\n";
    }
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    phases_.push_back({name, !complaint, seconds, extent});
    if (complaint) fmt::print("{}  {}\n{}", terminal_.red("failed"), terminal_.bold(name), *complaint);
    std::fflush(stdout);
  }

  void show(std::string_view line, Activity& activity) {
    const TestLog::Kind kind = log_.read(line);
    if (kind == TestLog::Kind::failure) {
      activity.clear();
      fmt::print("{}\n", line);
    } else if (kind == TestLog::Kind::step) {
      activity.step(fmt::format("[{}/{}] {}", log_.results().size(), log_.total(), log_.results().back().name));
    }
  }

  /// What did not build, apart from exercises: these are a learner's, and need not even compile.
  std::optional<std::string> complaint_about(const std::string& log) const {
    const auto exercises = context_.course.exercises();
    const auto steps = failed_steps(log);
    if (steps.empty()) return log;
    std::string complaint;
    for (const FailedStep& step : steps) {
      const bool in_work = std::any_of(exercises.begin(), exercises.end(),
                                       [&](const Exercise* exercise) { return belongs_to(step, exercise->name); });
      if (!in_work) complaint += fmt::format("{}\n{}", step.product, step.output);
    }
    return complaint.empty() ? std::nullopt : std::optional(complaint);
  }

  void show_slowest() const {
    constexpr std::size_t shown = 5;
    auto results = log_.results();
    if (results.size() <= shown) return;
    std::sort(results.begin(), results.end(), [](const auto& a, const auto& b) { return a.seconds > b.seconds; });
    fmt::print("\n{}\n", terminal_.bold("slowest tests"));
    for (std::size_t i = 0; i < shown; ++i) fmt::print("  {:>7.1f} s  {}\n", results[i].seconds, results[i].name);
  }

  Context& context_;
  const Terminal& terminal_;
  const bool mend_;
  const int jobs_;
  std::vector<Phase> phases_;
  TestLog log_;
  int mutants_ = 0;
};

}  // namespace

int run(Context& context, const request::Check& wish) {
  Check check(context, wish);
  if (wish.mutants) {
    check.try_mutants(wish.name.empty() ? context.course.exercises() : context.course.select(wish.name), std::nullopt);
    return check.finish();
  }
  check.texts();
  if (!wish.texts && !wish.fix && check.build_everything()) {
    check.test_everything();
    check.try_mutants(context.course.exercises(), mutants_of_sample);
  }
  return check.finish();
}

}  // namespace warpwright::lab
