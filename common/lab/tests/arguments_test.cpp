#include <gtest/gtest.h>

#include "problem.h"
#include "request.h"

namespace warpwright::lab {
namespace {

Request read(std::vector<const char*> words) {
  words.insert(words.begin(), "lab");
  return read_arguments(static_cast<int>(words.size()), words.data());
}

std::string problem_of(const std::vector<const char*>& words) {
  try {
    read(words);
  } catch (const Problem& problem) {
    return std::string(problem.what()) + " | " + problem.mend;
  }
  return "no problem";
}

TEST(Arguments, AreNotNeeded) { EXPECT_TRUE(std::holds_alternative<request::Progress>(read({}))); }

TEST(Arguments, ReachTheirCommand) {
  const auto test = std::get<request::Test>(read({"test", "reduce.v1", "--solution"}));
  EXPECT_EQ(test.name, "reduce.v1");
  EXPECT_TRUE(test.solution);
  EXPECT_FALSE(test.on_gpu);
  EXPECT_TRUE(std::get<request::Test>(read({"test", "reduce.v1", "--on", "gpu"})).on_gpu);

  const auto profile = std::get<request::Profile>(read({"profile", "reduce.v1", "--n", "1048576", "--json"}));
  EXPECT_EQ(profile.n, 1048576u);
  EXPECT_TRUE(profile.json);
  EXPECT_FALSE(profile.solution);
  EXPECT_EQ(std::get<request::Profile>(read({"profile", "reduce.v1", "--ptx", "31"})).ptx, 31);
  EXPECT_EQ(std::get<request::Profile>(read({"profile", "reduce.v1"})).n, std::nullopt);

  EXPECT_EQ(std::get<request::Test>(read({"test", "reduce.v1"})).schedule, std::nullopt);
  EXPECT_EQ(std::get<request::Test>(read({"test", "reduce.v1", "--schedule", "0"})).schedule, 0u);
  EXPECT_EQ(std::get<request::Profile>(read({"profile", "reduce.v1"})).schedule, std::nullopt);
  EXPECT_EQ(std::get<request::Profile>(read({"profile", "reduce.v1", "--schedule", "7"})).schedule, 7u);

  EXPECT_EQ(std::get<request::Hint>(read({"hint", "reduce.v1", "--tier", "3"})).tier, 3);
  EXPECT_EQ(std::get<request::Hint>(read({"hint", "reduce.v1"})).tier, std::nullopt);
  EXPECT_TRUE(std::get<request::Solution>(read({"solution", "reduce.v1", "--anyway"})).anyway);
  EXPECT_TRUE(std::get<request::List>(read({"list", "--json"})).json);
  EXPECT_EQ(std::get<request::Reset>(read({"reset", "reduce.v1"})).name, "reduce.v1");
  EXPECT_EQ(std::get<request::Docs>(read({"docs", "serve", "--port", "80"})).words,
            (std::vector<std::string>{"serve", "--port", "80"}));
  EXPECT_EQ(std::get<request::Check>(read({"check", "--jobs", "3"})).jobs, 3);
}

TEST(Arguments, OfASimulatedProgramAreItsOwn) {
  const auto simulate = [](const std::vector<const char*>& words) {
    std::vector<const char*> all = {"simulate"};
    all.insert(all.end(), words.begin(), words.end());
    return std::get<request::Simulate>(read(all));
  };
  using Words = std::vector<std::string>;
  EXPECT_EQ(simulate({"./sum"}).program, "./sum");
  EXPECT_EQ(simulate({"./sum"}).schedule, std::nullopt);
  const auto mixed =
      simulate({"--device", "rtx 4090", "./sum", "-n", "5", "--json", "x", "list", "--schedule=3", "-h"});
  EXPECT_EQ(mixed.program, "./sum");
  EXPECT_EQ(mixed.arguments, (Words{"-n", "5", "list", "-h"}));
  EXPECT_EQ(mixed.json, "x");
  EXPECT_EQ(mixed.device, "RTX 4090");
  EXPECT_EQ(mixed.schedule, 3u);
  const auto behind = simulate({"./sum", "1", "--", "--json", "x", "--"});
  EXPECT_EQ(behind.arguments, (Words{"1", "--json", "x", "--"}));
  EXPECT_EQ(behind.json, "");
  EXPECT_EQ(simulate({"--", "--odd name", "--json"}).arguments, (Words{"--json"}));
  EXPECT_EQ(problem_of({"simulate", "--jsn", "x", "./sum"}),
            "./lab simulate has no option --jsn; did you mean --json? | ./lab simulate --help");
  EXPECT_EQ(problem_of({"simulate", "./sum", "--schedule", "tea"}),
            "./lab simulate: --schedule wants a whole number, not tea | ./lab simulate --help");
  EXPECT_EQ(problem_of({"simulate"}), "./lab simulate wants to know more: PROGRAM is required | ./lab simulate --help");
}

TEST(Arguments, MayNameASizeAsAPowerOfTwo) {
  EXPECT_EQ(std::get<request::Profile>(read({"profile", "a", "--n", "2^20"})).n, 1048576u);
  for (const char* wrong : {"2^64", "2^", "-1", "1e6", "", "12x"}) {
    EXPECT_NE(problem_of({"profile", "a", "--n", wrong}).find("--n wants a whole number"), std::string::npos) << wrong;
  }
}

TEST(Arguments, OfferTheNearestCommandAndOption) {
  EXPECT_EQ(problem_of({"hnt", "reduce.v1"}), "there is no command hnt; did you mean ./lab hint? | ./lab --help");
  EXPECT_EQ(problem_of({"frobnicate"}), "there is no command frobnicate | ./lab --help");
  EXPECT_EQ(problem_of({"test", "reduce.v1", "--solutoin"}),
            "./lab test has no option --solutoin; did you mean --solution? | ./lab test --help");
  EXPECT_EQ(problem_of({"reduce.v1"}), "reduce.v1 is not a command | ./lab test reduce.v1");
}

TEST(Arguments, SayWhatIsMissingOrTooMuch) {
  EXPECT_EQ(problem_of({"hint"}), "./lab hint wants to know more: NAME is required | ./lab hint --help");
  EXPECT_EQ(problem_of({"test", "reduce.v1", "reduce.v2"}),
            "./lab test does not know what to do with reduce.v2 | ./lab test --help");
  EXPECT_NE(problem_of({"hint", "reduce.v1", "--tier", "4"}).find("--tier"), std::string::npos);
  EXPECT_EQ(problem_of({"setup"}), "this is done by the script ./lab at the root of the repository | ./lab setup");
}

TEST(Arguments, ExplainEachCommandWithExamples) {
  for (const char* command :
       {"test", "check", "profile", "list", "hint", "solution", "reset", "docs", "setup", "doctor"}) {
    testing::internal::CaptureStdout();
    EXPECT_TRUE(std::holds_alternative<request::Nothing>(read({command, "--help"})));
    const std::string help = testing::internal::GetCapturedStdout();
    EXPECT_NE(help.find("Examples\n  ./lab " + std::string(command)), std::string::npos) << help;

    testing::internal::CaptureStdout();
    read({"--help"});
    EXPECT_NE(testing::internal::GetCapturedStdout().find("./lab " + std::string(command)), std::string::npos)
        << command;
  }
}

}  // namespace
}  // namespace warpwright::lab
