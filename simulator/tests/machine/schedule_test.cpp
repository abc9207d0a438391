#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>

#include "machine/kernel.h"
#include "machine/random_flow.h"

namespace warpwright::kernels {
namespace {

constexpr std::uint64_t seeds = 20;

using Step = std::tuple<std::uint64_t, std::uint32_t, std::uint32_t, Lanes>;  // block, warp, pc, lanes

std::vector<Step> steps_of(const Outcome& outcome) {
  std::vector<Step> steps;
  for (const observe::Run& run : outcome.events.runs)
    for (std::uint32_t i = 0; i < run.count; ++i)
      steps.emplace_back(run.where.block, run.where.warp, run.where.pc + i, run.on);
  return steps;
}

/// How often each instruction was executed by which lanes.
std::map<Step, int> counts_of(const Outcome& outcome) {
  std::map<Step, int> counts;
  for (const Step& step : steps_of(outcome)) ++counts[step];
  return counts;
}

/// What a kernel writes into its first word, under every seed.
std::set<std::uint32_t> results_of(const std::string& body, Shape shape) {
  std::set<std::uint32_t> results;
  for (shape.schedule = 1; *shape.schedule <= seeds; ++*shape.schedule) results.insert(run(body, shape).out[0]);
  return results;
}

/// Shared memory, barriers, shuffles, loops and branches, without a race.
constexpr const char* tidy = R"(
  mul.lo.u32 %r1, %thread, 4;
  mov.u32 %r2, tile;
  add.u32 %r1, %r1, %r2;
  mov.u32 %r3, 0;
  mov.u32 %r9, 0;
loop:
  bar.sync 0;
  mad.lo.u32 %r5, %r3, 77, %thread;
  st.shared.u32 [%r1], %r5;
  bar.sync 0;
  and.b32 %r8, %lane, 1;
  setp.eq.u32 %p1, %r8, 0;
  @%p1 bra even;
  ld.shared.u32 %r6, [tile+64];
  add.u32 %r9, %r9, %r6;
  bra join;
even:
  ld.shared.u32 %r6, [tile+128];
  sub.u32 %r9, %r9, %r6;
join:
  shfl.sync.bfly.b32 %r7, %r9, 3, 31, -1;
  add.u32 %r9, %r9, %r7;
  add.u32 %r3, %r3, 1;
  setp.le.u32 %p2, %r3, %block;
  @%p2 bra loop;
  st.global.u32 [%out], %r9;)";

TEST(Schedules, ChangeNeitherResultsNorCountsWhereNothingDependsOnOrder) {
  Shape shape = {.grid = {12, 1, 1}, .block = {64, 1, 1}};
  const Outcome usual = run(tidy, shape);
  ASSERT_EQ(usual.status, LaunchStatus::finished);
  for (shape.schedule = 0; *shape.schedule < seeds; ++*shape.schedule) {
    SCOPED_TRACE(*shape.schedule);
    const Outcome other = run(tidy, shape);
    EXPECT_EQ(other.status, LaunchStatus::finished);
    EXPECT_EQ(other.out, usual.out);
    EXPECT_EQ(counts_of(other), counts_of(usual));
    EXPECT_NE(steps_of(other), steps_of(usual));
    EXPECT_EQ(other.events.ended.size(), 12u);
  }
}

TEST(Schedules, LetLanesRejoinWhereTheyDoInTheUsualOrder) {
  for (std::uint32_t program = 0; program < 40; ++program) {
    SCOPED_TRACE(program);
    const RandomFlow flow(program, true);
    Shape shape;
    for (std::uint32_t i = 0; i < 31; ++i) shape.in.push_back(i * 2654435761u);
    const Outcome usual = run(flow.ptx(), shape);
    ASSERT_EQ(usual.status, LaunchStatus::finished);
    for (shape.schedule = 0; *shape.schedule < 5; ++*shape.schedule) {
      const Outcome other = run(flow.ptx(), shape);
      EXPECT_EQ(other.out, usual.out);
      for (const int block : flow.top_level())
        EXPECT_EQ(other.lanes_at(RandomFlow::marker(block)), usual.lanes_at(RandomFlow::marker(block)));
    }
  }
}

TEST(Schedules, OfOneSeedGiveOneRun) {
  Shape shape = {.grid = {12, 1, 1}, .block = {64, 1, 1}, .schedule = 7};
  const Outcome once = run(tidy, shape);
  const Outcome again = run(tidy, shape);
  EXPECT_EQ(steps_of(again), steps_of(once));
  shape.host_threads = 4;
  EXPECT_EQ(steps_of(run(tidy, shape)), steps_of(once));
  shape.schedule = 8;
  EXPECT_NE(steps_of(run(tidy, shape)), steps_of(once));
}

TEST(Schedules, ShuffleBlocks) {
  const std::string last_wins = "st.global.u32 [%outs], %block;";
  EXPECT_GE(results_of(last_wins, {.grid = {30, 1, 1}, .block = {1, 1, 1}}).size(), 4u);
}

TEST(Schedules, InterleaveBlocks) {
  const Outcome outcome = run("mov.u32 %r1, 0; here: add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 500; @%p1 bra here;",
                              {.grid = {4, 1, 1}, .schedule = 3});
  const std::vector<observe::Run>& runs = outcome.events.runs;
  std::size_t changes = 0;
  for (std::size_t i = 1; i < runs.size(); ++i) changes += runs[i].where.block != runs[i - 1].where.block ? 1 : 0;
  EXPECT_GT(changes, 10u);
}

TEST(Schedules, ShuffleWarps) {
  const std::string last_wins = "st.global.u32 [%outs], %warp;";
  EXPECT_GE(results_of(last_wins, {.block = {256, 1, 1}}).size(), 4u);
}

TEST(Schedules, StopAWarpAmongInstructionsWithoutABranch) {
  // What a thread reads depends on how far the other warp has come.
  std::string stores = R"(
    setp.ge.u32 %p1, %thread, 32;
    @%p1 bra read;)";
  for (int i = 0; i < 40; ++i) stores += "st.volatile.shared.u32 [tile], " + std::to_string(i) + ";";
  stores += R"(
    ret;
  read:
    ld.volatile.shared.u32 %r1, [tile];
    st.global.u32 [%outs], %r1;)";
  const std::set<std::uint32_t> seen = results_of(stores, {.block = {64, 1, 1}});
  EXPECT_TRUE(seen.contains(0xcdcdcdcd));
  EXPECT_TRUE(seen.contains(39));
  EXPECT_GE(seen.size(), 4u);
}

TEST(Schedules, ShuffleThePathsOfAWarp) {
  const std::string last_wins = R"(
    setp.lt.u32 %p1, %lane, 16;
    @%p1 bra low;
    st.global.u32 [%outs], 1;
    bra join;
  low:
    st.global.u32 [%outs], 2;
  join:
    bar.warp.sync -1;)";
  EXPECT_EQ(results_of(last_wins, {}), (std::set<std::uint32_t>{1, 2}));
}

TEST(Schedules, LeaveEachPathItsOwnAddresses) {
  // Odd and even lanes may take turns between one load and the next. The even ones use four address registers, as many
  // as a warp knows the shapes of.
  const auto loads = [](int registers) {
    std::string text;
    for (int i = 0; i < 40; ++i)
      text += fmt::format("ld.global.u32 %r3, [%rd{}+{}]; add.u32 %r2, %r2, %r3;", 1 + i % registers, 4 * i);
    return text;
  };
  const std::string body = fmt::format(R"(
    mov.u32 %r2, 0;
    and.b32 %r1, %lane, 1;
    setp.eq.u32 %p1, %r1, 0;
    @%p1 bra even;
    mul.wide.u32 %rd1, %lane, 4;
    add.s64 %rd1, %rd1, %ins;
    {}
    bra join;
  even:
    mul.wide.u32 %rd1, %lane, 8;
    add.s64 %rd1, %rd1, %ins;
    add.s64 %rd2, %rd1, 4;
    add.s64 %rd3, %rd1, 8;
    add.s64 %rd4, %rd1, 12;
    {}
  join:
    st.global.u32 [%out], %r2;)",
                                       loads(1), loads(4));
  Shape shape = {.in = std::vector<std::uint32_t>(128)};
  for (std::uint32_t i = 0; i < shape.in.size(); ++i) shape.in[i] = i * i;
  const Outcome usual = run(body, shape);
  for (shape.schedule = 1; *shape.schedule <= seeds; ++*shape.schedule)
    EXPECT_EQ(run(body, shape).out, usual.out) << *shape.schedule;
}

TEST(Schedules, GiveWaitingLanesAndBlocksTheirTurn) {
  // Each block waits for the one before it, and one lane of each warp for the other 31.
  const char* body = R"(
    setp.ne.u32 %p1, %lane, 31;
    @%p1 bra others;
  wait:
    ld.acquire.gpu.global.u32 %r1, [%ins];
    setp.ne.u32 %p2, %r1, %block;
    @%p2 bra wait;
  count:
    ld.acquire.cta.shared.u32 %r2, [tile];
    setp.ne.u32 %p2, %r2, 0xcdcdcdec;
    @%p2 bra count;
    add.u32 %r1, %r1, 1;
    st.release.gpu.global.u32 [%ins], %r1;
    bra done;
  others:
    red.relaxed.cta.shared.add.u32 [tile], 1;)";
  Shape shape = {.grid = {60, 1, 1}, .in = {0}};
  for (shape.schedule = 1; *shape.schedule <= seeds; ++*shape.schedule)
    EXPECT_EQ(run(body, shape).status, LaunchStatus::finished) << *shape.schedule;
}

/// Every block adds one to a counter and waits until all have.
constexpr const char* meeting = R"(
  mov.u32 %r2, %nctaid.x;
  red.release.gpu.global.add.u32 [%ins], 1;
wait:
  ld.acquire.gpu.global.u32 %r1, [%ins];
  setp.ne.u32 %p1, %r1, %r2;
  @%p1 bra wait;)";

TEST(Residents, MayAllWaitForOneAnother) {
  Shape shape = {.grid = {100, 1, 1}, .block = {1, 1, 1}, .resident_blocks = 100};
  EXPECT_EQ(run(meeting, shape).status, LaunchStatus::finished);
  for (shape.schedule = 1; *shape.schedule <= seeds; ++*shape.schedule)
    EXPECT_EQ(run(meeting, shape).status, LaunchStatus::finished) << *shape.schedule;
}

TEST(Residents, WaitInVainForABlockThatTheGpuHasNoRoomFor) {
  Shape shape = {.grid = {9, 1, 1}, .block = {1, 1, 1}, .step_budget = 20000, .resident_blocks = 8};
  EXPECT_EQ(run(meeting, shape).status, LaunchStatus::over_budget);
  shape.schedule = 1;
  EXPECT_EQ(run(meeting, shape).status, LaunchStatus::over_budget);
}

TEST(Residents, AreNoMoreThanNeededWhereNobodyWaits) {
  const Outcome outcome = run(tidy, {.grid = {12, 1, 1}, .block = {64, 1, 1}});
  std::vector<std::uint64_t> blocks;
  for (const observe::Run& run : outcome.events.runs) blocks.push_back(run.where.block);
  EXPECT_TRUE(std::ranges::is_sorted(blocks));
}

}  // namespace
}  // namespace warpwright::kernels
