#include "observe/standstill_wording.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "observe/progress_check.h"
#include "scene.h"

namespace warpwright::observe::testing {
namespace {

struct Livelock : ::testing::Test {
  Scene scene{4, 64};
  std::uint32_t load = scene.at_line(30, "ld.volatile.global.u32 %r1, [%rd1]");
  std::uint32_t atomic = scene.at_line(31, "atom.global.cas.b32 %r1, [%rd1], 0, 1");
  std::uint32_t pair = scene.at_line(32, "ld.volatile.shared.v2.u32 {%r1,%r2}, [%r3]");
  std::uint32_t plain = scene.at_line(33, "ld.shared.u32 %r1, [%r3]");
  std::uint32_t loop = scene.at_line(34, "bra $L1");
  std::uint32_t barrier = scene.at_line(40, "bar.sync 0");
  std::uint32_t warp_barrier = scene.at_line(41, "bar.warp.sync %r1");
  std::uint32_t flags = scene.shared_array("flags", 64);
  machine::Address words = scene.memory.allocate(16, "cudaMalloc");
  std::array<std::uint32_t, 4> found = {7, 8};

  Livelock() { scene.argument(words); }

  Play play() const { return Play(scene, make_progress_check()); }
  Standstill reads(std::uint64_t other_blocks = 0, std::uint64_t not_started = 0) const {
    return {.other_blocks = other_blocks,
            .blocks_not_started = not_started,
            .found = reinterpret_cast<const std::byte*>(found.data())};
  }
  Standstill reads_in_the_block() const {
    return {.within_the_block = true, .found = reinterpret_cast<const std::byte*>(found.data())};
  }
  static Diagnosis only(const Play& play) {
    const std::vector<Diagnosis> diagnoses = play.diagnoses();
    EXPECT_EQ(diagnoses.size(), 1u);
    return diagnoses.empty() ? Diagnosis{} : diagnoses.front();
  }
};

TEST_F(Livelock, NamesWhoPollsWhatWhereAndWhatIsFoundThere) {
  scene.at_line(50, "st.global.u32 [%rd1], %r1");
  const Diagnosis diagnosis =
      only(play().begin(2).fault(FaultKind::livelock, load, 1, lanes(0, 3), all_at(words + 4), reads()));
  EXPECT_EQ(diagnosis.kind, "livelock");
  EXPECT_EQ(
      diagnosis.message,
      "In block (2,0,0), nobody could go on: threads 32 to 35 found 7 whenever line 30 read element 1 of argument 1, "
      "an allocation of 16 bytes. No other thread that has started is left to change that.");
  EXPECT_EQ(
      diagnosis.hint,
      "Does some thread write what the loop waits for, on every way through the kernel? If it is a count, compare "
      "the number of those that add to it with the number that is waited for.");
  EXPECT_EQ(diagnosis.line, 30u);
  EXPECT_EQ(diagnosis.who->block.x, 2u);
  EXPECT_EQ(diagnosis.who->thread.x, 32u);
  EXPECT_EQ(diagnosis.allocation, 1u);
  EXPECT_FALSE(diagnosis.other);
}

TEST_F(Livelock, OfAnAtomicMayBeALock) {
  scene.at_line(50, "st.global.u32 [%rd1], %r1");
  const Diagnosis diagnosis =
      only(play().begin(0).fault(FaultKind::livelock, atomic, 0, lane(5), all_at(words), reads(3)));
  EXPECT_EQ(diagnosis.message,
            "In block (0,0,0), nobody could go on: thread 5 found 7 whenever the atomic at line 31 read element 0 of "
            "argument 1, an allocation of 16 bytes. The 3 other blocks that have not ended wait as well.");
  EXPECT_EQ(diagnosis.hint,
            "If it is a lock: whoever takes it must release it on every way out, and must not take it twice.");
}

TEST_F(Livelock, TellsThePollsFirstAndThenWhoWaitsForThem) {
  const Diagnosis diagnosis =
      only(play()
               .begin(0)
               .fault(FaultKind::livelock, warp_barrier, 0, lane(1))
               .fault(FaultKind::livelock, barrier, 0, lanes(2, 31))
               .fault(FaultKind::livelock, barrier, 1, lanes(1, 31))
               .fault(FaultKind::livelock, plain, 0, lane(0), all_at(flags), reads_in_the_block())
               .fault(FaultKind::livelock, pair, 1, lane(0), all_at(flags + 8), reads_in_the_block()));
  EXPECT_EQ(
      diagnosis.message,
      "In block (0,0,0), nobody could go on: thread 32 found 7, 8 whenever line 32 read bytes 8 to 15 of flags; thread "
      "0 found 7 whenever line 33 read flags[0]; thread 1 waited at the warp barrier at line 41; threads 2 to 31 "
      "and 33 to 63 waited at the block barrier at line 40. Only threads of this block could change that, and all "
      "that have not ended wait.");
  EXPECT_EQ(diagnosis.line, 32u);
  EXPECT_EQ(diagnosis.other->line, 33u);
}

TEST_F(Livelock, WithThreadsAtABarrierAsksForTheWriteBeforeIt) {
  scene.at_line(50, "st.volatile.shared.u32 [%r3], %r1");
  EXPECT_EQ(only(play()
                     .begin(0)
                     .fault(FaultKind::livelock, plain, 0, lane(0), all_at(flags), reads_in_the_block())
                     .fault(FaultKind::livelock, barrier, 1, all_lanes))
                .hint,
            "Those that wait at the barrier cannot write meanwhile: write before it, and hold no lock across it.");
}

TEST_F(Livelock, WhereNothingElseWritesSaysSo) {
  scene.at_line(50, "st.global.u32 [%rd1], %r1");
  EXPECT_EQ(
      only(play().begin(0).fault(FaultKind::livelock, plain, 0, lane(0), all_at(flags), reads_in_the_block())).hint,
      "Nothing else in this kernel writes shared memory, so what the loop waits for must be there before it.");
}

TEST_F(Livelock, OfThreadsWithAnElementEachNamesTheFirst) {
  const Diagnosis diagnosis = only(play()
                                       .begin(0)
                                       .fault(FaultKind::livelock, load, 0, lane(3), all_at(words + 8), reads(1))
                                       .fault(FaultKind::livelock, load, 1, lanes(0, 1), stride(words, 4), reads(1)));
  EXPECT_EQ(
      diagnosis.message,
      "In block (0,0,0), nobody could go on: threads 3 and 32 to 33 found nothing new whenever line 30 read an "
      "element of their own, the first of them 7 in element 2 of argument 1, an allocation of 16 bytes. The other "
      "block that has not ended waits as well.");
}

TEST_F(Livelock, OfBlocksThatCannotStartTellsHowManyTheGpuHolds) {
  scene.launch.resident_blocks = 2;
  const Diagnosis diagnosis =
      only(play().begin(0).fault(FaultKind::livelock, load, 0, lane(0), all_at(words), reads(1, 2)));
  EXPECT_NE(diagnosis.message.find("The other block that has not ended waits as well. 2 of the launch's 4 blocks never "
                                   "started: the GPU holds 2 at a time."),
            std::string::npos)
      << diagnosis.message;
  EXPECT_EQ(diagnosis.hint,
            "A block must not wait for one that starts only when another has ended: launch no more blocks than the GPU "
            "holds, or give out the work by a counter, so that blocks wait for earlier ones only.");
}

TEST_F(Livelock, OfALoopThatReadsNothingWasHoisted) {
  Standstill circle{.within_the_block = true, .moves = true};
  const Diagnosis diagnosis = only(play().begin(0).fault(FaultKind::livelock, loop, 0, all_lanes, {}, circle));
  EXPECT_EQ(diagnosis.message,
            "In block (0,0,0), nobody could go on: threads 0 to 31 went round a loop at line 34 that reads no memory.");
  EXPECT_EQ(diagnosis.hint,
            "If the loop waits for another thread, the compiler read its condition once, before the loop: read it with "
            "an atomic or through a volatile pointer.");
}

TEST_F(Livelock, InAGridSyncIsNamedByIt) {
  scene.launch.cooperative = true;
  scene.launch.grid_workspace = words;
  const Diagnosis diagnosis =
      only(play().begin(0).fault(FaultKind::livelock, load, 0, lane(0), all_at(words + 4), reads(2)));
  EXPECT_EQ(diagnosis.message,
            "In block (0,0,0), nobody could go on: thread 0 waited for other blocks in grid.sync() at line 30. The 2 "
            "other blocks that have not ended wait as well.");
  EXPECT_EQ(diagnosis.hint,
            "Every thread of every block must come to grid.sync() equally often, also one that has nothing to do.");
}

TEST_F(Livelock, AtAnMbarrierAsksForArrivalsAndBytes) {
  const auto test = scene.at_line(60, "mbarrier.test_wait.shared.b64 %p1, [%r1], %rd1");
  machine::Instruction& instruction = scene.program.code[test];
  instruction.space = machine::Space::shared;
  instruction.set_elements(8, 1);
  const Diagnosis diagnosis =
      only(play().begin(0).fault(FaultKind::livelock, test, 0, all_lanes, all_at(flags), reads_in_the_block()));
  EXPECT_EQ(diagnosis.message,
            "In block (0,0,0), nobody could go on: threads 0 to 31 waited at line 60 for the mbarrier flags[0], whose "
            "phase did not come to its end. Only threads of this block could change that, and all that have not ended "
            "wait.");
  EXPECT_EQ(
      diagnosis.hint,
      "A phase ends when as many threads have arrived as the barrier was initialised for, and all bytes have come "
      "that it was told to expect: compare both numbers with what comes.");
}

TEST_F(Livelock, AtAParitySpeaksOfRounds) {
  const auto test = scene.at_line(60, "mbarrier.test_wait.parity.shared.b64 %p1, [%r1], %r2");
  machine::Instruction& instruction = scene.program.code[test];
  instruction.space = machine::Space::shared;
  instruction.set_elements(8, 1);
  const Diagnosis diagnosis =
      only(play().begin(0).fault(FaultKind::livelock, test, 0, all_lanes, all_at(flags), reads_in_the_block()));
  EXPECT_NE(diagnosis.hint.find("the parity to wait for flips from one to the next (parity ^= 1)"), std::string::npos);
}

}  // namespace
}  // namespace warpwright::observe::testing
