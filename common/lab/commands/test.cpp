#include <fmt/core.h>

#include "commands/commands.h"
#include "problem.h"
#include "verdict.h"

namespace warpwright::lab {
namespace {

/// What CMake says of a configuration that failed: the message, without where in the scripts it came from.
std::string message_of(const std::string& log) {
  const std::size_t from = log.find("gpu preset: ");
  if (from == std::string::npos) return log;
  std::string message = log.substr(from, log.find("Call Stack", from) - from);
  while (!message.empty() && (message.back() == '\n' || message.back() == ' ')) message.pop_back();
  return message;
}

/// Turns to the gpu preset, and configures it when this was not done yet.
void use_gpu(Context& context) {
  context.build = context.root / "build/gpu";
  context.on_gpu = true;
  if (std::filesystem::exists(context.build / "build.ninja")) return;
  Activity activity("configuring the gpu preset");
  const Outcome configured = run({{"cmake", "--preset", "gpu"}, context.root}, activity);
  if (configured.exit_status != 0) throw Problem(message_of(configured.output));
}

}  // namespace

int run(Context& context, const request::Test& wish) {
  const auto chosen = context.course.select(wish.name);
  if (wish.on_gpu) use_gpu(context);
  context.schedule = wish.schedule;
  std::size_t passed = 0;
  double seconds = 0;
  for (const Exercise* exercise : chosen) {
    const Verdict verdict = judge(context, *exercise, wish.solution);
    passed += verdict.passed ? 1 : 0;
    seconds += verdict.seconds;
    fmt::print("{}\n", as_text(verdict, *exercise, context.terminal));
    std::fflush(stdout);
  }
  const std::string count = chosen.size() > 1 ? fmt::format("{} of {} passed, in ", passed, chosen.size()) : "in ";
  fmt::print("{}\n", context.terminal.dim(fmt::format("{}{:.1f} s", count, seconds)));
  return passed == chosen.size() ? ok : test_failed;
}

}  // namespace warpwright::lab
