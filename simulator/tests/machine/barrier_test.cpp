#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "machine/kernel.h"

namespace warpwright::kernels {
namespace {

using observe::FaultKind;

constexpr Dim3 warps(std::uint32_t count) { return {32 * count, 1, 1}; }

void expect_deadlock(const Outcome& outcome, const std::vector<std::pair<std::string, Lanes>>& waiting) {
  EXPECT_EQ(outcome.status, LaunchStatus::deadlocked);
  std::vector<std::pair<std::string, Lanes>> told;
  for (const Fault& fault : outcome.events.faults) {
    EXPECT_EQ(fault.kind, FaultKind::deadlock);
    EXPECT_EQ(fault.access.lanes, fault.lanes);
    told.emplace_back(outcome.text_of(fault), fault.lanes);
  }
  EXPECT_EQ(told, waiting);
}

TEST(BlockBarrier, MakesEveryThreadSeeWhatAllWroteInEveryPhase) {
  const Outcome outcome = run(R"(
    mov.u32 %r1, 0;
    mov.u32 %r9, 0;
    mul.lo.u32 %r2, %thread, 4;
    mov.u32 %r3, tile;
    add.u32 %r2, %r2, %r3;
    xor.b32 %r4, %r2, 128;
  phase:
    mad.lo.u32 %r5, %r1, 100, %thread;
    st.shared.u32 [%r2], %r5;
    bar.sync 0;
    ld.shared.u32 %r6, [%r4];
    add.u32 %r9, %r9, %r6;
    bar.sync 0;
    add.u32 %r1, %r1, 1;
    setp.lt.u32 %p1, %r1, 5;
    @%p1 bra phase;
    st.global.u32 [%out], %r9;)",
                              {.block = warps(2)});
  for (std::uint32_t thread = 0; thread < 64; ++thread) EXPECT_EQ(outcome.out[thread], 1000 + 5 * (thread ^ 32));
  EXPECT_EQ(outcome.events.releases.size(), 10u);
  EXPECT_EQ(outcome.events.arrivals.size(), 20u);
}

TEST(BlockBarrier, TellsWhoArrivedAndWhoWasReleased) {
  const Outcome outcome = run("bar.sync 3;", {.block = {40, 1, 1}});
  ASSERT_EQ(outcome.events.arrivals.size(), 2u);
  EXPECT_EQ(outcome.events.arrivals[1].where.warp, 1u);
  EXPECT_EQ(outcome.events.arrivals[1].barrier, 3u);
  EXPECT_EQ(outcome.events.arrivals[1].lanes, 0xffu);
  EXPECT_EQ(outcome.events.arrivals[1].expected_threads, 40u);
  EXPECT_TRUE(outcome.events.arrivals[1].waits);
  ASSERT_EQ(outcome.events.releases.size(), 1u);
  EXPECT_EQ(outcome.events.releases[0].arrived_threads, 40u);
  EXPECT_EQ(outcome.events.releases[0].lanes, (std::vector<Lanes>{all_lanes, 0xff}));
}

TEST(BlockBarrier, DoesNotCountThreadsThatHaveExited) {
  const Outcome outcome = run(R"(
    setp.lt.u32 %p1, %thread, 8;
    @%p1 ret;
    bar.sync 0;
    st.global.u32 [%out], 1;)",
                              {.block = warps(2)});
  EXPECT_EQ(outcome.status, LaunchStatus::finished);
  EXPECT_EQ(outcome.out[7], unwritten);
  EXPECT_EQ(outcome.out[8], 1u);
  EXPECT_EQ(outcome.events.releases.at(0).arrived_threads, 56u);
}

TEST(BlockBarrier, IsCompleteWhenTheLastThreadThatIsMissingExits) {
  const std::string others_leave = R"(
    setp.{} %p1, {}, {};
    @%p1 bra leave;
    bar.sync 0;
    st.global.u32 [%out], 1;
    bra done;
  leave:
    ret;)";
  for (const auto& [compare, who, limit] :
       {std::tuple{"eq.u32", "%warp", 1}, {"eq.u32", "%warp", 0}, {"ge.u32", "%lane", 16}, {"lt.u32", "%lane", 16}}) {
    SCOPED_TRACE(fmt::format("{} {} {} leaves", who, compare, limit));
    const Outcome outcome = run(fmt::format(fmt::runtime(others_leave), compare, who, limit), {.block = warps(2)});
    EXPECT_EQ(outcome.status, LaunchStatus::finished);
    EXPECT_EQ(std::ranges::count(outcome.out, 1u), 32);
    EXPECT_EQ(outcome.events.releases.size(), 1u);
  }
}

TEST(BlockBarrier, WithANumberOfThreadsWaitsForSoManyOnly) {
  const Outcome outcome = run(R"(
    setp.eq.u32 %p1, %warp, 1;
    @%p1 bra late;
    bar.sync 1, 64;
    mov.u32 %r30, 30;
    bra done;
  late:
    bar.sync 0, 32;
    bar.sync 2, 32;)",
                              {.block = warps(3)});
  EXPECT_EQ(outcome.status, LaunchStatus::finished);
  ASSERT_EQ(outcome.events.releases.size(), 3u);
  const auto pair = std::ranges::find(outcome.events.releases, 1u, &Release::barrier);
  EXPECT_EQ(pair->lanes, (std::vector<Lanes>{all_lanes, 0, all_lanes}));
  EXPECT_EQ(outcome.events.arrivals[0].expected_threads, 64u);
}

TEST(BlockBarrier, DoesNotHoldUpThoseWhoOnlyArrive) {
  const Outcome outcome = run(R"(
    setp.eq.u32 %p1, %warp, 0;
    @%p1 bra consumer;
    st.shared.u32 [tile], 42;
    bar.arrive 5, 64;
    mov.u32 %r30, 30;
    bra done;
  consumer:
    bar.sync 5, 64;
    ld.shared.u32 %r1, [tile];
    st.global.u32 [%out], %r1;)",
                              {.block = warps(2)});
  EXPECT_EQ(outcome.status, LaunchStatus::finished);
  EXPECT_EQ(outcome.out[0], 42u);
  ASSERT_EQ(outcome.events.arrivals.size(), 2u);
  EXPECT_TRUE(outcome.events.arrivals[0].waits);
  EXPECT_FALSE(outcome.events.arrivals[1].waits);
}

TEST(BlockBarrier, CompletedByAnArrivalReleasesThoseWhoWait) {
  const Outcome alone = run("bar.arrive 1, 64; mov.u32 %r30, 30;");
  EXPECT_EQ(alone.status, LaunchStatus::finished) << "an arrival that nobody waits for";
  EXPECT_TRUE(alone.events.releases.empty());
  expect_deadlock(run("bar.sync 1, 64;"), {{"bar.sync 1, 64", all_lanes}});
}

TEST(BlockBarrier, IsOneOfSixteenThatKnowNothingOfOneAnother) {
  // 32 warps in pairs, each pair at a barrier of its own; the second of a pair comes late.
  const Outcome outcome = run(R"(
    shr.u32 %r1, %warp, 1;
    mov.u32 %r2, 64;
    mul.lo.u32 %r3, %r1, 4;
    mov.u32 %r4, tile;
    add.u32 %r4, %r4, %r3;
    and.b32 %r5, %warp, 1;
    setp.eq.u32 %p1, %r5, 0;
    @%p1 bra wait;
    st.shared.u32 [%r4], %warp;
  wait:
    bar.sync %r1, %r2;
    ld.shared.u32 %r6, [%r4];
    st.global.u32 [%out], %r6;)",
                              {.block = warps(32)});
  EXPECT_EQ(outcome.status, LaunchStatus::finished);
  EXPECT_EQ(outcome.events.releases.size(), 16u);
  for (std::uint32_t warp = 0; warp < 32; ++warp) EXPECT_EQ(outcome.out[32 * warp], warp | 1) << warp;
}

TEST(BlockBarrier, MayDifferFromLaneToLane) {
  const Outcome outcome = run(R"(
    shr.u32 %r1, %lane, 4;
    mov.u32 %r2, 32;
    barrier.sync %r1, %r2;
    mov.u32 %r30, 30;)",
                              {.block = warps(2)});
  EXPECT_EQ(outcome.status, LaunchStatus::finished);
  ASSERT_EQ(outcome.events.releases.size(), 2u);
  EXPECT_EQ(outcome.events.releases[0].lanes, (std::vector<Lanes>{0xffff, 0xffff}));
  EXPECT_EQ(outcome.events.releases[1].lanes, (std::vector<Lanes>{0xffff0000, 0xffff0000}));
}

TEST(BlockBarrier, IsPassedByLanesWhoseGuardFails) {
  const Outcome outcome = run(R"(
    setp.lt.u32 %p1, %lane, 4;
    @%p1 bar.sync 0;
    activemask.b32 %r1;
    st.global.u32 [%out], %r1;)",
                              {.block = warps(2)});
  EXPECT_EQ(outcome.status, LaunchStatus::finished);
  EXPECT_EQ(outcome.events.releases.at(0).lanes, (std::vector<Lanes>{0xf, 0xf})) << "the others had exited";
  EXPECT_EQ(outcome.out[3], 0xfu);
  EXPECT_EQ(outcome.out[4], ~0xfu);
  EXPECT_EQ(outcome.lanes_at("@%p1 bar.sync 0"), std::vector<Lanes>{0xf}) << "once, not once more for those who pass";
  const Outcome nobody = run("setp.lt.u32 %p1, %lane, 0; @%p1 bar.sync 0; mov.u32 %r30, 30;");
  EXPECT_EQ(nobody.status, LaunchStatus::finished);
  EXPECT_TRUE(nobody.events.arrivals.empty());
}

TEST(BlockBarrier, ReachedFromTwoPlacesIsStillOneBarrier) {
  const Outcome outcome = run(R"(
    setp.lt.u32 %p1, %lane, 16;
    @%p1 bra less;
    bar.sync 0;
    mov.u32 %r1, 1;
    bra join;
  less:
    bar.sync 0;
    mov.u32 %r1, 2;
  join:
    mov.u32 %r30, 30;)",
                              {.block = warps(2)});
  EXPECT_EQ(outcome.status, LaunchStatus::finished);
  EXPECT_EQ(outcome.events.releases.size(), 1u);
  EXPECT_EQ(outcome.lanes_at("mov.u32 %r30, 30", 0, 1), std::vector<Lanes>{all_lanes});
}

/// What each of two warps' threads gets from a bar.red in which the threads vote whose number is at least `first`.
std::vector<std::uint32_t> reduced(const std::string& instruction, std::uint32_t first) {
  const std::string body = fmt::format(R"(
    setp.ge.u32 %p1, %thread, {};
    mov.pred %p2, 0;
    mov.u32 %r1, 77;
    {};
    @%p2 add.u32 %r1, %r1, 1000;
    st.global.u32 [%out], %r1;)",
                                       first, instruction);
  const Outcome outcome = run(body, {.block = warps(2)});
  EXPECT_EQ(outcome.status, LaunchStatus::finished);
  return outcome.out;
}

using Words = std::vector<std::uint32_t>;

TEST(BlockBarrier, CountsTheVotesOfAllThreads) {
  EXPECT_EQ(reduced("bar.red.popc.u32 %r1, 0, %p1", 50), Words(64, 14));
  EXPECT_EQ(reduced("barrier.red.popc.aligned.u32 %r1, 3, 64, !%p1", 50), Words(64, 50));
}

TEST(BlockBarrier, AsksWhetherAllThreadsOrAnyVoted) {
  EXPECT_EQ(reduced("bar.red.and.pred %p2, 0, %p1", 0), Words(64, 1077));
  EXPECT_EQ(reduced("bar.red.and.pred %p2, 0, %p1", 1), Words(64, 77));
  EXPECT_EQ(reduced("bar.red.and.pred %p2, 0, !%p1", 64), Words(64, 1077));
  EXPECT_EQ(reduced("bar.red.or.pred %p2, 0, %p1", 63), Words(64, 1077));
  EXPECT_EQ(reduced("bar.red.or.pred %p2, 0, %p1", 64), Words(64, 77));
}

TEST(BlockBarrier, AsksOnlyThreadsThatHaveNotExited) {
  const Outcome outcome = run(R"(
    setp.lt.u32 %p1, %thread, 40;
    @%p1 ret;
    mov.u32 %r2, 0;
  again:
    bar.red.popc.u32 %r1, 0, !%p1;
    bar.red.and.pred %p2, 1, !%p1;
    @%p2 add.u32 %r1, %r1, 100;
    add.u32 %r2, %r2, %r1;
    setp.lt.u32 %p3, %r2, 300;
    @%p3 bra again;
    st.global.u32 [%out], %r2;)",
                              {.block = warps(2)});
  EXPECT_EQ(outcome.out[39], unwritten);
  EXPECT_EQ(outcome.out[40], 3 * 124u) << "votes of one phase do not count in the next";
}

TEST(BlockBarrier, StartsAnewInEveryBlock) {
  const Outcome outcome = run(R"(
    setp.eq.u32 %p1, %block, 0;
    @%p1 bra first;
    bar.sync 1, 64;
  first:
    bar.arrive 1, 64;)",
                              {.grid = {2, 1, 1}});
  expect_deadlock(outcome, {{"bar.sync 1, 64", all_lanes}});
  EXPECT_EQ(outcome.events.faults[0].access.where.block, 1u);
}

TEST(Deadlock, IsToldOnceForEveryGroupThatWaits) {
  const std::string body = R"(
    setp.eq.u32 %p1, %warp, 0;
    @%p1 bra first;
    setp.lt.u32 %p2, %lane, 8;
    @%p2 bra second;
    bar.sync 2;
    bra done;
  first:
    bar.sync 0;
    bra done;
  second:
    bar.sync 1;)";
  const Outcome outcome = run(body, {.grid = {9, 1, 1}, .block = warps(2)});
  expect_deadlock(outcome, {{"bar.sync 0", all_lanes}, {"bar.sync 2", ~0xffu}, {"bar.sync 1", 0xffu}});
  EXPECT_EQ(outcome.events.begun, std::vector<std::uint64_t>{0}) << "no other block starts";
  EXPECT_TRUE(outcome.events.ended.empty());
}

TEST(Deadlock, IsFoundWhenMoreThreadsAreExpectedThanThereAre) {
  expect_deadlock(run("bar.sync 0, 96;", {.block = warps(2)}),
                  {{"bar.sync 0, 96", all_lanes}, {"bar.sync 0, 96", all_lanes}});
}

TEST(Deadlock, IsFoundWhenOneWarpMissesAPhase) {
  const Outcome outcome = run(R"(
    setp.eq.u32 %p1, %warp, 0;
    @%p1 bra join;
    bar.sync 0;
  join:
    bar.sync 0;
    bar.sync 1;)",
                              {.block = warps(2)});
  expect_deadlock(outcome, {{"bar.sync 1", all_lanes}, {"bar.sync 0", all_lanes}});
}

}  // namespace
}  // namespace warpwright::kernels
