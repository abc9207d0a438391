#include "observe/barrier_divergence.h"

#include <gtest/gtest.h>

#include <vector>

#include "scene.h"

namespace warpwright::observe::testing {
namespace {

struct BarrierDivergence : ::testing::Test {
  Scene scene{2, 256};
  std::uint32_t inside = scene.at_line(36, "bar.sync 0");
  std::uint32_t outside = scene.at_line(40, "bar.sync 0");
  std::uint32_t counted = scene.at_line(50, "bar.sync 1, 128");
  std::uint32_t arrival = scene.at_line(51, "bar.arrive 1, 128");

  Play play() const { return Play(scene, make_barrier_divergence()); }
  static void expect_silence(const Play& play) {
    for (const Diagnosis& diagnosis : play.diagnoses()) ADD_FAILURE() << diagnosis.message;
  }
  /// Warps 0 to 3 come to one barrier, warps 4 to 7 to another.
  Play& split(Play& play) const {
    for (std::uint32_t warp = 0; warp < 4; ++warp) play.arrive(inside, warp, all_lanes);
    for (std::uint32_t warp = 4; warp < 8; ++warp) play.arrive(outside, warp, all_lanes);
    return play.release(outside);
  }
};

TEST_F(BarrierDivergence, NamesBothBarriersAndWhoWaitsThere) {
  Play block = play();
  split(split(block.begin(0)));
  const std::vector<Diagnosis> found = block.diagnoses();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].kind, "barrier divergence");
  EXPECT_EQ(found[0].message,
            "In block (0,0,0), threads 0 to 127 waited at the barrier at line 36, while threads 128 to 255 waited at "
            "the barrier at line 40. A barrier holds only when all threads of the block come to the same one.");
  EXPECT_EQ(found[0].hint, "Move __syncthreads() out of the condition or loop that only some threads enter.");
  EXPECT_EQ(found[0].line, 36u);
  EXPECT_EQ(found[0].who->thread.x, 0u);
  EXPECT_EQ(found[0].other->line, 40u);
  EXPECT_EQ(found[0].other->who.thread.x, 128u);
  EXPECT_EQ(found[0].count, 2u);
}

TEST_F(BarrierDivergence, NamesTheLineOfALoopOnce) {
  const auto next_round = scene.at_line(36, "bar.sync 0");
  Play block = play();
  block.begin(0);
  for (std::uint32_t warp = 0; warp < 8; ++warp) block.arrive(warp < 4 ? inside : next_round, warp, all_lanes);
  const std::vector<Diagnosis> found = block.release(inside).diagnoses();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].message,
            "In block (0,0,0), threads 0 to 127 and threads 128 to 255 waited at the barrier at line 36 in different "
            "rounds of its loop. A barrier holds only when all threads of the block come to the same one.");
  EXPECT_EQ(found[0].hint,
            "Let all threads go round the loop equally often, and put the condition on the work inside.");
}

TEST_F(BarrierDivergence, NamesTheCallersOfAFunctionThatWaits) {
  const auto called_from = [&](std::uint32_t line) {
    return scene.in_frames({{"kernel.cu", 7, "share"}, {"kernel.cu", line, "kernel"}}, "bar.sync 0");
  };
  const auto first = called_from(20), second = called_from(22);
  Play block = play();
  block.begin(0);
  for (std::uint32_t warp = 0; warp < 8; ++warp) block.arrive(warp < 4 ? first : second, warp, all_lanes);
  const std::vector<Diagnosis> found = block.release(first).diagnoses();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].message,
            "In block (0,0,0), threads 0 to 127 waited at the barrier at line 7 (called from line 20), while threads "
            "128 to 255 waited at the barrier at line 7 (called from line 22). A barrier holds only when all threads "
            "of the block come to the same one.");
}

TEST_F(BarrierDivergence, OneBarrierForAllIsFine) {
  expect_silence(play().begin(0).block_barrier(inside).block_barrier(outside).block_barrier(inside));
}

TEST_F(BarrierDivergence, LanesThatComeOneAfterTheOtherAreFine) {
  Play block = play();
  block.begin(0).arrive(inside, 0, lanes(0, 3)).arrive(inside, 0, lanes(4, 31));
  for (std::uint32_t warp = 1; warp < 8; ++warp) block.arrive(inside, warp, all_lanes);
  expect_silence(block.release(inside));
}

TEST_F(BarrierDivergence, NamesLanesThatComeFromElsewhere) {
  Play block = play();
  block.begin(0).arrive(outside, 0, lane(0)).arrive(inside, 0, lanes(1, 31));
  for (std::uint32_t warp = 1; warp < 8; ++warp) block.arrive(inside, warp, all_lanes);
  const std::vector<Diagnosis> found = block.release(inside).diagnoses();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].message.substr(0, 93),
            "In block (0,0,0), thread 0 waited at the barrier at line 40, while threads 1 to 255 waited at");
}

TEST_F(BarrierDivergence, BarriersWithACountMayBeReachedFromAnywhere) {
  expect_silence(play()
                     .begin(0)
                     .arrive(counted, 0, all_lanes, 1, 128)
                     .arrive(inside, 1, all_lanes, 1, 128)
                     .release(counted, 1)
                     .arrive(arrival, 0, all_lanes, 1, 256, false)
                     .arrive(counted, 1, all_lanes, 1, 256)
                     .release(counted, 1));
}

TEST_F(BarrierDivergence, AnIndexedBlockNamesItsThreadsByIndex) {
  scene.launch.block = {16, 16, 1};
  Play block = play();
  split(block.begin(1));
  EXPECT_EQ(block.diagnoses().at(0).message.substr(0, 79),
            "In block (1,0,0), threads (0,0,0) to (15,7,0) waited at the barrier at line 36,");
}

TEST_F(BarrierDivergence, IsTheSameForAnyNumberOfHostThreads) {
  for (const bool last_first : {false, true}) {
    Play many = play();
    split(many.begin(1)).end();
    split(many.on_another_thread().begin(0)).end();
    const std::vector<Diagnosis> found = many.join_forks(last_first).diagnoses();
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].who->block.x, 0u);
    EXPECT_EQ(found[0].count, 2u);
  }
}

}  // namespace
}  // namespace warpwright::observe::testing
