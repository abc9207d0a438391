#include "observe/load_waits.h"

#include <gtest/gtest.h>

#include "observe/metrics.h"
#include "observe/operands.h"
#include "scene.h"

namespace warpwright::observe::testing {
namespace {

/// One warp runs the lines one after the other, `times` times; a line with a guard is executed by the lanes of `on`. A
/// branch leads to the first line.
double waits(const std::vector<std::string>& lines, int times = 1, Lanes on = all_lanes) {
  Scene scene(1, 32);
  for (std::size_t i = 0; i < lines.size(); ++i) scene.at_line(static_cast<std::uint32_t>(i + 1), lines[i]);
  Play play(scene, make_load_waits());
  play.begin(0);
  for (int time = 0; time < times; ++time) {
    for (std::uint32_t pc = 0; pc < lines.size(); ++pc)
      play.run(pc, 1, all_lanes, lines[pc].starts_with('@') ? on : all_lanes);
  }
  play.end();
  return play.metrics().at(std::string(metric::global_load_waits));
}

TEST(LoadWaits, LoadsOfAStretchGoTogetherWhereverTheirUsesStand) {
  EXPECT_EQ(waits({"ld.global.f32 %f1, [%rd1]", "add.f32 %f9, %f9, %f1"}), 1);
  EXPECT_EQ(waits({"ld.global.f32 %f1, [%rd1]", "add.f32 %f9, %f9, %f1", "ld.global.f32 %f2, [%rd1+4]",
                   "add.f32 %f9, %f9, %f2"}),
            1);
}

TEST(LoadWaits, AnAddressThatWasLoadedBeginsARound) {
  EXPECT_EQ(waits({"ld.global.b64 %rd5, [%rd1]", "ld.global.f32 %f1, [%rd5]", "add.f32 %f9, %f9, %f1"}), 2);
  EXPECT_EQ(waits({"ld.global.b64 %rd5, [%rd1]", "add.s64 %rd6, %rd5, 4", "mov.b64 %rd7, %rd6",
                   "ld.global.f32 %f1, [%rd7]", "ld.global.f32 %f2, [%rd2]", "add.f32 %f9, %f2, %f1"}),
            2);
}

TEST(LoadWaits, AStoreThatWaitsHoldsLaterLoadsBack) {
  const std::string load = "ld.global.f32 %f1, [%rd1]", use = "add.f32 %f9, %f9, %f2";
  EXPECT_EQ(waits({load, "st.global.f32 [%rd2], %f1", "ld.global.f32 %f2, [%rd1+4]", use}), 2);
  EXPECT_EQ(waits({load, "st.global.f32 [%rd2], %f7", "ld.global.f32 %f2, [%rd1+4]", use, "neg.f32 %f3, %f1"}), 1);
  EXPECT_EQ(waits({load, "st.global.f32 [%rd2], %f1", "ld.global.nc.f32 %f2, [%rd1+4]", use}), 1);
  EXPECT_EQ(waits({load, "st.shared.f32 [%r2], %f1", "ld.global.f32 %f2, [%rd1+4]", use}), 1);
}

TEST(LoadWaits, ABarrierBehindAStoreThatWaitsHoldsLaterLoadsBack) {
  EXPECT_EQ(waits({"ld.global.f32 %f1, [%rd1]", "st.shared.f32 [%r2], %f1", "bar.sync 0", "ld.global.f32 %f2, [%rd1+4]",
                   "add.f32 %f9, %f9, %f2"}),
            2);
  EXPECT_EQ(waits({"ld.global.f32 %f1, [%rd1]", "bar.sync 0", "ld.global.f32 %f2, [%rd1+4]", "add.f32 %f9, %f1, %f2"}),
            1);
}

TEST(LoadWaits, AValueThatNobodyUsesIsNotWaitedFor) {
  EXPECT_EQ(waits({"ld.global.f32 %f1, [%rd1]", "add.f32 %f2, %f10, %f11"}), 0);
  EXPECT_EQ(waits({"ld.global.f32 %f1, [%rd1]", "mov.f32 %f1, 0f00000000", "add.f32 %f9, %f9, %f1"}), 0);
}

TEST(LoadWaits, AStoreABranchAndAGuardAreUses) {
  EXPECT_EQ(waits({"ld.global.f32 %f1, [%rd1]", "st.global.f32 [%rd2], %f1"}), 1);
  EXPECT_EQ(waits({"ld.global.b64 %rd5, [%rd1]", "st.global.f32 [%rd5], %f1"}), 1);
  EXPECT_EQ(waits({"ld.global.b32 %p1, [%rd1]", "@%p1 bra $L1"}), 1);
  EXPECT_EQ(waits({"ld.global.b32 %p1, [%rd1]", "@!%p1 bra $L1"}), 1);
}

TEST(LoadWaits, EveryElementOfAVectorIsFilled) {
  EXPECT_EQ(waits({"ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1]", "add.f32 %f9, %f9, %f4", "add.f32 %f9, %f9, %f1"}),
            1);
  EXPECT_EQ(waits({"ld.global.v2.f32 {%f1, %f2}, [%rd1]", "st.global.v2.f32 [%rd2], {%f8, %f2}"}), 1);
}

TEST(LoadWaits, ABranchEndsAStretchAndLeavesValuesUnderWay) {
  const std::string first = "ld.global.f32 %f1, [%rd1]", second = "ld.global.f32 %f2, [%rd1+4]";
  EXPECT_EQ(waits({first, "add.f32 %f9, %f9, %f1", "@%p1 bra $L1", second, "add.f32 %f9, %f9, %f2"}), 2);
  EXPECT_EQ(waits({first, "@%p1 bra $L1", second, "add.f32 %f9, %f1, %f2"}), 1);
  EXPECT_EQ(waits({first, "mov.f32 %f5, %f1", "@%p1 bra $L1", second, "add.f32 %f9, %f5, %f2"}), 1);
  EXPECT_EQ(waits({first, "@%p1 bra $L1", "add.f32 %f9, %f1, %f1", second, "add.f32 %f9, %f9, %f2"}), 1);
}

TEST(LoadWaits, ALoopWaitsInEveryRound) {
  EXPECT_EQ(waits({"ld.global.f32 %f1, [%rd1]", "add.f32 %f9, %f9, %f1", "@%p1 bra $L1"}, 10), 10);
}

TEST(LoadWaits, ALoopThatLoadsAheadHasTwoUnderWay) {
  // The load is pulled up before the use of what the time before has loaded: both are waited for together.
  EXPECT_EQ(waits({"add.f32 %f9, %f9, %f2", "ld.global.f32 %f1, [%rd1]", "mov.f32 %f2, %f1", "@%p1 bra $L1"}, 10), 5);
}

TEST(LoadWaits, OnlyGlobalLoadsCount) {
  EXPECT_EQ(waits({"ld.shared.f32 %f1, [%r1]", "add.f32 %f9, %f9, %f1"}), 0);
  EXPECT_EQ(waits({"atom.global.add.f32 %f1, [%rd1], %f2", "add.f32 %f9, %f9, %f1"}), 0);
}

TEST(LoadWaits, AGuardThatHoldsForNobodyMakesNoUse) {
  const std::vector<std::string> lines = {"ld.global.f32 %f1, [%rd1]", "@%p1 add.f32 %f9, %f9, %f1"};
  EXPECT_EQ(waits(lines, 1, 0), 0);
  EXPECT_EQ(waits(lines, 1, lane(3)), 1);
}

TEST(LoadWaits, AWaitIsToldWhereTheFirstUseStands) {
  Scene scene(1, 32);
  scene.at_line(1, "ld.global.f32 %f1, [%rd1]");
  scene.at_line(2, "ld.global.f32 %f2, [%rd1+4]");
  const auto use = scene.at_line(3, "add.f32 %f9, %f9, %f2");
  scene.at_line(4, "add.f32 %f9, %f9, %f1");
  Play play(scene, make_load_waits());
  const Report report = play.begin(0).run(0, 4, all_lanes, all_lanes).end().report();
  EXPECT_EQ(report.instructions.at(use).metrics.at(std::string(metric::global_load_waits)), 1);
  EXPECT_EQ(report.instructions.size(), 1u);
}

TEST(LoadWaits, BlocksWaitForThemselvesOnAnyThread) {
  Scene scene(2, 32);
  const auto load = scene.at_line(1, "ld.global.f32 %f1, [%rd1]");
  scene.at_line(2, "bra $L1");
  const auto use = scene.at_line(3, "add.f32 %f9, %f9, %f1");
  const auto count = [](Play& play) { return play.metrics().at(std::string(metric::global_load_waits)); };
  Play apart(scene, make_load_waits());
  apart.begin(0).run(load, 2, all_lanes, all_lanes).begin(1).run(use, 1, all_lanes, all_lanes).end().in(0).end();
  EXPECT_EQ(count(apart), 0);
  Play both(scene, make_load_waits());
  both.begin(0).run(load, 3, all_lanes, all_lanes).end();
  both.on_another_thread().begin(1).run(load, 3, all_lanes, all_lanes).end();
  EXPECT_EQ(count(both.join_forks()), 2);
}

TEST(Operands, AreReadOrWritten) {
  const auto expect = [](const std::string& text, std::vector<std::string> written, std::vector<std::string> read) {
    const Operands operands = operands_of(text);
    EXPECT_EQ(operands.written, written) << text;
    EXPECT_EQ(operands.read, read) << text;
  };
  expect("add.s32 %r1, %r2, 4", {"%r1"}, {"%r2"});
  expect("@!%p1 ld.global.v2.f32 {%f1, %f2}, [%rd1+8]", {"%f1", "%f2"}, {"%p1", "%rd1"});
  expect("st.global.v2.f32 [%rd1], {%f1, %f2}", {}, {"%rd1", "%f1", "%f2"});
  expect("shfl.sync.down.b32 %r1|%p2, %r3, 16, 31, -1", {"%r1", "%p2"}, {"%r3"});
  expect("mov.f32 %f1, 0f3F800000", {"%f1"}, {});
  expect("@%p1 bra $L__BB0_2", {}, {"%p1", "$L__BB0_2"});
  expect("bar.sync 0", {}, {});
  expect("ret", {}, {});
}

}  // namespace
}  // namespace warpwright::observe::testing
