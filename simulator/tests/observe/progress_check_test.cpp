#include "observe/progress_check.h"

#include <gtest/gtest.h>

#include <vector>

#include "scene.h"

namespace warpwright::observe::testing {
namespace {

struct ProgressCheck : ::testing::Test {
  Scene scene{4, 64};
  std::uint32_t first = scene.at_line(36, "bar.sync 0");
  std::uint32_t second = scene.at_line(40, "bar.sync 1");
  std::uint32_t warp_barrier = scene.at_line(50, "bar.warp.sync %r1");

  Play play() const { return Play(scene, make_progress_check()); }
  static Diagnosis only(const Play& play) {
    const std::vector<Diagnosis> found = play.diagnoses();
    EXPECT_EQ(found.size(), 1u);
    return found.empty() ? Diagnosis{} : found.front();
  }
};

TEST_F(ProgressCheck, ADeadlockIsOneDiagnosisThatNamesAllWhoWait) {
  const Diagnosis found = only(play()
                                   .begin(0)
                                   .fault(FaultKind::deadlock, second, 0, all_lanes)
                                   .fault(FaultKind::deadlock, first, 1, lanes(0, 15))
                                   .fault(FaultKind::deadlock, warp_barrier, 1, lane(16)));
  EXPECT_EQ(found.kind, "deadlock");
  EXPECT_EQ(
      found.message,
      "In block (0,0,0), nobody could go on: threads 0 to 31 waited at the block barrier at line 40; threads 32 to "
      "47 waited at the block barrier at line 36; thread 48 waited at the warp barrier at line 50. Each waited for "
      "the others.");
  EXPECT_EQ(found.line, 40u);
  EXPECT_EQ(found.other->line, 36u);
  EXPECT_EQ(found.other->who.thread.x, 32u);
}

TEST_F(ProgressCheck, AWaitForThreadsThatNeverComeIsADeadlockToo) {
  const Diagnosis found = only(play().begin(2).fault(FaultKind::deadlock, first, 0, all_lanes));
  EXPECT_EQ(found.message,
            "In block (2,0,0), nobody could go on: threads 0 to 31 waited at the block barrier at line 36. Those "
            "that they waited for never came.");
  EXPECT_FALSE(found.other.has_value());
}

TEST_F(ProgressCheck, AnEndlessLoopIsToldWhereItWas) {
  const auto loop = scene.at_line(60, "@%p1 bra $L1");
  const Diagnosis found = only(play().begin(0).fault(FaultKind::endless, loop, 1, lane(2)));
  EXPECT_EQ(found.kind, "endless loop");
  EXPECT_EQ(found.message,
            "The launch executed as many instructions as it may and was not done; thread (34,0,0) of block (0,0,0) "
            "was here.");
  EXPECT_EQ(found.hint,
            "Does the loop's condition ever become false for every thread? If it does, and only late, let each warp "
            "execute more: WARPWRIGHT_STEPS=100000000000.");
  EXPECT_EQ(found.line, 60u);
}

TEST_F(ProgressCheck, ATrapNamesItsThread) {
  const auto trap = scene.at_line(61, "trap");
  const Diagnosis found = only(play().begin(0).fault(FaultKind::trap, trap, 0, lane(3)));
  EXPECT_EQ(found.kind, "trap");
  EXPECT_EQ(found.message, "thread (3,0,0) of block (0,0,0) stopped here: __trap() was called.");
  EXPECT_NE(found.hint.find("the compiler has put it there"), std::string::npos);
}

TEST_F(ProgressCheck, ATrapWithoutALineMayBeTheCompilers) {
  const auto trap = scene.in_frames({}, "trap");
  const Diagnosis found = only(play().begin(0).fault(FaultKind::trap, trap, 0, lane(3)));
  EXPECT_NE(found.message.find("the compiler has put a trap"), std::string::npos);
  EXPECT_NE(found.hint.find("__constant__"), std::string::npos);
}

TEST_F(ProgressCheck, AGridThatCannotWaitForItself) {
  const auto trap = scene.in_frames(
      {{"/usr/include/cooperative_groups/details/helpers.h", 40, "sync()"}, {"kernel.cu", 12, "kernel"}}, "trap");
  const Diagnosis found = only(play().begin(0).fault(FaultKind::trap, trap, 0, all_lanes));
  EXPECT_EQ(found.line, 12u);
  EXPECT_EQ(
      found.message,
      "thread (0,0,0) of block (0,0,0) stopped here: grid.sync() needs a cooperative launch, and this one is not.");
  EXPECT_EQ(found.hint, "Launch the kernel with cudaLaunchCooperativeKernel() instead of <<<...>>>.");
}

TEST_F(ProgressCheck, OtherStopsHaveTheirOwnKinds) {
  const auto place = scene.at_line(62, "call");
  const std::pair<FaultKind, std::string> kinds[] = {{FaultKind::stack_overflow, "stack overflow"},
                                                     {FaultKind::bad_call, "bad call"},
                                                     {FaultKind::bad_barrier, "bad barrier"},
                                                     {FaultKind::bad_copy, "bad copy"},
                                                     {FaultKind::assertion, "assertion"}};
  for (const auto& [fault, kind] : kinds) {
    const Diagnosis found = only(play().begin(0).fault(fault, place, 0, lane(5)));
    EXPECT_EQ(found.kind, kind);
    EXPECT_EQ(found.line, 62u);
    ASSERT_TRUE(found.who);
    EXPECT_EQ(found.who->thread.x, 5u);
  }
}

TEST_F(ProgressCheck, AStackThatIsFullNamesTheFunctionThatIsCalled) {
  const auto call = scene.at_line(62, "call.uni (result), depth, (x)");
  scene.program.code[call].flow = machine::Flow::call;
  scene.program.functions = {{.name = "kernel"}, {.name = "depth"}};
  scene.program.call_sites = {{.function = 1}};
  const Diagnosis found = only(play().begin(0).fault(FaultKind::stack_overflow, call, 0, lane(0)));
  EXPECT_EQ(found.message,
            "thread (0,0,0) of block (0,0,0) stopped here: calls that have not returned leave no room on its stack for "
            "another of depth.");
  const auto array = scene.at_line(63, "alloca.u64 %rd1, 4096, 8");
  EXPECT_EQ(only(play().begin(0).fault(FaultKind::stack_overflow, array, 0, lane(0))).message,
            "thread (0,0,0) of block (0,0,0) stopped here: its stack has no room for what it asks for.");
}

TEST_F(ProgressCheck, TellsTheLowestBlockOnlyWhateverTheHostThreads) {
  for (const bool last_first : {false, true}) {
    Play many = play();
    many.begin(3).fault(FaultKind::deadlock, first, 0, all_lanes);
    many.on_another_thread()
        .begin(1)
        .fault(FaultKind::deadlock, first, 0, all_lanes)
        .fault(FaultKind::deadlock, first, 1, all_lanes);
    EXPECT_EQ(only(many.join_forks(last_first)).message.substr(0, 67),
              "In block (1,0,0), nobody could go on: threads 0 to 63 waited at the");
  }
}

}  // namespace
}  // namespace warpwright::observe::testing
