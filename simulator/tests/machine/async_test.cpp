#include <gtest/gtest.h>

#include <numeric>
#include <string>

#include "machine/kernel.h"

namespace warpwright::kernels {
namespace {

using observe::FaultKind;

/// Input words 1000, 1001, ...
std::vector<std::uint32_t> thousands(std::size_t count) {
  std::vector<std::uint32_t> words(count);
  std::iota(words.begin(), words.end(), 1000);
  return words;
}

constexpr std::uint32_t fresh = 0xcdcdcdcd;  // what shared memory holds before anything is written

/// Copies a word a thread, does `between`, and returns what the tile then holds.
std::vector<std::uint32_t> copied(const std::string& copy, const std::string& between) {
  return run("mov.u32 %r1, tile; mad.lo.u32 %r1, %lane, 4, %r1;" + copy + between +
                 "ld.shared.u32 %r2, [%r1]; st.global.u32 [%out], %r2;",
             {.in = thousands(32)})
      .out;
}

const std::string copy_word = "cp.async.ca.shared.global [%r1], [%in], 4;";

TEST(CopyAsync, ArrivesNoSoonerThanSomebodyWaits) {
  EXPECT_EQ(copied(copy_word, ""), std::vector<std::uint32_t>(32, fresh));
  EXPECT_EQ(copied(copy_word, "cp.async.commit_group;"), std::vector<std::uint32_t>(32, fresh));
  EXPECT_EQ(copied(copy_word, "cp.async.wait_group 0;"), std::vector<std::uint32_t>(32, fresh)) << "its group is open";
  EXPECT_EQ(copied(copy_word, "cp.async.commit_group; cp.async.wait_group 1;"), std::vector<std::uint32_t>(32, fresh));
  EXPECT_EQ(copied(copy_word, "cp.async.commit_group; cp.async.wait_group 0;"), thousands(32));
  EXPECT_EQ(copied(copy_word, "cp.async.wait_all;"), thousands(32));
}

TEST(CopyAsync, WaitsForTheOldestGroups) {
  const std::string two = copy_word + "cp.async.commit_group; cp.async.ca.shared.global [other], [%ins], 4;";
  EXPECT_EQ(copied(two, "cp.async.commit_group; cp.async.wait_group 1;"), thousands(32));
}

TEST(CopyAsync, FillsWithZerosWhatIsNotRead) {
  const Outcome outcome = run(R"(
    mov.u32 %r1, tile;
    cp.async.cg.shared.global [%r1], [%ins], 16, 8;
    mov.u64 %rd1, 64;
    cp.async.ca.shared.global [%r1+16], [%rd1], 4, 0;
    cp.async.wait_all;
    mad.lo.u32 %r2, %lane, 4, %r1;
    ld.shared.u32 %r3, [%r2];
    st.global.u32 [%out], %r3;)",
                              {.block = {5, 1, 1}, .in = thousands(4)});
  ASSERT_EQ(outcome.status, LaunchStatus::finished);
  EXPECT_EQ(outcome.out, (std::vector<std::uint32_t>{1000, 1001, 0, 0, 0}));
}

TEST(CopyAsync, ReadsWhenItIsIssuedAndWritesWhenItArrivesAsFarAsIsTold) {
  const Outcome outcome = run("cp.async.ca.shared.global [tile], [%ins], 4; add.u32 %r1, %r1, 1; cp.async.wait_all;",
                              {.block = {1, 1, 1}, .in = thousands(1)});
  ASSERT_EQ(outcome.events.accesses.size(), 2u);
  EXPECT_EQ(outcome.events.accesses[0].space, machine::Space::global);
  EXPECT_EQ(outcome.events.accesses[0].kind, machine::AccessKind::load);
  EXPECT_EQ(outcome.events.accesses[1].space, machine::Space::shared);
  EXPECT_EQ(outcome.events.accesses[1].kind, machine::AccessKind::store);
  EXPECT_EQ(outcome.events.accesses[1].where.pc, outcome.events.accesses[0].where.pc);
  EXPECT_FALSE(outcome.events.accesses[0].late);
  EXPECT_TRUE(outcome.events.accesses[1].late);
}

TEST(CopyAsync, OutsideAnObjectIsAFaultAtItsIssue) {
  const Outcome outcome = run("cp.async.ca.shared.global [tile], [%ins+4], 4; cp.async.wait_all;");
  EXPECT_EQ(outcome.status, LaunchStatus::faulted);
  EXPECT_EQ(outcome.events.faults.at(0).kind, FaultKind::out_of_bounds);
}

/// One thread initialises an mbarrier at [other] for `count` arrivals.
std::string initialised(int count) {
  return "setp.ne.u32 %p1, %thread, 0; @!%p1 mbarrier.init.shared.b64 [other], " + std::to_string(count) +
         "; bar.sync 0;\n";
}

TEST(Mbarrier, LetsNobodyPassBeforeAllHaveArrived) {
  const Outcome outcome = run(initialised(64) + R"(
    setp.ge.u32 %p2, %thread, 32;
    @%p2 st.volatile.shared.u32 [tile], 1;
    mbarrier.arrive.shared::cta.b64 %rd1, [other];
  wait:
    mbarrier.try_wait.shared.b64 %p3, [other], %rd1;
    @!%p3 bra wait;
    ld.volatile.shared.u32 %r1, [tile];
    st.global.u32 [%out], %r1;)",
                              {.block = {64, 1, 1}});
  ASSERT_EQ(outcome.status, LaunchStatus::finished);
  EXPECT_EQ(outcome.out, std::vector<std::uint32_t>(64, 1));
}

TEST(Mbarrier, ArrivesDropsAndExpectsBytesInOneInstruction) {
  const Outcome outcome = run(initialised(2) + R"(
    mbarrier.arrive_drop.expect_tx.shared.b64 _, [other], 16;
    mbarrier.arrive.shared.b64 _, [other];
    mbarrier.test_wait.parity.shared.b64 %p4, [other], 0;
    selp.b32 %r1, 1, 0, %p4;
    mbarrier.complete_tx.relaxed.cta.shared.b64 [other], 16;
    mbarrier.test_wait.parity.shared.b64 %p4, [other], 0;
    selp.b32 %r2, 10, 0, %p4;
    mbarrier.arrive.shared.b64 _, [other];
    mbarrier.test_wait.parity.shared.b64 %p4, [other], 1;
    selp.b32 %r3, 100, 0, %p4;
    add.u32 %r1, %r1, %r2;
    add.u32 %r1, %r1, %r3;
    st.global.u32 [%out], %r1;)",
                              {.block = {1, 1, 1}});
  EXPECT_EQ(outcome.out[0], 110u) << "complete with the bytes; then one arrival is enough";
}

TEST(Mbarrier, ChangesItsParityWithEveryPhase) {
  const Outcome outcome = run(initialised(1) + R"(
    mov.u32 %r1, 0;
    mbarrier.test_wait.parity.shared.b64 %p4, [other], 0;
    selp.b32 %r2, 1, 0, %p4;
    mbarrier.test_wait.parity.shared.b64 %p4, [other], 1;
    selp.b32 %r3, 10, 0, %p4;
    mbarrier.arrive.shared.b64 _, [other];
    mbarrier.test_wait.parity.shared.b64 %p4, [other], 0;
    selp.b32 %r4, 100, 0, %p4;
    mbarrier.test_wait.parity.shared.b64 %p4, [other], 1;
    selp.b32 %r5, 1000, 0, %p4;
    add.u32 %r2, %r2, %r3;
    add.u32 %r2, %r2, %r4;
    add.u32 %r2, %r2, %r5;
    st.global.u32 [%out], %r2;)",
                              {.block = {1, 1, 1}});
  EXPECT_EQ(outcome.out[0], 110u);
}

TEST(Mbarrier, CountsArrivalsAndDroppedOnes) {
  const Outcome outcome = run(initialised(3) + R"(
    mbarrier.arrive.shared.b64 %rd1, [other], 2;
    mbarrier.pending_count.b64 %r1, %rd1;
    mbarrier.arrive_drop.shared.b64 %rd2, [other];
    mbarrier.arrive.shared.b64 %rd3, [other];
    mbarrier.pending_count.b64 %r2, %rd3;
    mad.lo.u32 %r1, %r1, 10, %r2;
    st.global.u32 [%out], %r1;)",
                              {.block = {1, 1, 1}});
  EXPECT_EQ(outcome.out[0], 32u);
}

void expect_fault(FaultKind kind, const std::string& body) {
  const Outcome outcome = run(body, {.block = {64, 1, 1}});
  EXPECT_EQ(outcome.status, LaunchStatus::faulted) << body;
  ASSERT_FALSE(outcome.events.faults.empty());
  EXPECT_EQ(outcome.events.faults[0].kind, kind) << body;
}

void expect_bad_barrier(const std::string& body) { expect_fault(FaultKind::bad_barrier, body); }

TEST(Mbarrier, UsedAgainstItsRulesIsAFault) {
  expect_bad_barrier("mbarrier.arrive.shared.b64 %rd1, [other];");
  expect_bad_barrier(initialised(1) + "mbarrier.arrive.shared.b64 %rd1, [other], 2;");
  expect_bad_barrier(initialised(1) + "mbarrier.inval.shared.b64 [other]; mbarrier.arrive.shared.b64 %rd1, [other];");
  expect_bad_barrier("mbarrier.init.shared.b64 [other], 0;");
}

TEST(BlockBarriers, OfOtherNumbersThanZeroToFifteenAreFaults) {
  expect_bad_barrier("mov.u32 %r1, 16; bar.sync %r1;");
  expect_bad_barrier("mov.u32 %r1, 33; bar.sync 1, %r1;");
}

/// Thread 0 copies the input into the tile in bulk, and everybody waits for the mbarrier.
const std::string bulk_load = initialised(1) + R"(
    @%p1 bra wait;
    mov.u32 %r1, tile;
    mov.u32 %r2, other;
    mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 %rd1, [%r2], 256;
    cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%ins], 256, [%r2];
  wait:
)";

TEST(Bulk, ArrivesWhenTheBarrierIsAskedFor) {
  const std::string read = R"(
    mul.lo.u32 %r3, %thread, 4;
    mov.u32 %r4, tile;
    add.u32 %r3, %r3, %r4;
    ld.volatile.shared.u32 %r5, [%r3];
    st.global.u32 [%out], %r5;)";
  const Shape shape = {.block = {64, 1, 1}, .in = thousands(64)};
  const Outcome outcome = run(bulk_load + R"(
    mbarrier.try_wait.parity.shared::cta.b64 %p2, [other], 0;
    @!%p2 bra wait;)" + read,
                              shape);
  ASSERT_EQ(outcome.status, LaunchStatus::finished);
  EXPECT_EQ(outcome.out, thousands(64));
  EXPECT_EQ(run(bulk_load + read, shape).out, std::vector<std::uint32_t>(64, fresh));
}

TEST(Bulk, OfASizeThatIsNoMultipleOf16IsAFault) {
  expect_fault(FaultKind::bad_copy, R"(
    mov.u32 %r1, tile;
    mov.u32 %r2, other;
    setp.ne.u32 %p1, %thread, 0;
    @%p1 bra done;
    mbarrier.init.shared.b64 [%r2], 1;
    cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%outs], 20, [%r2];)");
}

TEST(Bulk, LeavesSharedMemoryWhenItsGroupIsWaitedFor) {
  const auto stored = [](const std::string& between) {
    return run(R"(
      mul.lo.u32 %r3, %thread, 4;
      mov.u32 %r4, tile;
      add.u32 %r3, %r3, %r4;
      st.shared.u32 [%r3], %thread;
      bar.sync 0;
      setp.ne.u32 %p1, %thread, 0;
      @%p1 bra done;
      cp.async.bulk.global.shared::cta.bulk_group [%outs], [%r4], 256;
      cp.async.bulk.commit_group;)" +
                   between + "st.shared.u32 [tile], 99; cp.async.bulk.wait_group 0;",
               {.block = {64, 1, 1}})
        .out;
  };
  EXPECT_EQ(stored("cp.async.bulk.wait_group.read 0;")[0], 0u);
  EXPECT_EQ(stored("")[0], 99u) << "overwritten before it was read";
  EXPECT_EQ(stored("")[63], 63u);
}

TEST(Bulk, IsToldOfForTheOneLaneThatAskedForIt) {
  const Outcome outcome = run(bulk_load + R"(
    mbarrier.try_wait.parity.shared::cta.b64 %p2, [other], 0;
    @!%p2 bra wait;)",
                              {.block = {64, 1, 1}, .in = thousands(64)});
  std::size_t bytes = 0;
  for (const Access& access : outcome.events.accesses)
    if (access.bulk) {
      EXPECT_EQ(access.lanes, 1u);
      bytes += access.bytes;
    }
  EXPECT_EQ(bytes, 2u * 256u);
}

TEST(Elect, ChoosesTheLowestLaneOfTheMask) {
  const Outcome outcome = run(R"(
    mov.u32 %r1, 0;
    setp.lt.u32 %p1, %lane, 3;
    @%p1 bra join;
    elect.sync %r1|%p2, 0xfffffff8;
    @%p2 add.u32 %r1, %r1, 100;
  join:
    st.global.u32 [%out], %r1;)");
  ASSERT_EQ(outcome.status, LaunchStatus::finished);
  EXPECT_EQ(outcome.out[0], 0u);
  EXPECT_EQ(outcome.out[3], 103u);
  EXPECT_EQ(outcome.out[4], 3u);
}

}  // namespace
}  // namespace warpwright::kernels
