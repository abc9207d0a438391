#include "observe/report.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "observe/causes.h"
#include "observe/report_json.h"
#include "scene.h"

namespace warpwright::observe::testing {
namespace {

struct Reports : ::testing::Test {
  Scene scene{4, 64};
  std::uint32_t load = scene.at_line(28, "ld.global.f32 %f1, [%rd1]");
  std::uint32_t same_line = scene.at_line(28, "add.f32 %f1, %f1, %f2");
  std::uint32_t early_line = scene.at_line(7, "mov.u32 %r1, %tid.x");
  std::uint32_t nowhere = scene.in_frames({}, "ret");
  Report report{scene.program};
};

TEST_F(Reports, AddUpByKernelInstructionAndLine) {
  report.add(load, "ptx__a", 2);
  report.add(load, "ptx__a", 3);
  report.add(same_line, "ptx__a", 10);
  report.add(early_line, "ptx__b", 1);
  report.add(nowhere, "ptx__a", 100);
  report.add("ptx__b", 7);
  EXPECT_EQ(report.metrics, (Metrics{{"ptx__a", 115}, {"ptx__b", 8}}));
  EXPECT_EQ(report.instructions.at(load).metrics, (Metrics{{"ptx__a", 5}}));
  EXPECT_EQ(report.instructions.at(load).text, "ld.global.f32 %f1, [%rd1]");
  EXPECT_EQ(report.instructions.at(load).ptx_line, 100u);
  EXPECT_EQ(report.instructions.at(load).line, 28u);
  const std::vector<LineReport> lines = report.lines();
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].line, 7u);
  EXPECT_EQ(lines[1].line, 28u);
  EXPECT_EQ(lines[1].file, "kernel.cu");
  EXPECT_EQ(lines[1].metrics, (Metrics{{"ptx__a", 15}}));
}

TEST_F(Reports, AttributeAnInlinedInstructionToTheLearnersLine) {
  const auto shuffle = scene.in_frames({{"/opt/cuda/include/sm_30_intrinsics.hpp", 413, "__shfl_down_sync"},
                                        {"kernel.cu", 12, "warp_sum"},
                                        {"kernel.cu", 40, "kernel"}},
                                       "shfl.sync.down.b32 %r1, %r2, 1, 31, -1");
  report.add(shuffle, "ptx__a", 1);
  EXPECT_EQ(report.lines().at(0).line, 12u);
  EXPECT_EQ(report.instructions.at(shuffle).frames.size(), 3u);
}

TEST_F(Reports, OfALaunchThatEndedEarlyHaveNoCounters) {
  report.add(load, "ptx__a", 2);
  report.add("ptx__b", 7);
  EXPECT_EQ(to_json("d", std::vector{report}).find("ended_early"), std::string::npos);
  report.end_early();
  const auto launch = nlohmann::json::parse(to_json("d", std::vector{report}))["launches"][0];
  EXPECT_EQ(launch["ended_early"], true);
  EXPECT_TRUE(launch["metrics"].empty());
  EXPECT_TRUE(launch["lines"].empty());
}

TEST_F(Reports, BecomeJson) {
  report.kernel = "reduce<256>";
  report.grid = {4, 2, 1};
  report.block = {64, 1, 1};
  report.dynamic_shared_bytes = 1024;
  report.add(same_line, "ptx__a", 10);
  report.add(load, "ptx__a", 5);
  report.add("ptx__share", 0.5);
  Diagnosis race;
  race.kind = "race";
  race.message = "two threads";
  race.kernel = "reduce<256>";
  race.who = Thread{{1, 0, 0}, {2, 3, 0}};
  race.file = "kernel.cu";
  race.line = 28;
  race.count = 3;
  race.other = Diagnosis::Other{Thread{{1, 0, 0}, {4, 0, 0}}, "kernel.cu", 7, {}};
  report.diagnose(race);
  Diagnosis loose;
  loose.kind = "copy";
  loose.message = "a bad pointer";
  loose.hint = "mend it";

  const std::string text = to_json("simulated H200", std::vector{report}, std::vector{loose});
  const auto expected = nlohmann::json::parse(R"({
    "device": "simulated H200",
    "launches": [{
      "kernel": "reduce<256>", "grid": [4, 2, 1], "block": [64, 1, 1], "dynamic_shared_bytes": 1024,
      "metrics": {"ptx__a": 15, "ptx__share": 0.5},
      "lines": [{"file": "kernel.cu", "line": 28, "metrics": {"ptx__a": 15},
                 "ptx": [{"line": 100, "text": "ld.global.f32 %f1, [%rd1]", "metrics": {"ptx__a": 5}},
                         {"line": 101, "text": "add.f32 %f1, %f1, %f2", "metrics": {"ptx__a": 10}}]}]
    }],
    "diagnoses": [
      {"kind": "race", "message": "two threads", "kernel": "reduce<256>", "block": [1, 0, 0], "thread": [2, 3, 0],
       "file": "kernel.cu", "line": 28, "count": 3,
       "other": {"block": [1, 0, 0], "thread": [4, 0, 0], "file": "kernel.cu", "line": 7}},
      {"kind": "copy", "message": "a bad pointer", "hint": "mend it", "count": 1}
    ]})");
  EXPECT_EQ(nlohmann::json::parse(text), expected) << text;
  EXPECT_NE(text.find("\"ptx__a\": 15,"), std::string::npos) << "a count is an integer";
  EXPECT_NE(text.find("\"ptx__share\": 0.5"), std::string::npos);
}

TEST_F(Reports, TellWhereLanesWentInTheWorstExecution) {
  const auto shared = scene.at_line(30, "ld.shared.f32 %f1, [%r1]");
  Report report(scene.program);
  Exemplar worst;
  worst.block = 3;
  worst.warp = 1;
  worst.lanes = lanes(4, 5);
  worst.cost = 2;
  worst.ideal = 1;
  worst.addresses[4] = 8;
  worst.addresses[5] = 8 + 128;
  report.add(load, "ptx__a", 1);
  report.worst(load, worst);
  report.add(shared, "ptx__a", 1);
  worst.shared = SharedOperation::load;
  report.worst(shared, worst);

  const auto lines = nlohmann::json::parse(to_json("d", std::vector{report}))["launches"][0]["lines"];
  auto in_global = lines[0]["ptx"][0]["worst"], in_shared = lines[1]["ptx"][0]["worst"];
  EXPECT_EQ(in_global["addresses"].size(), 32u);
  EXPECT_EQ(in_global["addresses"][3], nullptr);
  EXPECT_EQ(in_global["addresses"][5], 136);
  EXPECT_FALSE(in_global.contains("wavefronts"));
  ASSERT_EQ(in_shared["wavefronts"].size(), 2u);
  EXPECT_EQ(in_shared["wavefronts"][1]["lanes"], 1u << 5);
  EXPECT_EQ(in_shared["wavefronts"][1]["lane_of_bank"][2], 5);
  EXPECT_EQ(in_shared["wavefronts"][1]["lane_of_bank"][3], -1);
  in_shared.erase("wavefronts");
  EXPECT_EQ(in_shared, in_global);
}

TEST_F(Reports, SurviveAFileNameThatIsNotUtf8) {
  Diagnosis odd;
  odd.kind = "race";
  odd.file = "caf\xe9.cu";
  odd.line = 1;
  EXPECT_NO_THROW(to_json("simulated H200", {}, std::vector{odd}));
}

TEST(Diagnoses, TellWhatNobodyWroteBeforeTheFaultOfItsBlock) {
  const auto in_block = [](const char* kind, std::uint32_t block) {
    Diagnosis diagnosis;
    diagnosis.kind = kind;
    diagnosis.who = Thread{.block = {block, 0, 0}, .thread = {}};
    return diagnosis;
  };
  const auto kinds_after = [](std::vector<Diagnosis> diagnoses) {
    put_causes_first(diagnoses);
    std::vector<std::string> kinds;
    for (const Diagnosis& diagnosis : diagnoses) kinds.push_back(diagnosis.kind);
    return kinds;
  };
  EXPECT_EQ(kinds_after({in_block("out of bounds", 3), in_block("race", 3), in_block("uninitialised", 3)}),
            (std::vector<std::string>{"uninitialised", "out of bounds", "race"}));
  EXPECT_EQ(kinds_after({in_block("out of bounds", 3), in_block("uninitialised", 4)}),
            (std::vector<std::string>{"out of bounds", "uninitialised"}));
  EXPECT_EQ(kinds_after({in_block("race", 3), in_block("uninitialised", 3)}),
            (std::vector<std::string>{"race", "uninitialised"}));
}

}  // namespace
}  // namespace warpwright::observe::testing
