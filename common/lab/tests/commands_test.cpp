// The program as it is used: started, answered, watched and interrupted in a repository of toys.
#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "files.h"
#include "problem.h"
#include "toy_repository.h"

namespace warpwright::lab {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

class Commands : public testing::Test {
 protected:
  Outcome lab(const std::vector<std::string>& arguments) { return run(toys_.lab(arguments)); }
  void commit() {
    for (const char* command : {"git init -q", "git add exercises solutions",
                                "git -c user.name=toy -c user.email=toy@example.org commit -q -m toys"}) {
      const Outcome outcome = run({{"sh", "-c", command}, toys_ / ""});
      if (outcome.exit_status != 0) GTEST_SKIP() << "git is missing here: " << outcome.output;
    }
  }
  ToyRepository toys_;
};

TEST_F(Commands, ShowTheFirstUnsolvedExerciseAndWhatItFails) {
  const Outcome outcome = lab({});
  EXPECT_EQ(outcome.exit_status, 0) << outcome.errors;
  EXPECT_EQ(outcome.output,
            "toy [..] 0 of 2   Toys\n\n"
            "toy.a  the first\n\n"
            "toy.a  contract: it says right\n"
            "  next: ./lab hint toy.a\n\n"
            "  edit   exercises/01-toy/a.cu\n"
            "  read   chapters/01-toy/README.md\n"
            "  stuck  ./lab hint toy.a\n"
            "  then   ./lab\n");
}

TEST_F(Commands, RunOnTheGpuAndCountOnTheSimulatedOne) {
  const std::vector<std::string> test = {"test", "toy.a", "--on", "gpu"};
  toys_.edit("a", "the result, with a flaw\n");
  const Outcome slow = lab(test);
  EXPECT_EQ(slow.exit_status, 1);
  EXPECT_TRUE(has(slow.output, "contract: skipped, nobody counts\ntoy.a  contract: it says right\n")) << slow.output;

  toys_.edit("a", "the right result\n");
  const Outcome good = lab(test);
  EXPECT_EQ(good.exit_status, 0) << good.output;

  std::filesystem::remove(toys_ / "build/sim/build.ninja");
  const Outcome uncounted = lab(test);
  EXPECT_EQ(uncounted.exit_status, 1);
  EXPECT_TRUE(has(uncounted.output, "toy.a  contract: not tried")) << uncounted.output;
  EXPECT_TRUE(has(uncounted.output, "next: ./lab setup")) << uncounted.output;
}

TEST_F(Commands, RejectAWrongKernelAsDeclaredUnderEverySchedule) {
  write_file(toys_ / "wrong.cu", "// wrong: it races; rejected by: right: sums\n");
  write_file(toys_ / "program",
             "#!/bin/sh\necho \"seed $WARPWRIGHT_SCHEDULE of $WARPWRIGHT_SCHEDULES\"\n"
             "[ \"$WARPWRIGHT_SCHEDULE\" = 3 ] && echo 'right: counts' || echo 'right: sums'\nexit 1\n");
  std::filesystem::permissions(toys_ / "program", std::filesystem::perms::owner_all);
  const auto tried = [&](const std::string& schedules) {
    return run({{"cmake", "-DTEST=wrong.toy.a", "-DEXERCISE=toy.a", "-DKIND=wrong", "-DTARGET=solution.toy.a",
                 "-DPROGRAM=" + (toys_ / "program").string(), "-DKERNEL=" + (toys_ / "wrong.cu").string(),
                 "-DBUILD=" + (toys_ / "build/sim").string(), "-P", "cmake/run_test.cmake"},
                toys_ / "",
                {{"WARPWRIGHT_SCHEDULES", schedules}}});
  };
  const Outcome own_order = tried("0");
  EXPECT_EQ(own_order.exit_status, 0) << own_order.output;
  EXPECT_TRUE(has(own_order.output, "seed  of 0\n")) << own_order.output;
  const Outcome two = tried("2");
  EXPECT_EQ(two.exit_status, 0) << two.output;
  EXPECT_TRUE(has(two.output, "seed 1 of \n")) << two.output;
  EXPECT_TRUE(has(two.output, "seed 2 of \n")) << two.output;
  const Outcome four = tried("4");
  EXPECT_EQ(four.exit_status, 1) << "that the words come under other schedules is not enough";
  EXPECT_TRUE(has(four.output, "was rejected, but not as")) << four.output;
  EXPECT_TRUE(has(four.output, "wrong.toy.a  not as declared under schedule 3\n")) << four.output;
}

TEST_F(Commands, LeadFromACrashToTheLastWords) {
  const auto tried = [&](const std::string& words) {
    write_file(toys_ / "program", "#!/bin/sh\n" + words + "kill -SEGV $$\n");
    std::filesystem::permissions(toys_ / "program", std::filesystem::perms::owner_all);
    return run({{"cmake", "-DTEST=toy.a", "-DEXERCISE=toy.a", "-DKIND=exercise", "-DTARGET=solution.toy.a",
                 "-DPROGRAM=" + (toys_ / "program").string(), "-DKERNEL=exercises/01-toy/a.cu",
                 "-DBUILD=" + (toys_ / "build/sim").string(), "-P", "cmake/run_test.cmake"},
                toys_ / ""});
  };
  const Outcome silent = tried("");
  EXPECT_EQ(silent.exit_status, 1);
  EXPECT_TRUE(has(silent.output, "toy.a  ended without a verdict: ")) << silent.output;
  EXPECT_TRUE(has(silent.output, "\n  next: look at what runs on the host; a kernel cannot end the program\n"))
      << silent.output;
  const Outcome told = tried("echo 'warpwright: a.cu:3: device pointer: host code reads device memory.' >&2\n");
  EXPECT_TRUE(has(told.output, "warpwright: a.cu:3: device pointer: host code reads device memory.\n")) << told.output;
  EXPECT_TRUE(has(told.output,
                  "\n  next: mend what the line says that begins with \"warpwright:\"; it is what host "
                  "code did last\n"))
      << told.output;
}

TEST_F(Commands, FollowTheLearnerToTheEnd) {
  toys_.edit("a", "right\n");
  const Outcome second = lab({});
  EXPECT_TRUE(has(second.output, "toy [#.] 1 of 2")) << second.output;
  EXPECT_TRUE(has(second.output, "edit   exercises/01-toy/b.cu")) << second.output;
  toys_.edit("b", "right\n");
  const Outcome last = lab({});
  EXPECT_EQ(last.exit_status, 0);
  EXPECT_EQ(last.output, "toy [##] 2 of 2   Toys\n\nEvery exercise is solved.\n");
}

TEST_F(Commands, CountASolvedExerciseThatIsBrokenAgainAsUnsolved) {
  toys_.edit("a", "right\n");
  EXPECT_EQ(lab({"test", "toy.a"}).exit_status, 0);
  toys_.edit("a", "wrong\n");
  EXPECT_TRUE(has(lab({}).output, "toy [..] 0 of 2"));
  toys_.edit("a", "right\n");
  EXPECT_TRUE(has(lab({"list"}).output, "toy.a  solved")) << "the text is known";
}

TEST_F(Commands, FindOutWhatWasSolvedOutOfOrderWithoutThem) {
  commit();
  if (IsSkipped()) return;
  toys_.edit("b", "right\n");
  EXPECT_TRUE(has(lab({}).output, "toy [.#] 1 of 2"));
}

TEST_F(Commands, TestAnExerciseASolutionOrAChapter) {
  const Outcome failed = lab({"test", "toy.a"});
  EXPECT_EQ(failed.exit_status, 1);
  EXPECT_TRUE(has(failed.output, "toy.a  contract: it says right\n  next: ./lab hint toy.a\n")) << failed.output;
  EXPECT_FALSE(has(failed.output, "CMake Error")) << failed.output;

  const Outcome solution = lab({"test", "toy.a", "--solution"});
  EXPECT_EQ(solution.exit_status, 0);
  EXPECT_TRUE(has(solution.output, "toy.a  passed")) << solution.output;
  EXPECT_TRUE(has(lab({"list"}).output, "toy.a  open")) << "the solution's verdict is not the exercise's";

  toys_.edit("a", "");
  EXPECT_EQ(lab({"test", "toy.a", "--solution"}).exit_status, 0);
  EXPECT_TRUE(has(lab({"list"}).output, "toy.a  not tried")) << "nor of an empty one";

  toys_.edit("b", "right\n");
  const Outcome chapter = lab({"test", "toy"});
  EXPECT_EQ(chapter.exit_status, 1);
  EXPECT_TRUE(has(chapter.output, "1 of 2 passed")) << chapter.output;
}

TEST_F(Commands, ShowWhatTheCompilerSaid) {
  toys_.edit("a", "broken\n");
  const Outcome outcome = lab({"test", "toy.a"});
  EXPECT_EQ(outcome.exit_status, 1);
  EXPECT_TRUE(has(outcome.output, "exercises/01-toy/a.cu(1): error: broken")) << outcome.output;
}

TEST_F(Commands, GiveHintsOneByOneAndTheLastOneAgain) {
  EXPECT_EQ(lab({"hint", "toy.a"}).output, "toy.a  hint 1 of 3: Idea\n\n  Say it.\n\nthe next: ./lab hint toy.a\n");
  EXPECT_TRUE(has(lab({"hint", "toy.a"}).output, "hint 2 of 3: Where to look"));
  EXPECT_TRUE(has(lab({"hint", "toy.a"}).output, "hint 3 of 3: Pseudocode\n\n      right\n"));
  EXPECT_TRUE(has(lab({"hint", "toy.a"}).output, "hint 3 of 3"));
  EXPECT_TRUE(has(lab({"hint", "toy.b"}).output, "hint 1 of 3")) << "each exercise has its own count";
  EXPECT_TRUE(has(lab({"hint", "toy.a", "--tier", "1"}).output, "hint 1 of 3"));
  EXPECT_TRUE(has(lab({"hint", "toy.a"}).output, "hint 3 of 3")) << "--tier changes nothing";
}

TEST_F(Commands, KeepTheSolutionClosedUntilTheExerciseIsSolved) {
  const Outcome closed = lab({"solution", "toy.a"});
  EXPECT_EQ(closed.exit_status, 1);
  EXPECT_FALSE(has(closed.output, "the right answer"));
  EXPECT_TRUE(has(closed.output, "./lab solution toy.a --anyway"));
  EXPECT_TRUE(has(lab({"solution", "toy.a", "--anyway"}).output, "// the right answer\n"));

  toys_.edit("a", "right\n");
  const Outcome open = lab({"solution", "toy.a"});
  EXPECT_EQ(open.exit_status, 0);
  EXPECT_EQ(open.output, "solutions/01-toy/a.cu\n\n// the right answer\n\nAfterwards\n\n  That was easy.\n");
}

TEST_F(Commands, ResetAnExerciseAndKeepWhatWasThere) {
  commit();
  if (IsSkipped()) return;
  toys_.edit("a", "my work\n");
  const Outcome outcome = lab({"reset", "toy.a"});
  EXPECT_EQ(outcome.exit_status, 0) << outcome.errors;
  EXPECT_EQ(toys_.text("exercises/01-toy/a.cu"), "// TODO\n");
  const std::size_t at = outcome.output.find("cp ") + 3;
  const std::string backup = outcome.output.substr(at, outcome.output.find(' ', at) - at);
  EXPECT_EQ(toys_.text(backup), "my work\n") << outcome.output;
  EXPECT_TRUE(has(lab({"reset", "toy.a"}).output, "nothing to reset"));

  std::filesystem::remove(toys_ / "exercises/01-toy/a.cu");
  EXPECT_TRUE(has(lab({"test", "toy.a"}).errors, "next: ./lab reset toy.a"));
  EXPECT_EQ(lab({"reset", "toy.a"}).exit_status, 0);
  EXPECT_EQ(toys_.text("exercises/01-toy/a.cu"), "// TODO\n");
}

TEST_F(Commands, ResetEvenWhenAnAnswerWasCommitted) {
  commit();
  if (IsSkipped()) return;
  toys_.edit("a", "right\n");
  run({{"git", "-c", "user.name=toy", "-c", "user.email=toy@example.org", "commit", "-q", "-a", "-m", "solve a"},
       toys_ / ""});
  EXPECT_EQ(lab({"reset", "toy.a"}).exit_status, 0);
  EXPECT_EQ(toys_.text("exercises/01-toy/a.cu"), "// TODO\n");
}

TEST_F(Commands, PassAProfileThroughUnchanged) {
  const Outcome outcome = lab({"profile", "toy.a", "--json", "--n", "2^10"});
  EXPECT_EQ(outcome.exit_status, 0) << outcome.errors;
  EXPECT_EQ(outcome.output, toys_.text("counters.json"));
  EXPECT_EQ(outcome.errors, "arguments: --profile --json --n 1024\n");
}

TEST_F(Commands, ProveTheRepositoryAndEndWithCTestsClosingLine) {
  toys_.install_silent_linters();
  toys_.edit("a", "broken\n");  // a learner's business
  const Outcome outcome = lab({"check"});
  EXPECT_EQ(outcome.exit_status, 0) << outcome.output << outcome.errors;
  EXPECT_TRUE(has(outcome.output, "where the time went\n  linters ")) << outcome.output;
  EXPECT_TRUE(has(outcome.output, "ok      2 tests")) << outcome.output;
  EXPECT_TRUE(has(outcome.output, "\n100% tests passed, 0 tests failed out of 2\n")) << outcome.output;
  EXPECT_FALSE(has(outcome.output, "failed:")) << outcome.output;
}

TEST_F(Commands, FailTheCheckForATestATextOrABuild) {
  toys_.install_silent_linters();
  write_file(toys_ / "solutions/01-toy/a.cu", "wrong\n");
  write_file(toys_ / "chapters/01-toy/README.md", "two spaces  \n");
  const Outcome tested = lab({"check"});
  EXPECT_EQ(tested.exit_status, 1);
  EXPECT_TRUE(has(tested.output, "chapters/01-toy/README.md:1: spaces at the end of the line")) << tested.output;
  EXPECT_TRUE(has(tested.output, "solution.toy.a  contract: it says right")) << tested.output;
  EXPECT_TRUE(has(tested.output, "failed: lines and paths, tests")) << tested.output;
  EXPECT_TRUE(has(tested.output, "50% tests passed, 1 tests failed out of 2")) << tested.output;

  write_file(toys_ / "solutions/01-toy/a.cu", "broken\n");
  const Outcome built = lab({"check"});
  EXPECT_EQ(built.exit_status, 1);
  EXPECT_TRUE(has(built.output, "a.cu(1): error: broken")) << built.output;
  EXPECT_TRUE(has(built.output, "failed: lines and paths, build")) << built.output;
  EXPECT_FALSE(has(built.output, "tests passed")) << "what did not build is not tested";
}

TEST_F(Commands, FailTheCheckForAMutantThatGotAway) {
  toys_.install_silent_linters();
  write_file(toys_ / "common/lab/mutants/mutants.py",
             "import sys\nprint('[1/1] toy')\nprint('a.cu:3  survived')\nprint(*sys.argv[3:])\nsys.exit(1)\n");
  const Outcome one = lab({"check", "--mutants", "toy.b", "--jobs", "2"});
  EXPECT_EQ(one.exit_status, 1);
  EXPECT_TRUE(has(one.output, "a.cu:3  survived\n--jobs 2 toy.b\n")) << one.output;
  EXPECT_TRUE(has(one.output, "failed: mutants")) << one.output;
  EXPECT_FALSE(has(one.output, "lines and paths")) << "to try mutants is all that was asked for";
  const Outcome all = lab({"check", "--jobs", "2"});
  EXPECT_EQ(all.exit_status, 1);
  EXPECT_TRUE(has(all.output, "--jobs 2 --sample 12 toy.a toy.b\n")) << all.output;
  EXPECT_EQ(lab({"check", "--mutants", "toy.c"}).exit_status, 2);
}

TEST_F(Commands, GoOnWithoutAPlaceToRememberAnything) {
  write_file(toys_ / ".lab", "not a folder");
  const Outcome outcome = lab({"hint", "toy.a"});
  EXPECT_EQ(outcome.exit_status, 0);
  EXPECT_TRUE(has(outcome.output, "hint 1 of 3"));
  EXPECT_TRUE(has(outcome.errors, "what happens now will not be remembered")) << outcome.errors;
}

TEST_F(Commands, SayThatTheOutputCannotBeWritten) {
  const Command command = toys_.lab({"list"});
  const Outcome outcome =
      run({{"sh", "-c", "exec \"$0\" list >/dev/full", LAB}, command.directory, command.environment});
  EXPECT_EQ(outcome.exit_status, 2);
  EXPECT_EQ(outcome.output, "./lab: cannot write the output: No space left on device\n");
}

/// A program on a terminal of its own, 100 columns wide.
class OnATerminal {
 public:
  explicit OnATerminal(const Command& command) {
    winsize size = {};
    size.ws_col = 100;
    size.ws_row = 40;
    pid_ = forkpty(&terminal_, nullptr, nullptr, &size);
    if (pid_ == 0) {
      for (const auto& [name, value] : command.environment) setenv(name.c_str(), value.c_str(), 1);
      setenv("TERM", "xterm", 1);
      std::vector<char*> words;
      for (const std::string& word : command.arguments) words.push_back(const_cast<char*>(word.c_str()));
      words.push_back(nullptr);
      if (chdir(command.directory.c_str()) == 0) execv(words[0], words.data());
      _exit(127);
    }
  }
  ~OnATerminal() {
    if (status_ < 0) kill(pid_, SIGKILL);
    end();
    close(terminal_);
  }

  /// Waits until the text has been printed since the last call that found one; false after ten seconds.
  bool shows(const std::string& text) {
    for (const auto limit = Clock::now() + 10s; Clock::now() < limit; std::this_thread::sleep_for(10ms)) {
      read_all();
      const std::size_t at = seen_.find(text, from_);
      if (at == std::string::npos) continue;
      from_ = at + text.size();
      return true;
    }
    return false;
  }
  void press(char key) { EXPECT_EQ(write(terminal_, &key, 1), 1); }
  /// The exit status, as a shell has it; waits up to ten seconds.
  int end() {
    for (const auto limit = Clock::now() + 10s; status_ < 0 && Clock::now() < limit;
         std::this_thread::sleep_for(10ms)) {
      read_all();
      int status = 0;
      if (waitpid(pid_, &status, WNOHANG) == pid_)
        status_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }
    return status_;
  }
  bool echoes() const {
    termios state = {};
    tcgetattr(terminal_, &state);
    return (state.c_lflag & (ECHO | ICANON)) == (ECHO | ICANON);
  }
  const std::string& seen() const { return seen_; }

 private:
  void read_all() {
    char buffer[4096];
    for (pollfd ready = {terminal_, POLLIN, 0}; poll(&ready, 1, 0) == 1 && (ready.revents & POLLIN) != 0;) {
      const ssize_t n = read(terminal_, buffer, sizeof buffer);
      if (n <= 0) return;
      seen_.append(buffer, static_cast<std::size_t>(n));
    }
  }
  int terminal_ = -1;
  pid_t pid_ = -1;
  int status_ = -1;
  std::string seen_;
  std::size_t from_ = 0;
};

class Watching : public Commands {};

TEST_F(Watching, TestsEverySaveAndGoesOnAtAKey) {
  OnATerminal terminal(toys_.lab({}));
  ASSERT_TRUE(terminal.shows("contract: it says right")) << terminal.seen();
  ASSERT_TRUE(terminal.shows("watching exercises/01-toy/a.cu")) << terminal.seen();
  EXPECT_FALSE(terminal.echoes());

  terminal.press('h');
  EXPECT_TRUE(terminal.shows("hint 1 of 3: Idea")) << terminal.seen();
  terminal.press('l');
  EXPECT_TRUE(terminal.shows("toy.b")) << terminal.seen();

  toys_.edit("a", "still wrong\n");
  EXPECT_TRUE(terminal.shows("contract: it says right")) << terminal.seen();
  ASSERT_TRUE(terminal.shows("watching")) << terminal.seen();
  toys_.edit("a", "right\n");
  EXPECT_TRUE(terminal.shows("passed")) << terminal.seen();
  ASSERT_TRUE(terminal.shows("watching")) << terminal.seen();

  terminal.press('n');
  EXPECT_TRUE(terminal.shows("the second")) << terminal.seen();
  ASSERT_TRUE(terminal.shows("watching exercises/01-toy/b.cu")) << terminal.seen();
  terminal.press('q');
  EXPECT_EQ(terminal.end(), 0);
  EXPECT_TRUE(terminal.echoes());
}

TEST_F(Watching, EndsWhenNothingIsLeftToSolve) {
  toys_.edit("b", "right\n");
  EXPECT_EQ(lab({"test", "toy.b"}).exit_status, 0);
  OnATerminal terminal(toys_.lab({}));
  ASSERT_TRUE(terminal.shows("watching exercises/01-toy/a.cu")) << terminal.seen();
  toys_.edit("a", "right\n");
  EXPECT_TRUE(terminal.shows("toy [##] 2 of 2")) << terminal.seen();
  ASSERT_TRUE(terminal.shows("watching")) << terminal.seen();
  terminal.press('n');
  EXPECT_TRUE(terminal.shows("Every exercise is solved.")) << terminal.seen();
  EXPECT_EQ(terminal.end(), 0);
}

TEST_F(Watching, DropsARunThatAnotherSaveMadePointless) {
  OnATerminal terminal(toys_.lab({}));
  ASSERT_TRUE(terminal.shows("watching")) << terminal.seen();
  toys_.edit("a", "slow\n");
  ASSERT_TRUE(terminal.shows("building toy.a")) << terminal.seen();
  toys_.edit("a", "right\n");
  EXPECT_TRUE(terminal.shows("passed")) << terminal.seen();
}

TEST_F(Watching, EndsAtCtrlCWithItsChildrenGoneAndTheTerminalAsItWas) {
  OnATerminal terminal(toys_.lab({}));
  ASSERT_TRUE(terminal.shows("watching")) << terminal.seen();
  toys_.edit("a", "slow\n");
  ASSERT_TRUE(terminal.shows("building toy.a")) << terminal.seen();
  terminal.press('\003');
  EXPECT_EQ(terminal.end(), 130);
  EXPECT_TRUE(terminal.echoes());
  const int slow = std::stoi(toys_.text("build/sim/slow.pid"));
  EXPECT_NE(kill(slow, 0), 0) << "the build goes on";
}

}  // namespace
}  // namespace warpwright::lab
