#include "observe/shuffle_check.h"

#include <gtest/gtest.h>

#include <vector>

#include "scene.h"

namespace warpwright::observe::testing {
namespace {

constexpr std::uint32_t own_value = 99;  // a source outside the segment

struct ShuffleCheck : ::testing::Test {
  Scene scene{2, 180};  // the last warp has 20 lanes
  std::uint32_t pc = scene.at_line(27, "shfl.sync.bfly.b32 %r1, %r2, 16, 31, -1");

  Play play() const { return Play(scene, make_shuffle_check()); }
  static Lanes full(int) { return all_lanes; }
  static void expect_silence(const Play& play) {
    for (const Diagnosis& diagnosis : play.diagnoses()) ADD_FAILURE() << diagnosis.message;
  }
  static Diagnosis only(const Play& play) {
    const std::vector<Diagnosis> found = play.diagnoses();
    EXPECT_EQ(found.size(), 1u);
    return found.empty() ? Diagnosis{} : found.front();
  }
};

TEST_F(ShuffleCheck, AWholeWarpIsFine) {
  expect_silence(
      play()
          .begin(0)
          .shuffle(pc, 0, all_lanes, all_lanes, full, [](int lane) { return lane ^ 16; })
          .shuffle(pc, 0, all_lanes, all_lanes, full, [](int lane) { return lane < 16 ? lane + 16 : own_value; }));
}

TEST_F(ShuffleCheck, GroupsThatNameTheirOwnLanesAreFine) {
  expect_silence(play().begin(0).shuffle(
      pc, 0, all_lanes, all_lanes, [](int lane) { return lane < 16 ? lanes(0, 15) : lanes(16, 31); },
      [](int lane) { return lane ^ 8; }));
}

TEST_F(ShuffleCheck, AFullMaskInAPartialWarpIsFineWhileNobodyReadsBeyondIt) {
  expect_silence(play().begin(0).shuffle(pc, 5, lanes(0, 19), lanes(0, 19), full, [](int) { return 0; }));
}

TEST_F(ShuffleCheck, ReadingALaneThatWasNeverLaunched) {
  const Diagnosis read =
      only(play().begin(0).shuffle(pc, 5, lanes(0, 19), lanes(0, 19), full, [](int lane) { return lane ^ 16; }));
  EXPECT_EQ(read.kind, "shuffle source");
  EXPECT_EQ(read.message,
            "thread (164,0,0) of block (0,0,0) (lane 4 of warp 5) reads the value of lane 20, which does not exist: "
            "the block has 180 threads. The result is undefined.");
  EXPECT_EQ(read.hint,
            "Launch a multiple of 32 threads and give the extra ones a value that changes nothing, 0 for a sum. If the "
            "size is given, let each lane name one that is there, itself if need be.");
  EXPECT_EQ(read.line, 27u);
  EXPECT_EQ(read.count, 12u);
}

TEST_F(ShuffleCheck, ReadingALaneThatHasExited) {
  const Diagnosis read = only(
      play().begin(0).shuffle(pc, 0, lanes(0, 15), lanes(0, 15), full, [](int lane) { return lane == 3 ? 19 : lane; }));
  EXPECT_EQ(
      read.message,
      "thread (3,0,0) of block (0,0,0) (lane 3 of warp 0) reads the value of lane 19, which has exited. The result "
      "is undefined.");
}

TEST_F(ShuffleCheck, AMaskThatNamesLanesInAnotherBranch) {
  const Diagnosis mask =
      only(play().begin(0).shuffle(pc, 0, lanes(0, 16), all_lanes, full, [](int) { return own_value; }));
  EXPECT_EQ(mask.kind, "shuffle mask");
  EXPECT_EQ(mask.message,
            "thread (0,0,0) of block (0,0,0) (lane 0 of warp 0) gives the member mask 0xffffffff, but only lanes 0 "
            "to 16 of the warp execute this shuffle together: lanes 17 to 31 are alive and elsewhere. The result is "
            "undefined.");
  EXPECT_EQ(mask.count, 17u);
}

TEST_F(ShuffleCheck, ReadingALaneInAnotherBranchIsToldByTheMaskThatNamesItElseByTheSource) {
  const auto read_17 = [](int) { return 17; };
  EXPECT_EQ(only(play().begin(0).shuffle(pc, 0, lanes(0, 16), all_lanes, full, read_17)).kind, "shuffle mask");
  const Diagnosis read = only(play().begin(0).shuffle(
      pc, 0, lanes(0, 16), all_lanes, [](int) { return lanes(0, 16); }, read_17));
  EXPECT_EQ(read.kind, "shuffle source");
  EXPECT_NE(read.message.find("lane 17, which does not execute this shuffle with it"), std::string::npos);
}

TEST_F(ShuffleCheck, AMaskWithoutTheLaneItself) {
  const Diagnosis mask = only(play().begin(0).shuffle(
      pc, 0, all_lanes, all_lanes, [](int lane) { return lane == 2 ? Lanes{3} : all_lanes; },
      [](int lane) { return lane; }));
  EXPECT_EQ(mask.kind, "shuffle mask");
  EXPECT_EQ(
      mask.message,
      "thread (2,0,0) of block (0,0,0) (lane 2 of warp 0) gives the member mask 0x00000003, which does not name lane "
      "2 itself. The result is undefined.");
  EXPECT_EQ(mask.hint,
            "The arguments are (mask, value, lane or distance, width). Is the mask missing? With all lanes it is "
            "0xffffffff.");
}

TEST_F(ShuffleCheck, AWarpBarrierHasNothingButAMask) {
  const auto barrier = scene.at_line(70, "bar.warp.sync %r1");
  const Diagnosis mask = only(play().begin(0).shuffle(
      barrier, 0, all_lanes, all_lanes, [](int) { return Lanes{0xffff}; }, [](int lane) { return lane; }));
  EXPECT_EQ(mask.kind, "warp barrier mask");
  EXPECT_EQ(mask.hint, "Name every lane that comes here, or none: __syncwarp() is for the whole warp.");
}

TEST_F(ShuffleCheck, IsTheSameForAnyNumberOfHostThreads) {
  for (const bool last_first : {false, true}) {
    Play many = play();
    many.begin(1).shuffle(pc, 0, lane(1), lane(1), full, [](int) { return 5; }).end();
    many.on_another_thread().begin(0).shuffle(pc, 0, lane(2), lane(2), full, [](int) { return 5; }).end();
    const Diagnosis read = only(many.join_forks(last_first));
    EXPECT_EQ(read.who->block.x, 0u);
    EXPECT_EQ(read.count, 2u);
  }
}

}  // namespace
}  // namespace warpwright::observe::testing
