#include <gtest/gtest.h>

#include "check/tests.h"
#include "check/texts.h"
#include "ninja.h"

namespace warpwright::lab {
namespace {

// Ninja ends these lines with a space.
constexpr const char* ninja_log =
    "[1/5] Building CXX object a.cpp.o\n"
    "FAILED: chapters/04-reduce/CMakeFiles/wrong.reduce.v0.x.kernel.dir/wrong/v0.x.cu.o \n"
    "nvcc -c v0.x.cu -o v0.x.cu.o\n"
    "v0.x.cu(3): error: expected a \";\"\n"
    "1 error detected\n"
    "[2/5] Building CXX object b.cpp.o\n"
    "FAILED: [code=1] bin/reduce.v1 \n"
    ": && g++ -o bin/reduce.v1\n"
    "undefined reference to `reduce::v1'\n"
    "ninja: build stopped: cannot make progress due to previous errors.\n";

TEST(FailedSteps, AreWhatWasNotMadeAndWhatTheCompilerSaid) {
  const auto failed = failed_steps(ninja_log);
  ASSERT_EQ(failed.size(), 2u);
  EXPECT_EQ(failed[0].product, "chapters/04-reduce/CMakeFiles/wrong.reduce.v0.x.kernel.dir/wrong/v0.x.cu.o");
  EXPECT_EQ(failed[0].output, "v0.x.cu(3): error: expected a \";\"\n1 error detected\n");
  EXPECT_EQ(failed[1].product, "bin/reduce.v1");
  EXPECT_EQ(failed[1].output, "undefined reference to `reduce::v1'\n");
}

TEST(FailedSteps, BelongToTheExerciseThatIsNamedWhole) {
  const auto failed = failed_steps(ninja_log);
  EXPECT_FALSE(belongs_to(failed[0], "reduce.v0"));  // a wrong kernel is the project's
  EXPECT_TRUE(belongs_to(failed[1], "reduce.v1"));
  EXPECT_TRUE(belongs_to({"x/CMakeFiles/reduce.v0.kernel.dir/v0.cu.o", ""}, "reduce.v0"));
  EXPECT_FALSE(belongs_to({"x/CMakeFiles/solution.reduce.v0.kernel.dir/v0.cu.o", ""}, "reduce.v0"));
}

TEST(TestLog, ReadsResultsFailuresAndTheClosingLines) {
  TestLog log;
  using Kind = TestLog::Kind;
  EXPECT_EQ(log.read("Test project"), Kind::other);
  EXPECT_EQ(log.read("      Start  1: solution.reduce.v0"), Kind::other);
  EXPECT_EQ(log.read(" 1/3 Test  #1: solution.reduce.v0 ........   Passed    0.32 sec"), Kind::step);
  EXPECT_EQ(log.read(" 2/3 Test #12: wrong.reduce.v0.x .........***Failed    1.20 sec"), Kind::failure);
  EXPECT_EQ(log.read("wrong.reduce.v0.x  must be rejected, but passed"), Kind::failure);
  EXPECT_EQ(log.read("      Start  3: stub.reduce.v0"), Kind::other);
  EXPECT_EQ(log.read("between"), Kind::other);
  EXPECT_EQ(log.read(" 3/3 Test  #3: stub.reduce.v0 ............***Skipped   0.05 sec"), Kind::step);
  EXPECT_EQ(log.read(""), Kind::other);
  EXPECT_EQ(log.read("67% tests passed, 1 tests failed out of 3"), Kind::closing);
  EXPECT_EQ(log.read("Total Test time (real) =   1.60 sec"), Kind::closing);

  ASSERT_EQ(log.results().size(), 3u);
  EXPECT_EQ(log.total(), 3);
  EXPECT_EQ(log.results()[0].name, "solution.reduce.v0");
  EXPECT_TRUE(log.results()[0].passed);
  EXPECT_DOUBLE_EQ(log.results()[0].seconds, 0.32);
  EXPECT_EQ(log.results()[1].name, "wrong.reduce.v0.x");
  EXPECT_FALSE(log.results()[1].passed);
  EXPECT_EQ(log.closing(), "67% tests passed, 1 tests failed out of 3\nTotal Test time (real) =   1.60 sec\n");
}

TEST(TestLog, IsNotMisledByWhatAFailedTestPrints) {
  TestLog log;
  using Kind = TestLog::Kind;
  EXPECT_EQ(log.read(" 1/2 Test #1: lab.commands ........***Failed    1.20 sec"), Kind::failure);
  EXPECT_EQ(log.read("1/1 Test #1: solution.toy.a .......***Failed    0.07 sec"), Kind::failure);
  EXPECT_EQ(log.read("0% tests passed, 1 tests failed out of 1"), Kind::failure);
  EXPECT_EQ(log.read(" 2/2 Test #2: lab.mutants .........   Passed    0.30 sec"), Kind::step);
  EXPECT_EQ(log.read("50% tests passed, 1 tests failed out of 2"), Kind::closing);
  EXPECT_EQ(log.results().size(), 2u);
  EXPECT_EQ(log.total(), 2);
}

TEST(TestLog, CountsEveryWayToFail) {
  TestLog log;
  for (const char* how : {"***Timeout  1.00 sec", "***Exception: SegFault  0.10 sec", "***Not Run   0.00 sec"}) {
    EXPECT_EQ(log.read(std::string("1/9 Test #1: a ....") + how), TestLog::Kind::failure) << how;
  }
}

TEST(Lines, MayNotEndInSpacesHoldTabsOrBeHalfMerged) {
  EXPECT_EQ(fault_of_line("int x;", false), "");
  EXPECT_EQ(fault_of_line("", false), "");
  EXPECT_EQ(fault_of_line("int x; ", false), "spaces at the end of the line");
  EXPECT_EQ(fault_of_line("int\tx;", false), "a tab");
  EXPECT_EQ(fault_of_line("int x;\r", false), "a line ends as on Windows");
  EXPECT_EQ(fault_of_line(std::string(7, '<') + " HEAD", false), "a merge was not finished");
}

TEST(Lines, MayTake120ColumnsInCodeAndMoreInProse) {
  EXPECT_EQ(fault_of_line(std::string(120, 'x'), true), "");
  EXPECT_EQ(fault_of_line(std::string(121, 'x'), true), "more than 120 columns");
  EXPECT_EQ(fault_of_line(std::string(121, 'x'), false), "");
}

TEST(Lines, MayNotNameAPlaceOnSomebodysMachine) {
  const std::string slash = "/", home = slash + "home/", root = slash + "root/", users = slash + "Users/";
  EXPECT_EQ(fault_of_line("cd " + home + "ada/warpwright", false), "a path of somebody's machine");
  EXPECT_EQ(fault_of_line("\"" + users + "ada\"", false), "a path of somebody's machine");
  EXPECT_EQ(fault_of_line(root + "x", false), "a path of somebody's machine");
  EXPECT_EQ(fault_of_line("https://example.org" + home + "page", false), "");
  EXPECT_EQ(fault_of_line("everything below " + home, false), "");
}

}  // namespace
}  // namespace warpwright::lab
