// Problem: blocks are spread over threads of the host, and what is said of a launch must not depend on it.
// Idea: programs of the course, right and wrong ones, run once with one, two and four threads; all that they print has
// to be the same, byte for byte.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

namespace {

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

/// What the program prints, times apart.
std::string printed(const std::string& arguments, unsigned host_threads) {
  const std::string command =
      fmt::format("WARPWRIGHT_HOST_THREADS={} '{}'/{} 2>&1", host_threads, WARPWRIGHT_PROGRAMS, arguments);
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::string text;
  char buffer[65536];
  for (std::size_t n; pipe != nullptr && (n = std::fread(buffer, 1, sizeof buffer, pipe.get())) > 0;)
    text.append(buffer, n);
  return std::regex_replace(text, std::regex(R"(\([0-9]+ ms( total)?\))"), "(time)");
}

class HostThreads : public testing::TestWithParam<std::string> {};

TEST_P(HostThreads, ChangeNothingThatIsSaid) {
  const std::string by_one = printed(GetParam(), 1);
  EXPECT_GT(by_one.size(), 200u) << by_one;
  for (const unsigned threads : {2u, 4u}) EXPECT_EQ(printed(GetParam(), threads), by_one) << threads << " threads";
}

std::vector<std::string> programs() {
  std::vector<std::string> programs;
  for (const std::string& exercise : words_of(WARPWRIGHT_SOLUTIONS))
    programs.push_back(fmt::format("bench.solution.{} --profile --json --n {}", exercise, 1 << 16));
  for (const std::string& kernel : words_of(WARPWRIGHT_WRONG_KERNELS)) programs.push_back("wrong." + kernel);
  return programs;
}

INSTANTIATE_TEST_SUITE_P(OfTheCourse, HostThreads, testing::ValuesIn(programs()), [](const auto& program) {
  std::string name = program.param.substr(0, program.param.find(' '));
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
});

}  // namespace
