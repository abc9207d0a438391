// Problem: a counter that agrees with the hardware on single accesses may still be wrong of a whole kernel.
// Idea: every launch of every solution, counted here as Nsight Compute counted it on an H200 (counters.csv). The
// columns of that table are named by ncu, and so are our metrics.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {

/// Where a value goes depends on which warp comes first, and with it how many sectors and banks a store touches: of
/// these solutions only the requests are the same in every run.
const std::set<std::string> order_dependent = {"warps.ballot_filter", "warps.partition"};

/// What was counted of one launch, and the exercise that it belongs to.
struct Launch {
  std::string exercise;
  std::vector<std::string> words;  // launch number, grid, block, then a number for each metric
};

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> words;
  std::istringstream text(line);
  for (std::string word; std::getline(text, word, ',');) words.push_back(word);
  return words;
}

struct Recording {
  std::vector<std::string> metrics;
  std::vector<Launch> launches;
  std::vector<std::string> exercises;
};

Recording read_recording() {
  std::ifstream file(WARPWRIGHT_COUNTERS);
  Recording recording;
  std::string line;
  std::getline(file, line);
  const std::vector<std::string> head = split(line);
  recording.metrics.assign(head.begin() + 4, head.end());
  while (std::getline(file, line)) {
    const std::vector<std::string> words = split(line);
    if (recording.exercises.empty() || recording.exercises.back() != words[0]) recording.exercises.push_back(words[0]);
    recording.launches.push_back({words[0], {words.begin() + 1, words.end()}});
  }
  return recording;
}

const Recording& recording() {
  static const Recording all = read_recording();
  return all;
}

std::string extent(const nlohmann::json& dim) {
  return fmt::format("{} x {} x {}", dim[0].get<unsigned>(), dim[1].get<unsigned>(), dim[2].get<unsigned>());
}

/// The same of the simulated GPU.
std::vector<Launch> count(const std::string& exercise) {
  const std::string command =
      fmt::format("'{}/bench.solution.{}' --profile --json --n {}", WARPWRIGHT_PROGRAMS, exercise, 1 << 20);
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::string text;
  char buffer[65536];
  for (std::size_t n; pipe != nullptr && (n = std::fread(buffer, 1, sizeof buffer, pipe.get())) > 0;)
    text.append(buffer, n);
  std::vector<Launch> launches;
  const auto profile = nlohmann::json::parse(text);
  for (const auto& launch : profile.at("launches")) {
    Launch counted{exercise,
                   {std::to_string(launches.size() + 1), extent(launch.at("grid")), extent(launch.at("block"))}};
    for (const std::string& metric : recording().metrics)
      counted.words.push_back(std::to_string(launch.at("metrics").at(metric).get<std::uint64_t>()));
    launches.push_back(counted);
  }
  return launches;
}

class Solutions : public testing::TestWithParam<std::string> {};

TEST_P(Solutions, CountWhatTheH200Counts) {
  std::vector<Launch> expected;
  for (const Launch& launch : recording().launches)
    if (launch.exercise == GetParam()) expected.push_back(launch);
  const std::vector<Launch> counted = count(GetParam());
  ASSERT_EQ(counted.size(), expected.size()) << "launches";
  for (std::size_t i = 0; i < counted.size(); ++i) {
    for (std::size_t column = 0; column < expected[i].words.size(); ++column) {
      const std::string name = column < 3 ? "" : recording().metrics[column - 3];
      if (order_dependent.count(GetParam()) != 0 && column >= 3 && name.find("requests") == std::string::npos) continue;
      EXPECT_EQ(counted[i].words[column], expected[i].words[column]) << name << " of launch " << i + 1;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(OfTheCourse, Solutions, testing::ValuesIn(recording().exercises), [](const auto& exercise) {
  std::string name = exercise.param;
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
});

TEST(Recording, IsThere) { EXPECT_GE(recording().exercises.size(), 8u); }

}  // namespace
