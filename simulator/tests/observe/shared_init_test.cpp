#include "observe/definedness.h"

#include <gtest/gtest.h>

#include <vector>

#include "scene.h"

namespace warpwright::observe::testing {
namespace {

/// A kernel of blocks of 64 threads with an array `s` of 64 floats behind another one.
struct SharedInit : ::testing::Test {
  Scene scene{4, 64};
  std::uint32_t before = scene.shared_array("before", 64);
  std::uint32_t s = scene.shared_array("s", 256);
  std::uint32_t store = scene.at_line(27, "st.shared.f32 [%r1], %f1");
  std::uint32_t load = scene.at_line(31, "ld.shared.f32 %f2, [%r2]");

  std::uint32_t barrier = scene.at_line(33, "bar.sync 0");
  std::uint32_t warp_barrier = scene.at_line(34, "bar.warp.sync -1");

  Play play() const { return Play(scene, make_definedness()); }
  Play::AddressOf own(std::uint32_t warp = 0) const { return stride(s + 128 * warp, 4); }

  static void expect_silence(const Play& play) {
    for (const Diagnosis& diagnosis : play.diagnoses()) ADD_FAILURE() << diagnosis.message;
  }
  static Diagnosis only(const Play& play) {
    const std::vector<Diagnosis> found = play.diagnoses();
    EXPECT_EQ(found.size(), 1u);
    return found.empty() ? Diagnosis{} : found.front();
  }
};

TEST_F(SharedInit, NamesTheElementThatNobodyWrote) {
  const Diagnosis read = only(play()
                                  .begin(3)
                                  .access(store, 0, all_lanes, own(0))
                                  .access(store, 1, lanes(0, 19), own(1))
                                  .access(load, 1, all_lanes, own(1))
                                  .end());
  EXPECT_EQ(read.kind, "uninitialised");
  EXPECT_EQ(read.message,
            "thread (52,0,0) of block (3,0,0) reads s[52] here, but no thread of this block has written it. It holds "
            "whatever an earlier block left there.");
  EXPECT_EQ(read.hint,
            "Write every element of s that is read later, also where there is no input for it: for a sum, write 0.");
  EXPECT_EQ(read.line, 31u);
  EXPECT_EQ(read.who->thread.x, 52u);
  EXPECT_EQ(read.count, 12u);
}

TEST_F(SharedInit, OfABlockThatAFaultEndsItIsNotKnownWhoWouldHaveWritten) {
  const Diagnosis read =
      only(play().begin(0).access(load, 0, lane(0), all_at(s)).fault(FaultKind::trap, load, 0, lane(0)));
  EXPECT_EQ(read.message,
            "thread (0,0,0) of block (0,0,0) reads s[0] here, but no thread of this block has written it yet. It holds "
            "whatever an earlier block left there.");
  EXPECT_EQ(
      read.hint,
      "Does another thread write it? Put __syncthreads() between the two. Otherwise write every element of s that "
      "is read later, also where there is no input for it: for a sum, write 0.");
}

TEST_F(SharedInit, ReadsOfWhatAnyThreadOfTheBlockWroteAreFine) {
  expect_silence(play()
                     .begin(0)
                     .access(store, 0, all_lanes, own(0))
                     .access(store, 1, all_lanes, own(1))
                     .access(load, 0, all_lanes, own(1))
                     .access(load, 1, lanes(3, 7), own(0))
                     .access(load, 0, all_lanes, all_at(s + 252))
                     .end());
}

TEST_F(SharedInit, WhatAnotherBlockWroteDoesNotCount) {
  Play blocks = play();
  blocks.begin(0).access(store, 0, all_lanes, own()).end();
  blocks.begin(1).access(load, 0, all_lanes, own()).end();
  EXPECT_EQ(only(blocks).who->block.x, 1u);
  Play scattered = play();
  scattered.begin(0).access(store, 0, lanes(0, 3), own()).end();
  scattered.begin(1).access(load, 0, lanes(0, 3), own()).end();
  EXPECT_EQ(only(scattered).count, 4u);
}

TEST_F(SharedInit, AReadThatAnotherThreadMightHavePrecededIsARaceInstead) {
  expect_silence(play().begin(0).access(load, 0, lane(0), all_at(s)).access(store, 1, all_lanes, all_at(s)).end());
  expect_silence(play().begin(0).access(load, 0, lane(3), all_at(s)).access(store, 0, all_lanes, own(0)).end());
}

TEST_F(SharedInit, AReadThatWasOrderedBeforeTheFirstWriteIsTold) {
  EXPECT_EQ(only(play()
                     .begin(0)
                     .access(load, 0, lane(0), all_at(s))
                     .block_barrier(barrier)
                     .access(store, 1, lane(0), all_at(s))
                     .end())
                .who->thread.x,
            0u);
  EXPECT_EQ(only(play()
                     .begin(0)
                     .access(load, 0, lane(0), all_at(s))
                     .warp_barrier(warp_barrier, 0)
                     .access(store, 0, lane(5), all_at(s))
                     .end())
                .count,
            1u);
  EXPECT_EQ(only(play().begin(0).access(load, 0, lanes(0, 3), own()).access(store, 0, lanes(0, 3), own()).end()).count,
            4u)
      << "a thread reads its own element, then writes it";
}

TEST_F(SharedInit, WhoOnlyArrivesAtABarrierIsNotOrderedBehindTheOthers) {
  const auto arrival = scene.at_line(36, "bar.arrive 1, 64");
  const auto wait = scene.at_line(37, "bar.sync 1, 64");
  expect_silence(play()
                     .begin(0)
                     .access(load, 1, lane(0), all_at(s))
                     .arrive(arrival, 0, all_lanes, 1, 64, false)
                     .arrive(wait, 1, all_lanes, 1, 64)
                     .release(wait, 1)
                     .access(store, 0, lane(0), all_at(s))
                     .end());
}

TEST_F(SharedInit, IsToldWhenAFaultEndsTheBlock) {
  EXPECT_EQ(only(play().begin(0).access(load, 0, lane(0), all_at(s)).fault(FaultKind::trap, load, 0, lane(0))).count,
            1u);
}

TEST_F(SharedInit, AWideReadNeedsAllOfItsBytes) {
  const auto wide = scene.at_line(40, "ld.shared.v4.f32 {%f1,%f2,%f3,%f4}, [%r1]");
  const Diagnosis read =
      only(play().begin(0).access(store, 0, lanes(0, 6), own()).access(wide, 0, lanes(0, 1), stride(s, 16)).end());
  EXPECT_EQ(
      read.message,
      "thread (1,0,0) of block (0,0,0) reads bytes 16 to 31 of s here, but no thread of this block has written it. "
      "It holds whatever an earlier block left there.");
}

TEST_F(SharedInit, AWideRowIsWrittenWhole) {
  const auto wide = scene.at_line(40, "st.shared.v2.f32 [%r1], {%f1,%f2}");
  expect_silence(play().begin(0).access(wide, 0, all_lanes, stride(s, 8)).access(load, 1, all_lanes, own(1)).end());
  EXPECT_EQ(
      only(play().begin(0).access(wide, 0, lanes(0, 30), stride(s, 8)).access(load, 1, all_lanes, own(1)).end()).count,
      2u);
}

TEST_F(SharedInit, AnAtomicNeedsAFirstValueAndAnExchangeGivesOne) {
  const auto add = scene.at_line(40, "atom.shared.add.u32 %r1, [%r2], 1");
  const auto exchange = scene.at_line(41, "atom.shared.exch.b32 %r1, [%r2], 1");
  const Diagnosis update = only(play().begin(0).access(add, 0, lane(0), all_at(s)).end());
  EXPECT_EQ(update.line, 40u);
  EXPECT_NE(update.message.find("updates s[0] here"), std::string::npos);
  expect_silence(play().begin(0).access(exchange, 0, lane(0), all_at(s)).access(add, 0, lane(0), all_at(s)).end());
}

TEST_F(SharedInit, IsTheSameForAnyNumberOfHostThreads) {
  for (const bool last_first : {false, true}) {
    Play many = play();
    many.begin(2).access(load, 0, lane(2), own()).end();
    many.on_another_thread().begin(1).access(load, 0, lane(1), own()).access(load, 0, lane(5), own()).end();
    many.on_another_thread().begin(3).access(load, 0, lane(3), own()).end();
    const Diagnosis read = only(many.join_forks(last_first));
    EXPECT_EQ(read.who->block.x, 1u);
    EXPECT_EQ(read.who->thread.x, 1u);
    EXPECT_EQ(read.count, 4u);
  }
}

}  // namespace
}  // namespace warpwright::observe::testing
