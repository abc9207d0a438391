#include "observe/shared_race.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "scene.h"

namespace warpwright::observe::testing {
namespace {

/// A kernel of blocks of 64 threads with an array `tile` of 64 floats.
struct SharedRace : ::testing::Test {
  Scene scene{4, 64};
  std::uint32_t tile = scene.shared_array("tile", 256);
  std::uint32_t store = scene.at_line(27, "st.shared.f32 [%r1], %f1");
  std::uint32_t load = scene.at_line(32, "ld.shared.f32 %f2, [%r2]");
  std::uint32_t second_store = scene.at_line(35, "st.shared.f32 [%r1], %f1");
  std::uint32_t barrier = scene.at_line(30, "bar.sync 0");
  std::uint32_t warp_barrier = scene.at_line(29, "bar.warp.sync -1");

  Play play() const { return Play(scene, make_shared_race()); }
  Play::AddressOf own(std::uint32_t warp = 0) const { return stride(tile + 128 * warp, 4); }
  Play::AddressOf next(std::uint32_t warp = 0) const { return stride(tile + 128 * warp + 4, 4); }

  static void expect_silence(const Play& play) {
    for (const Diagnosis& diagnosis : play.diagnoses()) ADD_FAILURE() << diagnosis.message;
  }
  static Diagnosis only(const Play& play) {
    const std::vector<Diagnosis> found = play.diagnoses();
    EXPECT_EQ(found.size(), 1u);
    return found.empty() ? Diagnosis{} : found.front();
  }
};

TEST_F(SharedRace, ReadAfterWriteOfAnotherWarp) {
  const Diagnosis race = only(play()
                                  .begin(0)
                                  .access(store, 0, all_lanes, own(0))
                                  .access(store, 1, all_lanes, own(1))
                                  .access(load, 0, lane(0), all_at(tile + 4 * 32)));
  EXPECT_EQ(race.kind, "race");
  EXPECT_EQ(
      race.message,
      "Race (RAW, read after write): thread (0,0,0) of block (0,0,0) reads tile[32] here; thread (32,0,0) writes it "
      "at line 27 and no barrier lies between. The value depends on which warp comes first.");
  EXPECT_EQ(race.hint, "Put __syncthreads() between line 27 and line 32.");
  EXPECT_EQ(race.kernel, "kernel");
  EXPECT_EQ(race.file, "kernel.cu");
  EXPECT_EQ(race.line, 32u);
  EXPECT_EQ(race.instruction, "ld.shared.f32 %f2, [%r2]");
  EXPECT_EQ(race.who->thread, (machine::Dim3{0, 0, 0}));
  EXPECT_EQ(race.other->who.thread, (machine::Dim3{32, 0, 0}));
  EXPECT_EQ(race.other->line, 27u);
  EXPECT_EQ(race.count, 1u);
}

TEST_F(SharedRace, CallsAVariableThatIsNoArrayByItsNameAlone) {
  const std::uint32_t even = scene.shared_array("even", 4);
  const Diagnosis race =
      only(play().begin(0).access(store, 0, lane(0), all_at(even)).access(load, 1, lane(0), all_at(even)));
  EXPECT_NE(race.message.find("reads even here; "), std::string::npos) << race.message;
}

TEST_F(SharedRace, ABlockBarrierOrdersAll) {
  expect_silence(play()
                     .begin(0)
                     .access(store, 0, all_lanes, own(0))
                     .access(store, 1, all_lanes, own(1))
                     .block_barrier(barrier)
                     .access(load, 0, all_lanes, next(0))
                     .access(load, 1, all_lanes, own(0))
                     .block_barrier(barrier)
                     .access(store, 1, all_lanes, own(0)));
}

TEST_F(SharedRace, WriteAfterReadOfAnotherWarp) {
  const Diagnosis race =
      only(play().begin(0).access(load, 1, lane(0), all_at(tile)).access(second_store, 0, lane(0), all_at(tile)));
  EXPECT_EQ(
      race.message,
      "Race (WAR, write after read): thread (0,0,0) of block (0,0,0) writes tile[0] here; thread (32,0,0) reads it "
      "at line 32 and no barrier lies between. If the write comes first, the new value is read.");
  EXPECT_EQ(race.hint, "Put __syncthreads() between line 32 and line 35.");
}

TEST_F(SharedRace, WriteAfterReadIsFoundBehindAnOrderedReader) {
  // Thread 0 reads last, and is ordered before its own write; thread 32 is not.
  EXPECT_EQ(only(play()
                     .begin(0)
                     .access(load, 1, lane(0), all_at(tile))
                     .access(load, 0, lane(0), all_at(tile))
                     .access(second_store, 0, lane(0), all_at(tile)))
                .other->who.thread,
            (machine::Dim3{32, 0, 0}));
}

TEST_F(SharedRace, IsToldInTheOrderOfTheProgramWhicheverCameFirst) {
  const Diagnosis raw =
      only(play().begin(0).access(load, 0, lane(0), all_at(tile + 128)).access(store, 1, all_lanes, own(1)));
  EXPECT_EQ(
      raw.message,
      "Race (RAW, read after write): thread (0,0,0) of block (0,0,0) reads tile[32] here; thread (32,0,0) writes it "
      "at line 27 and no barrier lies between. The value depends on which warp comes first.");
  EXPECT_EQ(raw.line, 32u);
  EXPECT_EQ(raw.who->thread.x, 0u);
  EXPECT_EQ(raw.other->line, 27u);
  EXPECT_EQ(raw.other->who.thread.x, 32u);
  const Diagnosis war =
      only(play().begin(0).access(second_store, 1, lane(0), all_at(tile)).access(load, 0, lane(0), all_at(tile)));
  EXPECT_EQ(
      war.message,
      "Race (WAR, write after read): thread (32,0,0) of block (0,0,0) writes tile[0] here; thread (0,0,0) reads it "
      "at line 32 and no barrier lies between. If the write comes first, the new value is read.");
  EXPECT_EQ(war.line, 35u);
}

TEST_F(SharedRace, WriteAfterWriteOfAnotherWarp) {
  const Diagnosis race =
      only(play().begin(0).access(store, 1, lane(3), all_at(tile)).access(store, 0, lane(0), all_at(tile)));
  EXPECT_EQ(race.message,
            "Race (WAW, write after write): thread (0,0,0) of block (0,0,0) writes tile[0] here; thread (35,0,0) "
            "writes it at this same line and no barrier lies between. What stays there depends on which warp comes "
            "last.");
  EXPECT_EQ(race.hint, "Let one thread write it, or give every thread an element of its own.");
}

TEST_F(SharedRace, LanesOfOneInstructionThatWriteOneElement) {
  const Diagnosis race = only(play().begin(0).access(store, 0, lanes(4, 5), all_at(tile + 12)));
  EXPECT_EQ(race.message,
            "Race (WAW, write after write): thread (4,0,0) of block (0,0,0) and thread (5,0,0) both write tile[3] "
            "here, in one instruction. What stays there depends on which lane comes last.");
  EXPECT_EQ(race.hint, "Let one thread write it, or give every thread an element of its own.");
}

TEST_F(SharedRace, LanesOfOneWarpNeedNotRunInStep) {
  const Diagnosis race =
      only(play().begin(0).access(store, 0, all_lanes, own()).access(load, 0, lanes(0, 15), stride(tile + 64, 4)));
  EXPECT_EQ(
      race.message,
      "Race (RAW, read after write): thread (0,0,0) of block (0,0,0) reads tile[16] here; thread (16,0,0) writes it "
      "at line 27 and no __syncwarp() lies between. Lanes of one warp need not run in step. The value depends on "
      "which lane comes first.");
  EXPECT_EQ(race.hint,
            "Put __syncwarp() between line 27 and line 32, or __syncthreads() if other warps use these values too.");
  EXPECT_EQ(race.count, 16u);
}

TEST_F(SharedRace, AWarpBarrierOrdersTheLanesOfItsWarp) {
  expect_silence(play()
                     .begin(0)
                     .access(store, 0, all_lanes, own())
                     .warp_barrier(warp_barrier, 0)
                     .access(load, 0, all_lanes, next())
                     .warp_barrier(warp_barrier, 0)
                     .access(store, 0, all_lanes, own()));
}

TEST_F(SharedRace, AWarpBarrierOrdersNoOtherWarp) {
  EXPECT_EQ(only(play()
                     .begin(0)
                     .access(store, 0, all_lanes, own())
                     .warp_barrier(warp_barrier, 0)
                     .warp_barrier(warp_barrier, 1)
                     .access(load, 1, lane(0), all_at(tile)))
                .count,
            1u);
}

TEST_F(SharedRace, AReadBeforeAWarpBarrierStillRacesWithAnotherWarp) {
  EXPECT_EQ(only(play()
                     .begin(0)
                     .access(load, 0, all_lanes, own())
                     .warp_barrier(warp_barrier, 0)
                     .access(load, 0, all_lanes, own())
                     .access(second_store, 1, lane(0), all_at(tile)))
                .other->who.thread,
            (machine::Dim3{0, 0, 0}));
}

TEST_F(SharedRace, AThreadNeverRacesWithItself) {
  expect_silence(play()
                     .begin(0)
                     .access(store, 0, all_lanes, own())
                     .access(load, 0, all_lanes, own())
                     .access(store, 0, all_lanes, own())
                     .access(store, 0, lanes(3, 9), own())
                     .access(load, 0, lanes(3, 9), own()));
}

TEST_F(SharedRace, ReadersDoNotRaceWithReaders) {
  expect_silence(play().begin(0).access(load, 0, all_lanes, all_at(tile)).access(load, 1, all_lanes, all_at(tile)));
}

TEST_F(SharedRace, BlocksDoNotShare) {
  Play blocks = play();
  blocks.begin(0).access(store, 0, all_lanes, own()).end();
  blocks.begin(1).access(load, 1, all_lanes, own()).end();
  expect_silence(blocks);
}

TEST_F(SharedRace, VolatileOrdersNothing) {
  const auto volatile_store = scene.at_line(40, "st.volatile.shared.f32 [%r1], %f1");
  const auto volatile_load = scene.at_line(41, "ld.volatile.shared.f32 %f1, [%r1]");
  EXPECT_EQ(only(play()
                     .begin(0)
                     .access(volatile_store, 0, all_lanes, own())
                     .access(volatile_load, 0, lane(0), all_at(tile + 4)))
                .line,
            41u);
}

TEST_F(SharedRace, AtomicsDoNotRaceWithAtomics) {
  const auto atomic = scene.at_line(40, "atom.shared.add.u32 %r1, [%r2], 1");
  const auto reduction = scene.at_line(41, "red.shared.add.u32 [%r2], 1");
  expect_silence(
      play().begin(0).access(atomic, 0, all_lanes, all_at(tile)).access(reduction, 1, all_lanes, all_at(tile)));
}

TEST_F(SharedRace, AnAtomicRacesWithPlainAccesses) {
  const auto atomic = scene.at_line(40, "atom.shared.add.u32 %r1, [%r2], 1");
  EXPECT_EQ(
      only(play().begin(0).access(atomic, 0, lane(1), all_at(tile)).access(load, 1, lane(0), all_at(tile))).message,
      "Race (RAW, read after write): thread (32,0,0) of block (0,0,0) reads tile[0] here; thread (1,0,0) updates it "
      "at line 40 and no barrier lies between. The value depends on which warp comes first.");
  EXPECT_EQ(only(play().begin(0).access(atomic, 0, lane(1), all_at(tile)).access(store, 1, lane(0), all_at(tile))).line,
            27u);
  EXPECT_EQ(
      only(play().begin(0).access(load, 1, lane(0), all_at(tile)).access(atomic, 0, lane(1), all_at(tile))).message,
      "Race (WAR, write after read): thread (1,0,0) of block (0,0,0) updates tile[0] here; thread (32,0,0) reads it "
      "at line 32 and no barrier lies between. If the write comes first, the new value is read.");
  EXPECT_EQ(only(play().begin(0).access(store, 1, lane(0), all_at(tile)).access(atomic, 0, lane(1), all_at(tile))).line,
            40u);
}

TEST_F(SharedRace, RelaxedAccessesCountAsAtomic) {
  const auto atomic = scene.at_line(40, "atom.shared.add.u32 %r1, [%r2], 1");
  const auto relaxed_load = scene.at_line(41, "ld.relaxed.cta.shared.u32 %r1, [%r2]");
  const auto relaxed_store = scene.at_line(42, "st.relaxed.cta.shared.u32 [%r2], %r1");
  expect_silence(play()
                     .begin(0)
                     .access(atomic, 0, lane(0), all_at(tile))
                     .access(relaxed_load, 1, lane(0), all_at(tile))
                     .access(relaxed_store, 0, lane(1), all_at(tile)));
  EXPECT_EQ(
      only(play().begin(0).access(store, 0, lane(0), all_at(tile)).access(relaxed_load, 1, lane(0), all_at(tile))).line,
      41u);
}

TEST_F(SharedRace, WideAndNarrowAccessesMeetInTheirBytes) {
  const auto wide = scene.at_line(40, "ld.shared.v4.f32 {%f1,%f2,%f3,%f4}, [%r1]");
  EXPECT_EQ(only(play().begin(0).access(store, 0, lane(7), own()).access(wide, 1, lane(0), all_at(tile + 16))).message,
            "Race (RAW, read after write): thread (32,0,0) of block (0,0,0) reads bytes 16 to 31 of tile here; "
            "thread (7,0,0) writes it at line 27 and no barrier lies between. The value depends on which warp comes "
            "first.");
  expect_silence(play().begin(0).access(store, 0, lane(8), own()).access(wide, 1, lane(0), all_at(tile + 16)));
}

TEST_F(SharedRace, BytesOfOneWordAreApartWhenTheProgramTouchesBytes) {
  scene.program.shared_granule = 1;
  const auto byte_store = scene.at_line(40, "st.shared.u8 [%r1], %r2");
  expect_silence(play()
                     .begin(0)
                     .access(byte_store, 0, all_lanes, stride(tile, 2))
                     .access(byte_store, 1, all_lanes, stride(tile + 1, 2)));
  EXPECT_EQ(
      only(play().begin(0).access(byte_store, 0, lane(2), all_at(tile + 3)).access(load, 1, lane(0), all_at(tile)))
          .line,
      32u);
}

TEST_F(SharedRace, ARaceBetweenWarpsIsToldInPlaceOfOneInsideAWarp) {
  const Diagnosis race = only(play()
                                  .begin(0)
                                  .access(store, 0, all_lanes, own(0))
                                  .access(store, 1, all_lanes, own(1))
                                  .access(load, 0, all_lanes, next(0)));
  EXPECT_EQ(race.who->thread.x, 31u);
  EXPECT_EQ(race.other->who.thread.x, 32u);
  EXPECT_EQ(race.count, 32u);
}

TEST_F(SharedRace, ARaceBetweenWarpsIsToldBehindOneInsideAWarp) {
  const auto found = play()
                         .begin(0)
                         .access(store, 0, lane(1), own())
                         .access(load, 0, lane(0), next())
                         .access(second_store, 1, lane(0), all_at(tile + 4))
                         .diagnoses();
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].who->thread.x, 32u);
  EXPECT_EQ(found[1].who->thread.x, 0u) << "inside warp 0";
}

TEST_F(SharedRace, NamesTheLinesOfTwoCalls) {
  const auto frames = [](std::uint32_t line, std::uint32_t called_from) -> std::vector<machine::Frame> {
    return {{"kernel.cu", line, "block_sum"}, {"kernel.cu", called_from, "two_sums"}};
  };
  const auto part = scene.shared_array("part", 32);
  const auto read = scene.in_frames(frames(33, 38), "ld.shared.u32 %r1, [%r2]");
  const auto write = scene.in_frames(frames(30, 39), "st.shared.u32 [%r2], %r1");
  const Diagnosis race =
      only(play().begin(0).access(read, 1, all_lanes, all_at(part)).access(write, 0, lane(0), all_at(part)));
  EXPECT_EQ(race.message,
            "Race (WAR, write after read): thread (0,0,0) of block (0,0,0) writes part[0] here (called from line 39); "
            "thread (32,0,0) reads it at line 33 (called from line 38) and no barrier lies between. If the write comes "
            "first, the new value is read.");
  EXPECT_EQ(race.hint, "Put __syncthreads() between the two calls, or at the end of the function that both call.");
  EXPECT_EQ(race.frames.size(), 2u);
  EXPECT_EQ(race.other->frames.at(1).line, 38u);
}

TEST_F(SharedRace, AReadAndAWriteInOneLineAreToBeSplit) {
  const auto read = scene.at_line(50, "ld.shared.f32 %f1, [%r1+4]");
  const auto write = scene.at_line(50, "st.shared.f32 [%r1], %f1");
  const Diagnosis race = only(play().begin(0).access(read, 0, lane(0), next()).access(write, 0, lane(1), own()));
  EXPECT_EQ(race.hint, "Split line 50: read into a variable, __syncwarp(), then write.");
}

TEST_F(SharedRace, AnUpdateOfOneElementInOneLineMayWantAnAtomic) {
  const auto read = scene.at_line(50, "ld.shared.f32 %f1, [%r1]");
  const auto write = scene.at_line(50, "st.shared.f32 [%r1], %f1");
  const Diagnosis race =
      only(play().begin(0).access(read, 0, lanes(0, 1), all_at(tile)).access(write, 0, lanes(0, 1), all_at(tile)));
  EXPECT_EQ(race.hint,
            "Is it counted, added up or compared in place? Use an atomic such as atomicAdd or atomicMax. Otherwise "
            "split line 50: read into a variable, __syncwarp(), then write.");
}

TEST_F(SharedRace, AFlagWithoutAFenceIsToldForWhatItHandsOver) {
  // Warp 0 writes an element and sets a flag, for which warp 1 waits: it reads the flag before and after, and the
  // element behind it.
  const auto write = scene.at_line(50, "st.shared.u32 [%r1], %r2");
  const auto set = scene.at_line(51, "st.volatile.shared.u32 [%r3], %r4");
  scene.at_line(51, "bra $L1");
  scene.program.code.back().guard = 0;
  const auto wait = scene.at_line(52, "ld.volatile.shared.u32 %r5, [%r3]");
  scene.at_line(52, "setp.eq.s32 %p1, %r5, 0");
  const auto loop = scene.at_line(52, "@%p1 bra $L2");
  scene.program.code[loop].target = wait;
  scene.program.code[set + 1].target = wait;
  const auto read = scene.at_line(53, "ld.shared.u32 %r6, [%r1]");
  const Diagnosis race = only(play()
                                  .begin(0)
                                  .access(wait, 1, lane(0), all_at(tile + 8))
                                  .access(write, 0, lane(0), all_at(tile))
                                  .access(set, 0, lane(0), all_at(tile + 8))
                                  .access(wait, 1, lane(0), all_at(tile + 8))
                                  .access(read, 1, lane(0), all_at(tile)));
  EXPECT_EQ(race.line, 52u);
  EXPECT_EQ(race.other->line, 51u);
  EXPECT_EQ(race.count, 3u);
  EXPECT_NE(race.message.find("Volatile orders nothing: the flag may be seen before what was written ahead of it."),
            std::string::npos);
  EXPECT_NE(race.hint.find("__threadfence_block()"), std::string::npos);
}

TEST_F(SharedRace, ThreadsThatDifferInYAloneMayLackItInTheIndex) {
  scene.launch.block = {32, 4, 1};
  const auto write = scene.at_line(50, "st.shared.f32 [%r1], %f2");
  const Diagnosis race = only(play().begin(0).access(write, 0, lane(3), own()).access(write, 1, lane(3), own()));
  EXPECT_NE(race.hint.find(" Or does the index leave out threadIdx.y?"), std::string::npos) << race.hint;
}

/// A loop without a barrier: a read at line 50 and a write at `write_line`.
struct RaceInALoop : SharedRace {
  void write_at(std::uint32_t line) {
    write = scene.at_line(line, "st.shared.f32 [%r1], %f1");
    const auto loop = scene.at_line(49, "@%p1 bra $L1");
    scene.program.code[loop].target = read;
    scene.program.code[loop].guard = 0;
  }
  Play& read_after_write(Play& play) const {
    return play.access(write, 1, lane(0), all_at(tile + 8)).access(read, 0, lane(0), all_at(tile + 8));
  }
  Play& write_after_read(Play& play) const {
    return play.access(read, 1, lane(0), all_at(tile)).access(write, 0, lane(0), all_at(tile));
  }
  std::uint32_t read = scene.at_line(50, "ld.shared.f32 %f1, [%r2]");
  std::uint32_t write = 0;
};

TEST_F(RaceInALoop, OneWriteRacesWithItsOwnNextPass) {
  write_at(50);
  const Diagnosis race =
      only(play().begin(0).access(write, 1, lane(0), all_at(tile)).access(write, 0, lane(0), all_at(tile)));
  EXPECT_EQ(race.hint, "Put __syncthreads() between one pass through line 50 and the next.");
}

TEST_F(RaceInALoop, OneLineRacesWithItsOwnNextPass) {
  write_at(50);
  for (const bool in_both_ways : {true, false}) {
    Play loop = play();
    if (in_both_ways) read_after_write(loop.begin(0));
    const Diagnosis race = only(write_after_read(loop.begin(0)));
    EXPECT_EQ(race.hint, "Put __syncthreads() between one pass through line 50 and the next.");
    EXPECT_EQ(race.count, in_both_ways ? 2u : 1u);
  }
}

TEST_F(RaceInALoop, TwoLinesNeedABarrierOnEitherWay) {
  write_at(51);
  Play loop = play();
  write_after_read(read_after_write(loop.begin(0)));
  const std::vector<Diagnosis> found = loop.diagnoses();
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].hint, "Put __syncthreads() after line 51, before line 50 runs again.");
  EXPECT_EQ(found[1].hint, "Put __syncthreads() between line 50 and line 51.");
}

TEST_F(SharedRace, ABarrierAtTheEndOfALoopShowsWhatIsMeant) {
  // for (...) { x = tile[..]; tile[..] = x; __syncthreads(); }: the read is meant to precede the write.
  const auto read = scene.at_line(50, "ld.shared.f32 %f1, [%r1]");
  const auto write = scene.at_line(51, "st.shared.f32 [%r1], %f1");
  scene.at_line(52, "bar.sync 0");
  const auto loop = scene.at_line(49, "@%p1 bra $L1");
  scene.program.code[loop].target = read;
  scene.program.code[loop].guard = 0;
  const Diagnosis race =
      only(play().begin(0).access(write, 1, lane(0), all_at(tile)).access(read, 0, lane(0), all_at(tile)));
  EXPECT_EQ(race.line, 51u);
  EXPECT_EQ(race.hint, "Put __syncthreads() between line 50 and line 51.");
}

TEST_F(SharedRace, OneMissingWarpBarrierIsToldOnceForEachElement) {
  const auto third_store = scene.at_line(60, "st.shared.f32 [%r1], %f1");
  Play warp = play();
  warp.begin(0).access(store, 0, all_lanes, own()).access(load, 0, lanes(0, 15), stride(tile + 64, 4));
  EXPECT_EQ(only(warp.access(third_store, 0, lanes(16, 31), own())).line, 32u);
  warp.block_barrier(barrier).access(store, 0, all_lanes, own()).access(load, 0, lane(0), all_at(tile + 64));
  EXPECT_EQ(only(warp).count, 17u) << "after a barrier of the block, elements are looked at afresh";
}

TEST_F(SharedRace, IsToldWithoutLineInformationToo) {
  const auto read = scene.in_frames({}, "ld.shared.f32 %f1, [%r1]");
  const Diagnosis race =
      only(play().begin(0).access(store, 1, lane(0), all_at(tile)).access(read, 0, lane(0), all_at(tile)));
  EXPECT_EQ(race.line, 0u);
  EXPECT_EQ(race.hint, "Put __syncthreads() between the two accesses.");
}

TEST_F(SharedRace, IsTheSameForAnyNumberOfHostThreads) {
  const auto racing_block = [&](Play& play, std::uint64_t block, int who) {
    play.begin(block).access(store, 1, lane(who), all_at(tile)).access(load, 0, lane(who), all_at(tile)).end();
  };
  for (const bool last_first : {false, true}) {
    Play many = play();
    racing_block(many, 3, 3);
    many.on_another_thread();
    racing_block(many, 1, 1);
    many.on_another_thread();
    racing_block(many, 2, 2);
    const Diagnosis race = only(many.join_forks(last_first));
    EXPECT_EQ(race.count, 3u);
    EXPECT_EQ(race.who->block.x, 1u);
    EXPECT_EQ(race.who->thread.x, 1u);
  }
}

TEST_F(SharedRace, KeepsBlocksThatInterleaveApart) {
  Play blocks = play();
  blocks.begin(0).access(store, 0, all_lanes, own());
  blocks.begin(1).access(load, 1, all_lanes, own()).block_barrier(barrier);
  expect_silence(blocks);
  blocks.in(0).access(load, 1, all_lanes, own());
  EXPECT_EQ(only(blocks).who->block.x, 0u) << "the barrier was block 1's";
}

TEST_F(SharedRace, ARowIsHeldAgainstItsSecondReaders) {
  EXPECT_EQ(only(play()
                     .begin(0)
                     .access(load, 0, all_lanes, own())
                     .access(load, 1, all_lanes, own())
                     .access(second_store, 0, all_lanes, own()))
                .count,
            32u);
}

TEST_F(SharedRace, EveryLaneThatReadsOneElementCounts) {
  for (const int writer : {0, 1, 31})
    EXPECT_EQ(only(play()
                       .begin(0)
                       .access(load, 0, all_lanes, all_at(tile))
                       .access(second_store, 0, lane(writer), all_at(tile)))
                  .count,
              1u);
}

TEST_F(SharedRace, AReadAndAWriteThatRaceWithOneLineAreOneDiagnosis) {
  const auto read = scene.at_line(60, "ld.shared.f32 %f1, [%r1]");
  const auto write = scene.at_line(60, "st.shared.f32 [%r1], %f1");
  const Diagnosis race = only(play()
                                  .begin(0)
                                  .access(store, 1, lane(0), all_at(tile))
                                  .access(read, 0, lane(0), all_at(tile))
                                  .access(write, 0, lane(0), all_at(tile)));
  EXPECT_EQ(race.message.substr(0, 27), "Race (RAW, read after write");
  EXPECT_EQ(race.count, 2u);
}

}  // namespace
}  // namespace warpwright::observe::testing
