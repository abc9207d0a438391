#include "process.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "files.h"
#include "problem.h"
#include "scratch.h"

namespace warpwright::lab {
namespace {

Command shell(const std::string& script) { return {{"sh", "-c", script}, "/"}; }

bool alive(int pid) {
  // A zombie that nobody has fetched is not alive either.
  std::string state;
  try {
    state = read_file("/proc/" + std::to_string(pid) + "/stat");
  } catch (const Problem&) {
    return false;
  }
  return state.find(") Z") == std::string::npos;
}

bool gone_soon(int pid) {
  for (int i = 0; i < 100 && alive(pid); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  return !alive(pid);
}

TEST(Process, GivesOutputAndStatus) {
  const Outcome outcome = run(shell("echo out; echo err >&2; exit 3"));
  EXPECT_EQ(outcome.exit_status, 3);
  EXPECT_EQ(outcome.output, "out\nerr\n");
  EXPECT_FALSE(outcome.stopped);
}

TEST(Process, KeepsErrorsApartOnRequest) {
  Command command = shell("echo out; echo err >&2");
  command.errors_apart = true;
  const Outcome outcome = run(command);
  EXPECT_EQ(outcome.output, "out\n");
  EXPECT_EQ(outcome.errors, "err\n");
}

TEST(Process, NamesASignalAsAShellDoes) { EXPECT_EQ(run(shell("kill -SEGV $$")).exit_status, 128 + SIGSEGV); }

TEST(Process, RunsInItsFolderWithItsEnvironmentAndNoInput) {
  const Scratch scratch;
  const Outcome outcome = run({{"sh", "-c", "pwd -P; echo $WARP; wc -c"}, scratch.folder(), {{"WARP", "32"}}});
  EXPECT_EQ(outcome.output, std::filesystem::canonical(scratch.folder()).string() + "\n32\n0\n");
}

TEST(Process, HandsOverLinesAsTheyCome) {
  std::vector<std::string> lines;
  Listener listener;
  listener.line = [&](std::string_view line) { lines.emplace_back(line); };
  run(shell("printf 'one\\ntw'; sleep 0.2; printf 'o\\nthree'"), listener);
  EXPECT_EQ(lines, (std::vector<std::string>{"one", "two", "three"}));
}

TEST(Process, SaysThatAProgramIsMissing) {
  try {
    run({{"no-such-program"}, "/"});
    FAIL();
  } catch (const Problem& problem) {
    EXPECT_STREQ(problem.what(), "cannot run no-such-program in /: No such file or directory");
  }
}

TEST(Process, EndsWithItsWholeFamilyWhenTheListenerHadEnough) {
  int child = 0;
  Listener listener;
  listener.line = [&](std::string_view line) { child = std::stoi(std::string(line)); };
  listener.tick = [&] { return child == 0; };
  const Outcome outcome = run(shell("sleep 100 & echo $!; wait"), listener);
  EXPECT_TRUE(outcome.stopped);
  EXPECT_LT(outcome.seconds, 5);
  EXPECT_TRUE(gone_soon(child));
}

TEST(Process, EndsEvenIfItIgnoresPoliteRequests) {
  Listener listener;
  bool started = false;
  listener.line = [&](std::string_view) { started = true; };
  listener.tick = [&] { return !started; };
  const Outcome outcome = run(shell("trap '' INT TERM; echo started; while :; do sleep 0.1; done"), listener);
  EXPECT_TRUE(outcome.stopped);
  EXPECT_EQ(outcome.exit_status, 128 + SIGKILL);
}

TEST(Process, IsOverWhenAChildItLeftBehindStillHoldsItsOutput) {
  const Outcome outcome = run(shell("sleep 5 & echo done"));
  EXPECT_EQ(outcome.output, "done\n");
  EXPECT_LT(outcome.seconds, 3);
}

}  // namespace
}  // namespace warpwright::lab
