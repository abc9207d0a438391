// Races between blocks that hand over by a fence and a flag, and between those that only seem to.
#include "observe/handovers.h"

#include "global_race_scene.h"

namespace warpwright::observe::testing {
namespace {

/// Block 0 writes its words and counts itself in; block 1 counts itself in too and reads them.
struct HandOver : GlobalRace {
  Play writes(bool with_fence) const {
    Play scene_play = play();
    scene_play.begin(0).access(store, 0, all_lanes, own(0, 0)).access(store, 1, all_lanes, own(0, 1));
    if (with_fence) scene_play.fence(fence, 0, all_lanes).fence(fence, 1, all_lanes);
    scene_play.block_barrier(barrier).access(atomic, 0, lane(0), all_at(flag)).end();
    return scene_play;
  }
};

TEST_F(HandOver, AFenceAndAnAtomicOrderBlocks) {
  expect_silence(writes(true)
                     .begin(1)
                     .access(atomic, 0, lane(0), all_at(flag))
                     .block_barrier(barrier)
                     .access(load, 1, all_lanes, own(0, 0))
                     .access(load, 0, all_lanes, own(0, 1)));
}

TEST_F(HandOver, WithoutTheFenceNothingIsOrdered) {
  EXPECT_EQ(writes(false)
                .begin(1)
                .access(atomic, 0, lane(0), all_at(flag))
                .block_barrier(barrier)
                .access(load, 1, all_lanes, own(0, 0))
                .diagnoses()
                .size(),
            1u);
}

TEST_F(HandOver, WhoHasNotReadTheFlagKnowsNothing) {
  // Another thread of block 1 has, and no barrier passes it on.
  EXPECT_EQ(writes(true)
                .begin(1)
                .access(atomic, 0, lane(0), all_at(flag))
                .access(load, 1, all_lanes, own(0, 0))
                .diagnoses()
                .size(),
            1u);
}

TEST_F(HandOver, AWriteBehindTheFenceIsNotCovered) {
  EXPECT_EQ(play()
                .begin(0)
                .fence(fence, 0, all_lanes)
                .access(store, 0, all_lanes, own(0, 0))
                .access(set_flag, 0, lane(0), all_at(flag))
                .end()
                .begin(1)
                .access(read_flag, 0, lane(0), all_at(flag))
                .access(load, 0, lane(0), own(0, 0))
                .diagnoses()
                .size(),
            1u);
}

TEST_F(HandOver, OtherThreadsNeedABarrierBeforeTheFence) {
  const auto told = [&](bool with_barrier) {
    Play scene_play = play();
    scene_play.begin(0).access(store, 1, all_lanes, own(0, 1));
    if (with_barrier) scene_play.block_barrier(barrier);
    scene_play.fence(fence, 0, lane(0)).access(set_flag, 0, lane(0), all_at(flag)).end();
    scene_play.begin(1).access(read_flag, 0, lane(0), all_at(flag)).access(load, 0, lane(0), own(0, 1));
    return scene_play.diagnoses().size();
  };
  EXPECT_EQ(told(true), 0u);
  EXPECT_EQ(told(false), 1u);
}

TEST_F(HandOver, WhatEveryThreadFencedItselfIsHandedOverByOneBehindABarrier) {
  // The first warp has fenced before the second one writes; the leader's own fence covers nothing of the others'.
  const auto told = [&](bool second_warp_fences) {
    Play scene_play = play();
    scene_play.begin(0).access(store, 0, all_lanes, own(0, 0)).fence(fence, 0, all_lanes);
    scene_play.access(store, 1, all_lanes, own(0, 1));
    if (second_warp_fences) scene_play.fence(fence, 1, all_lanes);
    scene_play.block_barrier(barrier).access(atomic, 0, lane(0), all_at(flag)).end();
    scene_play.begin(1).access(atomic, 0, lane(0), all_at(flag)).access(load, 0, lane(0), own(0, 1));
    return scene_play.diagnoses().size();
  };
  EXPECT_EQ(told(true), 0u);
  EXPECT_EQ(told(false), 1u);
}

TEST_F(HandOver, TheLastToComeMaySetTheFlagForTheNextLaunch) {
  const auto told = [&](bool comes_first) {
    Play scene_play = writes(true);
    scene_play.begin(1).fence(fence, 0, lane(0));
    if (comes_first) scene_play.access(atomic, 0, lane(0), all_at(flag));
    scene_play.access(store, 0, lane(0), all_at(flag));
    return scene_play.diagnoses().size();
  };
  EXPECT_EQ(told(true), 0u);
  EXPECT_EQ(told(false), 1u) << "who has not counted itself in knows of nobody";
}

TEST_F(HandOver, AFenceOfTheBlockReachesNoOtherBlock) {
  EXPECT_EQ(play()
                .begin(0)
                .access(store, 0, all_lanes, own(0, 0))
                .fence(fence, 0, all_lanes, false)
                .access(atomic, 0, lane(0), all_at(flag))
                .end()
                .begin(1)
                .access(atomic, 0, lane(0), all_at(flag))
                .access(load, 0, lane(0), own(0, 0))
                .diagnoses()
                .size(),
            1u);
}

TEST_F(HandOver, IsPassedOnFromBlockToBlock) {
  const std::uint64_t second_flag = array + 4000;
  expect_silence(writes(true)
                     .begin(1)
                     .access(read_flag, 0, lane(0), all_at(flag))
                     .fence(fence, 0, lane(0))
                     .access(set_flag, 0, lane(0), all_at(second_flag))
                     .end()
                     .begin(2)
                     .access(read_flag, 0, lane(7), all_at(second_flag))
                     .access(load, 0, lane(7), own(0, 0)));
}

}  // namespace
}  // namespace warpwright::observe::testing
