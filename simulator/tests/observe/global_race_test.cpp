#include "global_race_scene.h"

namespace warpwright::observe::testing {
namespace {

TEST_F(GlobalRace, ABlockReadsWhatAnotherOneWrites) {
  const Diagnosis race = only(play()
                                  .begin(0)
                                  .access(store, 0, all_lanes, own(0))
                                  .end()
                                  .begin(1)
                                  .access(load, 0, lane(3), all_at(array + 4 * 9)));
  EXPECT_EQ(race.kind, "race");
  EXPECT_EQ(
      race.message,
      "Race (RAW, read after write): thread (3,0,0) of block (1,0,0) reads element 9 of argument 1, an allocation "
      "of 4096 bytes, here; thread (9,0,0) of block (0,0,0) writes it at line 20 and nothing orders the two: blocks "
      "run in any order, and __syncthreads() waits for one block only. The value depends on which block comes "
      "first.");
  EXPECT_EQ(race.line, 21u);
  EXPECT_EQ(race.who->block, (machine::Dim3{1, 0, 0}));
  EXPECT_EQ(race.other->line, 20u);
  EXPECT_EQ(race.other->who.block, (machine::Dim3{0, 0, 0}));
  EXPECT_EQ(race.other->who.thread, (machine::Dim3{9, 0, 0}));
}

TEST_F(GlobalRace, TheOrderOfBlocksDoesNotMatter) {
  const Diagnosis race = only(
      play().begin(0).access(load, 0, lane(0), all_at(array + 256)).end().begin(1).access(store, 0, all_lanes, own(1)));
  EXPECT_EQ(race.other->who.block.x + race.who->block.x, 1u);
}

TEST_F(GlobalRace, OneMendForBothDirectionsIsOneDiagnosis) {
  // Each of the blocks adds to a word and, behind a barrier, reads it.
  const auto late_load = scene.at_line(40, "ld.global.u32 %r2, [%rd2]");
  Play scene_play = play();
  for (const std::uint64_t block : {0, 1})
    scene_play.begin(block)
        .access(atomic, 0, lane(0), all_at(flag))
        .block_barrier(barrier)
        .access(late_load, 0, lane(0), all_at(flag))
        .end();
  EXPECT_EQ(only(scene_play).count, 2u);
}

TEST_F(GlobalRace, ABlockBarrierOrdersNoOtherBlock) {
  EXPECT_EQ(play()
                .begin(0)
                .access(store, 0, all_lanes, own(0))
                .block_barrier(barrier)
                .end()
                .begin(1)
                .block_barrier(barrier)
                .access(load, 0, all_lanes, own(0))
                .diagnoses()
                .size(),
            1u);
}

TEST_F(GlobalRace, ABlockBarrierOrdersItsBlock) {
  expect_silence(play()
                     .begin(0)
                     .access(store, 0, all_lanes, own(0, 0))
                     .access(store, 1, all_lanes, own(0, 1))
                     .block_barrier(barrier)
                     .access(load, 1, all_lanes, own(0, 0))
                     .access(load, 0, all_lanes, own(0, 1))
                     .block_barrier(barrier)
                     .access(store, 0, all_lanes, own(0, 1)));
}

TEST_F(GlobalRace, WarpsWithoutABarrier) {
  const Diagnosis race =
      only(play().begin(0).access(store, 0, all_lanes, own(0, 0)).access(load, 1, lane(1), all_at(array + 4 * 8)));
  EXPECT_EQ(race.hint, "Put __syncthreads() between line 20 and line 21.");
  EXPECT_EQ(race.other->who.thread, (machine::Dim3{8, 0, 0}));
}

TEST_F(GlobalRace, LanesWithoutAWarpBarrier) {
  const auto neighbour = stride(array + 4, 4);
  const Diagnosis race =
      only(play().begin(0).access(store, 0, all_lanes, own()).access(load, 0, lanes(0, 30), neighbour));
  EXPECT_EQ(race.hint,
            "Put __syncwarp() between line 20 and line 21, or __syncthreads() if other warps use these values too.");
  expect_silence(play()
                     .begin(0)
                     .access(store, 0, all_lanes, own())
                     .warp_barrier(warp_barrier, 0)
                     .access(load, 0, lanes(0, 30), neighbour));
}

TEST_F(GlobalRace, AThreadMayDoWhatItLikesWithItsOwn) {
  expect_silence(play()
                     .begin(0)
                     .access(load, 0, all_lanes, own())
                     .access(store, 0, all_lanes, own())
                     .access(load, 0, all_lanes, own())
                     .access(store, 0, lanes(3, 20), own())
                     .access(load, 0, all_lanes, own()));
}

TEST_F(GlobalRace, ManyMayRead) {
  Play scene_play = play();
  for (std::uint64_t block = 0; block < 4; ++block)
    scene_play.begin(block)
        .access(load, 0, all_lanes, own())
        .access(load, 1, all_lanes, all_at(array))
        .access(load4, 0, lanes(0, 7), stride(array, 16))
        .end();
  expect_silence(scene_play);
}

TEST_F(GlobalRace, EveryReaderCounts) {
  // The block that writes has read as well, first or last: the readers of other blocks are not forgotten over it.
  for (const std::uint64_t writer : {0, 1, 2, 3}) {
    Play scene_play = play();
    for (std::uint64_t block = 0; block < 4; ++block) scene_play.begin(block).access(load, 0, all_lanes, own());
    scene_play.in(writer).access(store, 0, lane(0), own());
    EXPECT_EQ(scene_play.diagnoses().size(), 1u) << writer;
  }
}

TEST_F(GlobalRace, BytesOfOneWordAreNotOnePlace) {
  expect_silence(play()
                     .begin(0)
                     .access(store_byte, 0, lane(0), all_at(array + 1))
                     .end()
                     .begin(1)
                     .access(store_byte, 0, lane(0), all_at(array + 2)));
}

TEST_F(GlobalRace, AccessesOfDifferentWidthMeet) {
  const Diagnosis race = only(play()
                                  .begin(0)
                                  .access(load4, 0, all_lanes, stride(array, 16))
                                  .end()
                                  .begin(1)
                                  .access(store, 0, lane(5), all_at(array + 4 * 42)));
  EXPECT_NE(race.message.find("bytes 160 to 175 of argument 1"), std::string::npos) << race.message;
  // Words 40 to 43 are lane 10's.
  EXPECT_NE(race.message.find("thread (10,0,0)"), std::string::npos) << race.message;
}

TEST_F(GlobalRace, AtomicsDoNotRaceWithOneAnother) {
  Play scene_play = play();
  for (std::uint64_t block = 0; block < 4; ++block)
    scene_play.begin(block).access(atomic, 0, all_lanes, all_at(flag)).end();
  expect_silence(scene_play);
}

TEST_F(GlobalRace, AtomicsOfOneBlocksScopeDo) {
  Play scene_play = play();
  for (std::uint64_t block = 0; block < 2; ++block)
    scene_play.begin(block).access(atomic_in_block, 0, all_lanes, all_at(flag)).end();
  EXPECT_EQ(only(scene_play).hint,
            "Atomics of one block's scope hold within that block only. Between blocks use atomicAdd() and its like "
            "without _block, or cuda::thread_scope_device.");
}

TEST_F(GlobalRace, WhatBlocksAddUpInPlaceNeedsAnAtomic) {
  const auto again = scene.at_line(21, "st.global.f32 [%rd1], %f1");
  Play scene_play = play();
  for (std::uint64_t block = 0; block < 2; ++block)
    scene_play.begin(block).access(load, 0, lane(0), all_at(flag)).access(again, 0, lane(0), all_at(flag)).end();
  EXPECT_EQ(
      only(scene_play).hint,
      "Is it counted, added up or compared in place? Use an atomic such as atomicAdd or atomicMax. Otherwise split "
      "the kernel in two launches, or read from one array and write to another.");
}

/// Block 0 writes a volatile word and counts; block 1 looks at the count, and reads the word.
struct VolatileData : GlobalRace {
  std::uint32_t write = scene.at_line(40, "st.volatile.global.f32 [%rd1], %f1");
  std::uint32_t compare = scene.at_line(24, "setp.eq.u32 %p1, %r6, 0");
  std::uint32_t read = scene.at_line(42, "ld.volatile.global.f32 %f2, [%rd1]");
  Play handed_over() const {
    Play scene_play = play();
    scene_play.begin(0).access(write, 0, lane(0), all_at(array)).access(atomic, 0, lane(0), all_at(flag)).end();
    scene_play.begin(1).access(atomic, 0, lane(0), all_at(flag)).access(read, 0, lane(0), all_at(array)).end();
    return scene_play;
  }
};

TEST_F(VolatileData, BehindAFlagNeedsAFence) {
  const Diagnosis race = only(handed_over());
  EXPECT_EQ(race.line, 42u);
  EXPECT_EQ(race.other->line, 40u);
  EXPECT_NE(race.hint.find("__threadfence()"), std::string::npos);
}

TEST_F(VolatileData, ThatDecidesIsAFlagItself) {
  scene.at_line(43, "add.f32 %f3, %f2, %f2");
  scene.at_line(43, "setp.gt.f32 %p2, %f3, 0f00000000");
  expect_silence(handed_over());
}

TEST_F(VolatileData, ThatIsFollowedByAnotherLookAtAFlagMayBeDiscarded) {
  scene.at_line(43, "ld.volatile.global.u32 %r8, [%rd3]");
  scene.at_line(43, "setp.eq.u32 %p2, %r8, %r6");
  expect_silence(handed_over());
}

TEST_F(GlobalRace, AnUpdateInPlaceMayStandOnTwoLines) {
  const auto read = scene.at_line(40, "ld.global.f32 %f1, [%rd1]");
  const auto write = scene.at_line(41, "st.global.f32 [%rd1], %f2");
  Play scene_play = play();
  for (std::uint64_t block = 0; block < 2; ++block)
    scene_play.begin(block).access(read, 0, lane(0), all_at(flag)).access(write, 0, lane(0), all_at(flag)).end();
  const std::vector<Diagnosis> races = scene_play.diagnoses();
  ASSERT_FALSE(races.empty());
  EXPECT_EQ(races.front().other->line, 40u);
  EXPECT_TRUE(races.front().hint.starts_with("Is it counted, added up or compared in place? Use an atomic"));
}

TEST_F(GlobalRace, OfACooperativeLaunchNeedsItsOwnBarrier) {
  scene.launch.cooperative = true;
  const auto again = scene.at_line(21, "st.global.f32 [%rd1], %f1");
  Play apart = play(), in_place = play();
  for (std::uint64_t block = 0; block < 2; ++block) {
    in_place.begin(block).access(load, 0, lane(0), all_at(flag)).access(again, 0, lane(0), all_at(flag)).end();
    apart.begin(block).access(block == 0 ? store : load, 0, lane(0), all_at(flag)).end();
  }
  EXPECT_EQ(only(apart).hint,
            "Put cooperative_groups::this_grid().sync() between the accesses: it waits for all blocks, and orders what "
            "they do.");
  EXPECT_EQ(only(in_place).hint,
            "Is it counted, added up or compared in place? Use an atomic such as atomicAdd or atomicMax. Otherwise put "
            "cooperative_groups::this_grid().sync() between the accesses: it waits for all blocks, and orders what "
            "they do.");
}

TEST_F(GlobalRace, AResetInTheKernelRacesWithAtomics) {
  const Diagnosis race = only(play()
                                  .begin(0)
                                  .access(store, 0, lane(0), all_at(flag))
                                  .block_barrier(barrier)
                                  .access(atomic, 0, all_lanes, all_at(flag))
                                  .end()
                                  .begin(1)
                                  .block_barrier(barrier)
                                  .access(atomic, 0, all_lanes, all_at(flag)));
  EXPECT_EQ(race.line + race.other->line, 20u + 24u);
  EXPECT_EQ(race.hint,
            "Set the value before the launch (cudaMemset, or a kernel of its own), not in the kernel that updates it.");
}

TEST_F(GlobalRace, HostThreadsShareWhatTheySee) {
  Play scene_play = play();
  scene_play.begin(0).access(store, 0, all_lanes, own(0)).end();
  scene_play.on_another_thread().begin(1).access(load, 0, lane(3), all_at(array + 4 * 9)).end();
  EXPECT_EQ(scene_play.join_forks().diagnoses().size(), 1u);
}

}  // namespace
}  // namespace warpwright::observe::testing
