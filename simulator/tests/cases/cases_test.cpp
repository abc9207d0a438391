// Problem: a mistake counts as found when a beginner is led to it: by its kind, its lines, its threads.
// Idea: a case's file says what must be said of it, and marks its lines with comments `// [marker]`. An expectation is
// one comment line:
//   // expect: KIND at [marker] with [marker], thread (x,y,z), block (x,y,z), saying "words"
// (all but KIND and the first marker may be missing; `through [marker] and [marker]` names the calls that led to the
// two lines, `allocated at [marker]` the line of an allocation, `alone` says that nothing else is said); for outputs
// that are left out
//   // expect: coverage of argument N, saying "words"
// and for what costs more than it has to
//   // expect: cost C for I at [marker]
// Invariant: the mended form of every case is silent, and has neither gaps nor excess costs.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <regex>
#include <string>
#include <vector>

#include "cases.h"
#include "cudart/session.h"
#include "observe/coverage.h"
#include "observe/report_json.h"
#include "observe/wording.h"

namespace warpwright {
namespace {

using observe::Diagnosis;

/// What was said of one run.
struct Said {
  std::vector<Diagnosis> diagnoses;
  std::vector<observe::Report> launches;

  std::string text() const {
    std::string text;
    for (const Diagnosis& diagnosis : diagnoses)
      text += diagnosis.kind + " at line " + std::to_string(diagnosis.line) + ": " + diagnosis.message + "\n";
    for (const observe::Report& launch : launches)
      for (const observe::Coverage& coverage : launch.coverage) text += observe::coverage_text(coverage) + "\n";
    return text;
  }
};

Said said_of(const Case& one, bool mended) {
  cudart::reset_errors();
  cudart::take_launches();
  cudart::take_diagnoses();
  one.run(mended);
  Said said{cudart::take_diagnoses(), cudart::take_launches()};
  for (const observe::Report& launch : said.launches)
    said.diagnoses.insert(said.diagnoses.end(), launch.diagnoses.begin(), launch.diagnoses.end());
  return said;
}

/// A case's own text.
class File {
 public:
  explicit File(const std::string& name) {
    std::ifstream file(std::string(CASES_FOLDER) + "/" + name + ".cu");
    for (std::string line; std::getline(file, line);) lines_.push_back(line);
  }

  std::vector<std::string> expectations() const {
    const std::string start = "// expect: ";
    std::vector<std::string> found;
    for (const std::string& line : lines_)
      if (line.starts_with(start)) found.push_back(line.substr(start.size()));
    return found;
  }

  /// The line that carries the comment `// [marker]`.
  std::uint32_t line_of(const std::string& marker) const {
    const auto found = std::ranges::find_if(
        lines_, [&](const std::string& line) { return line.find("// [" + marker + "]") != std::string::npos; });
    if (found == lines_.end()) ADD_FAILURE() << "no marker [" << marker << "]";
    return static_cast<std::uint32_t>(found - lines_.begin()) + 1;
  }

 private:
  std::vector<std::string> lines_;
};

std::optional<std::string> part(const std::string& expectation, const std::string& pattern) {
  std::smatch found;
  if (!std::regex_search(expectation, found, std::regex(pattern))) return std::nullopt;
  return found[1];
}

bool passes(const std::vector<machine::Frame>& frames, std::uint32_t line) {
  return std::ranges::any_of(frames, [&](const machine::Frame& frame) { return frame.line == line; });
}

bool says(const std::string& text, const std::optional<std::string>& words) {
  return !words || text.find(*words) != std::string::npos;
}

bool is_diagnosed(const std::string& expectation, const File& file, const Said& said) {
  const auto line = [&](const std::string& pattern) -> std::optional<std::uint32_t> {
    const auto marker = part(expectation, pattern + R"( \[([^\]]*)\])");
    return marker ? std::optional(file.line_of(*marker)) : std::nullopt;
  };
  const auto kind = part(expectation, R"(^(.*?) at \[)");
  const auto at = line("^[^,]* at");
  const auto with = line("^[^,]* with");
  const auto through = line("through");
  const auto and_through = line(R"(through \[[^\]]*\] and)");
  const auto allocated = line("allocated at");
  const auto thread = part(expectation, R"(thread (\([0-9,]*\)))");
  const auto block = part(expectation, R"(block (\([0-9,]*\)))");
  const auto words = part(expectation, "saying \"(.*)\"");
  return std::ranges::any_of(said.diagnoses, [&](const Diagnosis& diagnosis) {
    const auto is = [&](std::uint32_t here, std::uint32_t there, const auto& frames, const auto& other_frames) {
      return diagnosis.line == here && (!with || (diagnosis.other && diagnosis.other->line == there)) &&
             (!through || passes(frames, *through)) && (!and_through || passes(other_frames, *and_through));
    };
    const std::vector<machine::Frame> none;
    const auto& other_frames = diagnosis.other ? diagnosis.other->frames : none;
    const bool lines = is(*at, with.value_or(0), diagnosis.frames, other_frames) ||
                       (with && is(*with, *at, other_frames, diagnosis.frames));
    return diagnosis.kind == kind && lines &&
           (!thread || (diagnosis.who && observe::text_of(diagnosis.who->thread) == *thread)) &&
           (!block || (diagnosis.who && observe::text_of(diagnosis.who->block) == *block)) &&
           (!allocated || says(diagnosis.message, ".cu:" + std::to_string(*allocated))) &&
           says(diagnosis.message + " " + diagnosis.hint, words);
  });
}

bool has_gap(const std::string& expectation, const Said& said) {
  const auto argument = part(expectation, "argument ([0-9]+)");
  const auto words = part(expectation, "saying \"(.*)\"");
  return std::ranges::any_of(said.launches, [&](const observe::Report& launch) {
    return std::ranges::any_of(launch.coverage, [&](const observe::Coverage& coverage) {
      return std::to_string(coverage.argument) == *argument && says(observe::coverage_text(coverage), words);
    });
  });
}

/// Whether some execution of a memory instruction cost `cost`, where `ideal` would have done. Without a line: anywhere.
bool costs(const Said& said, std::uint32_t cost, std::uint32_t ideal, std::optional<std::uint32_t> line) {
  return std::ranges::any_of(said.launches, [&](const observe::Report& launch) {
    return std::ranges::any_of(launch.instructions, [&](const auto& entry) {
      const observe::InstructionReport& instruction = entry.second;
      return instruction.worst && (!line || instruction.line == *line) && instruction.worst->cost == cost &&
             instruction.worst->ideal == ideal;
    });
  });
}

struct Mistake : testing::TestWithParam<Case> {
  const File file{GetParam().name};
};

TEST_P(Mistake, IsNamed) {
  const Said said = said_of(GetParam(), false);
  const std::vector<std::string> expectations = file.expectations();
  EXPECT_FALSE(expectations.empty());
  for (const std::string& expectation : expectations) {
    if (const auto cost = part(expectation, "^cost ([0-9]+) for")) {
      const auto ideal = part(expectation, "for ([0-9]+) at");
      const std::uint32_t line = file.line_of(part(expectation, R"(at \[([^\]]*)\])").value());
      EXPECT_TRUE(costs(said, std::stoul(*cost), std::stoul(*ideal), line)) << expectation;
      EXPECT_TRUE(said.diagnoses.empty()) << said.text();
    } else if (expectation.starts_with("coverage")) {
      EXPECT_TRUE(has_gap(expectation, said)) << expectation << "\n" << said.text();
      EXPECT_TRUE(said.diagnoses.empty()) << said.text();
    } else {
      EXPECT_TRUE(is_diagnosed(expectation, file, said)) << expectation << "\n" << said.text();
      if (part(expectation, ", (alone)")) {
        EXPECT_EQ(said.diagnoses.size(), 1u) << said.text();
      }
    }
  }
}

TEST_P(Mistake, IsSilentWhenMended) {
  const Said said = said_of(GetParam(), true);
  EXPECT_TRUE(said.diagnoses.empty()) << said.text();
  for (const std::string& expectation : file.expectations()) {
    if (expectation.starts_with("coverage")) {
      EXPECT_FALSE(has_gap(expectation, said)) << said.text();
    }
    if (const auto cost = part(expectation, "^cost ([0-9]+) for")) {
      EXPECT_FALSE(costs(said, std::stoul(*cost), std::stoul(*part(expectation, "for ([0-9]+) at")), std::nullopt));
    }
  }
}

TEST_P(Mistake, IsToldTheSameByAnyNumberOfHostThreads) {
  for (const bool mended : {false, true}) {
    std::string by_one;
    for (const unsigned threads : {1u, 2u, 4u}) {
      cudart::settings().host_threads = threads;
      const Said said = said_of(GetParam(), mended);
      const std::string json = observe::to_json(cudart::device_name(), said.launches, said.diagnoses);
      if (threads == 1) by_one = json;
      EXPECT_EQ(json, by_one) << threads << " threads" << (mended ? ", mended" : "");
    }
  }
  cudart::settings().host_threads = 0;
}

INSTANTIATE_TEST_SUITE_P(Cases, Mistake, testing::ValuesIn(cases().begin(), cases().end()),
                         [](const testing::TestParamInfo<Case>& one) { return one.param.name; });

}  // namespace
}  // namespace warpwright
