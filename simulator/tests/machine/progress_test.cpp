#include <gtest/gtest.h>

#include <algorithm>

#include "machine/kernel.h"

namespace warpwright::kernels {
namespace {

using observe::FaultKind;

void expect_endless(const Outcome& outcome, Lanes lanes) {
  EXPECT_EQ(outcome.status, LaunchStatus::over_budget);
  ASSERT_EQ(outcome.events.faults.size(), 1u);
  EXPECT_EQ(outcome.events.faults[0].kind, FaultKind::endless);
  EXPECT_EQ(outcome.events.faults[0].lanes, lanes);
}

TEST(SpinLock, LetsEveryLaneOfAWarpInWhenTheWinnerLeavesTheLoop) {
  const Outcome outcome = run(R"(
  acquire:
    atom.global.cas.b32 %r1, [%ins], 0, 1;
    setp.ne.u32 %p1, %r1, 0;
    @%p1 bra acquire;
    ld.global.u32 %r2, [%ins+4];
    add.u32 %r2, %r2, 1;
    st.global.u32 [%ins+4], %r2;
    atom.global.exch.b32 %r3, [%ins], 0;
    st.global.u32 [%out], %r2;)",
                              {.block = {64, 1, 1}, .in = {0, 0}});
  ASSERT_EQ(outcome.status, LaunchStatus::finished);
  std::vector<std::uint32_t> tickets = outcome.out;
  std::ranges::sort(tickets);
  for (std::uint32_t i = 0; i < 64; ++i) EXPECT_EQ(tickets[i], i + 1);
}

TEST(SpinLock, LetsEveryLaneOfAWarpInWhenTheWinnerStaysInTheLoop) {
  const Outcome outcome = run(R"(
    mov.pred %p2, 0;
  acquire:
    atom.global.cas.b32 %r1, [%ins], 0, 1;
    setp.ne.u32 %p1, %r1, 0;
    @%p1 bra next;
    ld.global.u32 %r2, [%ins+4];
    add.u32 %r2, %r2, 1;
    st.global.u32 [%ins+4], %r2;
    st.release.gpu.global.u32 [%ins], 0;
    mov.pred %p2, 1;
  next:
    @!%p2 bra acquire;
    st.global.u32 [%out], %r2;)",
                              {.in = {0, 0}});
  ASSERT_EQ(outcome.status, LaunchStatus::finished);
  std::vector<std::uint32_t> tickets = outcome.out;
  std::ranges::sort(tickets);
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(tickets[i], i + 1);
}

TEST(SpinLock, LetsAWarpWaitForItsOwnLanesInEitherOrder) {
  for (const char* waiting : {"lt", "ge"}) {
    SCOPED_TRACE(waiting);
    const Outcome outcome = run(std::string("setp.") + waiting + R"(.u32 %p1, %lane, 16;
      @%p1 bra wait;
      st.volatile.global.u32 [%ins], 1;
      bra done;
    wait:
      ld.volatile.global.u32 %r1, [%ins];
      setp.eq.u32 %p2, %r1, 0;
      @%p2 bra wait;
      st.global.u32 [%out], %r1;)");
    EXPECT_EQ(outcome.status, LaunchStatus::finished);
    EXPECT_EQ(outcome.out[waiting[0] == 'l' ? 0 : 31], 1u);
  }
}

TEST(SpinLock, LetsTheLanesInsideTheLoopGoFirstWhenTheyAreAwaited) {
  // The waiting lanes have the lower rank for good: only taking turns lets the others pass them.
  const Outcome outcome = run(R"(
    setp.lt.u32 %p1, %lane, 1;
    mov.u32 %r1, 0;
  again:
    @%p1 bra work;
  wait:
    ld.acquire.gpu.global.u32 %r2, [%ins];
    setp.eq.u32 %p2, %r2, 0;
    @%p2 bra wait;
    bra out;
  work:
    add.u32 %r1, %r1, 1;
    setp.lt.u32 %p3, %r1, 1000;
    @%p3 bra again;
    st.release.gpu.global.u32 [%ins], 1;
  out:
    st.global.u32 [%out], %r1;)");
  EXPECT_EQ(outcome.status, LaunchStatus::finished);
  EXPECT_EQ(outcome.out[0], 1000u);
}

TEST(SpinLock, CountsEachTurnOnceWhenASpinningGroupIsJoined) {
  // Lanes 16-31 leave the loop after one turn, while the others spin on, and then join them from outside.
  const Outcome outcome = run(R"(
    setp.lt.u32 %p1, %lane, 16;
    selp.b32 %r1, 200, 1, %p1;
    mov.u32 %r2, 0;
  spin:
    atom.global.add.u32 %r3, [%ins], 1;
    add.u32 %r2, %r2, 1;
    setp.ge.u32 %p2, %r2, %r1;
    @%p2 bra out;
    bra spin;
  out:
    setp.ge.u32 %p3, %r2, 200;
    @%p3 bra done;
    mov.u32 %r1, 200;
    bra spin;)");
  ASSERT_EQ(outcome.status, LaunchStatus::finished);
  std::size_t turns = 0;
  for (const Lanes lanes : outcome.lanes_at("add.u32 %r2, %r2, 1")) turns += machine::count_lanes(lanes);
  EXPECT_EQ(turns, 32u * 200u);
}

TEST(Flags, InSharedMemoryPassBetweenWarpsInBothDirections) {
  const Outcome outcome = run(R"(
    st.volatile.shared.u32 [tile], 0;
    bar.sync 0;
    mov.u32 %r1, %warp;
  wait:
    ld.volatile.shared.u32 %r2, [tile];
    setp.ne.u32 %p1, %r2, %r1;
    @%p1 bra wait;
    add.u32 %r3, %r2, 1;
    st.volatile.shared.u32 [tile], %r3;
    add.u32 %r1, %r1, 3;
    setp.lt.u32 %p2, %r1, 30;
    @%p2 bra wait;
    st.global.u32 [%out], %r3;)",
                              {.block = {96, 1, 1}});
  EXPECT_EQ(outcome.status, LaunchStatus::finished);
  EXPECT_EQ(outcome.out[0], 28u);
  EXPECT_EQ(outcome.out[95], 30u);
}

TEST(Flags, LetABlockWaitForAnEarlierOneOnOneHostThread) {
  const Outcome outcome = run(R"(
  wait:
    ld.acquire.gpu.global.u32 %r1, [%ins];
    setp.ne.u32 %p1, %r1, %block;
    @%p1 bra wait;
    bar.sync 0;
    add.u32 %r2, %r1, 1;
    st.release.gpu.global.u32 [%ins], %r2;
    st.global.u32 [%out], %r2;)",
                              {.grid = {20, 1, 1}, .block = {64, 1, 1}});
  EXPECT_EQ(outcome.status, LaunchStatus::finished);
  EXPECT_EQ(outcome.out[20 * 64 - 1], 20u);
}

TEST(Budget, EndsALoopThatDoesNothing) {
  const Outcome outcome = run("here: bra here;", {.step_budget = 1000});
  expect_endless(outcome, all_lanes);
  EXPECT_EQ(outcome.text_of(outcome.events.faults[0]), "bra here");
}

TEST(Budget, EndsALoopThatPollsForWhatNobodyWrites) {
  const Outcome outcome = run(R"(
    bar.sync 0;
  wait:
    ld.volatile.global.u32 %r1, [%ins];
    setp.eq.u32 %p1, %r1, 0;
    @%p1 bra wait;)",
                              {.block = {64, 1, 1}, .step_budget = 10000});
  expect_endless(outcome, all_lanes);
}

TEST(Budget, NamesTheLanesThatAreLeft) {
  const Outcome outcome = run("setp.lt.u32 %p1, %lane, 30; @%p1 ret; here: bra here;", {.step_budget = 1000});
  expect_endless(outcome, 0xc0000000);
}

TEST(Budget, IsOfEachWarpInEachBlock) {
  const std::string nine_hundred_steps = R"(
    mov.u32 %r1, 0;
  loop:
    add.u32 %r1, %r1, 1;
    setp.lt.u32 %p1, %r1, 300;
    @%p1 bra loop;)";
  const Shape shape = {.grid = {5, 1, 1}, .block = {96, 1, 1}, .step_budget = 1000};
  EXPECT_EQ(run(nine_hundred_steps, shape).status, LaunchStatus::finished);
  const std::string hundreds_more = R"(
    mov.u32 %r1, 0;
  more:
    add.u32 %r1, %r1, 1;
    setp.lt.u32 %p1, %r1, 100;
    @%p1 bra more;)";
  EXPECT_EQ(run(nine_hundred_steps + hundreds_more, shape).status, LaunchStatus::over_budget);
}

}  // namespace
}  // namespace warpwright::kernels
