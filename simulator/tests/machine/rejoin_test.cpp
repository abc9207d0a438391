#include <gtest/gtest.h>

#include <fmt/core.h>

#include <algorithm>

#include "machine/kernel.h"
#include "machine/random_flow.h"

namespace warpwright::kernels {
namespace {

constexpr const char* marker = "mov.u32 %r30, 30";

using Once = std::vector<Lanes>;

TEST(Rejoining, HappensBehindAnIfAndElse) {
  const Outcome outcome = run(R"(
    setp.lt.u32 %p1, %lane, 10;
    @%p1 bra less;
    mov.u32 %r1, 1;
    bra join;
  less:
    mov.u32 %r1, 2;
  join:
    mov.u32 %r30, 30;
    activemask.b32 %r2;
    st.global.u32 [%out], %r2;)");
  EXPECT_EQ(outcome.lanes_at("mov.u32 %r1, 2"), Once{0x3ff});
  EXPECT_EQ(outcome.lanes_at("mov.u32 %r1, 1"), Once{~0x3ffu});
  EXPECT_EQ(outcome.lanes_at(marker), Once{all_lanes});
  EXPECT_EQ(outcome.out, std::vector<std::uint32_t>(32, all_lanes));
}

TEST(Rejoining, HappensWhenTheElseIsLaidOutBehindTheEnd) {
  const Outcome outcome = run(R"(
    setp.lt.u32 %p1, %lane, 10;
    @%p1 bra rare;
  join:
    mov.u32 %r30, 30;
    bra done;
  rare:
    mov.u32 %r1, 2;
    bra join;)");
  EXPECT_EQ(outcome.lanes_at(marker), Once{all_lanes});
}

TEST(Rejoining, HappensBehindALoopOfUnequalTripCounts) {
  const Outcome outcome = run(R"(
    mov.u32 %r1, 0;
  loop:
    add.u32 %r1, %r1, 1;
    setp.le.u32 %p1, %r1, %lane;
    @%p1 bra loop;
    mov.u32 %r30, 30;
    st.global.u32 [%out], %r1;)");
  EXPECT_EQ(outcome.lanes_at(marker), Once{all_lanes});
  const std::vector<Lanes> turns = outcome.lanes_at("add.u32 %r1, %r1, 1");
  ASSERT_EQ(turns.size(), 32u);
  for (int i = 0; i < 32; ++i) EXPECT_EQ(turns[i], all_lanes << i) << "turn " << i;
  for (std::uint32_t lane = 0; lane < 32; ++lane) EXPECT_EQ(outcome.out[lane], lane + 1);
}

TEST(Rejoining, HappensBehindALoopWhoseExitIsLaidOutFirst) {
  const Outcome outcome = run(R"(
    mov.u32 %r1, 0;
  head:
    setp.lt.u32 %p1, %r1, %lane;
    @%p1 bra body;
    mov.u32 %r30, 30;
    bra done;
  body:
    add.u32 %r1, %r1, 1;
    bra head;)");
  EXPECT_EQ(outcome.lanes_at(marker), Once{all_lanes});
}

TEST(Rejoining, HappensInsideALoopAfterContinue) {
  const Outcome outcome = run(R"(
    mov.u32 %r1, 0;
  loop:
    and.b32 %r2, %lane, %r1;
    setp.ne.u32 %p1, %r2, 0;
    @%p1 bra next;
    mov.u32 %r3, 3;
  next:
    mov.u32 %r30, 30;
    add.u32 %r1, %r1, 1;
    setp.lt.u32 %p2, %r1, 4;
    @%p2 bra loop;)");
  EXPECT_EQ(outcome.lanes_at(marker), (std::vector<Lanes>(4, all_lanes)));
}

TEST(Rejoining, WaitsForTheCodeOfAnUncommonBreak) {
  const Outcome outcome = run(R"(
    mov.u32 %r1, 0;
  loop:
    add.u32 %r1, %r1, 1;
    setp.eq.u32 %p1, %r1, %lane;
    @%p1 bra found;
    setp.lt.u32 %p2, %r1, 8;
    @%p2 bra loop;
    mov.u32 %r4, 4;
    bra join;
  found:
    mov.u32 %r5, 5;
  join:
    mov.u32 %r30, 30;)");
  EXPECT_EQ(outcome.lanes_at("mov.u32 %r5, 5"), Once{0x1fe}) << "those that broke out one by one go on together";
  EXPECT_EQ(outcome.lanes_at(marker), Once{all_lanes});
}

TEST(Rejoining, LeavesOutLanesThatHaveExited) {
  const Outcome outcome = run(R"(
    setp.lt.u32 %p1, %lane, 5;
    @%p1 ret;
    setp.lt.u32 %p2, %lane, 20;
    @%p2 bra join;
    mov.u32 %r1, 1;
  join:
    mov.u32 %r30, 30;
    activemask.b32 %r2;
    st.global.u32 [%out], %r2;)");
  EXPECT_EQ(outcome.lanes_at(marker), Once{~0x1fu});
  EXPECT_EQ(outcome.out[4], unwritten);
  EXPECT_EQ(outcome.out[5], ~0x1fu);
}

TEST(Rejoining, IsNotNeededForTheLastGroupToGoOn) {
  // The lanes that branch make the second group, and it leaves first: its place in the list must not be used again.
  const Outcome outcome = run(R"(
    setp.lt.u32 %p1, %lane, 16;
    @%p1 bra leave;
    mov.u32 %r1, 0;
  spin:
    atom.global.add.u32 %r2, [%ins], 1;
    add.u32 %r1, %r1, 1;
    setp.lt.u32 %p2, %r1, 200;
    @%p2 bra spin;
    mov.u32 %r30, 30;
    st.global.u32 [%out], %r1;
    bra done;
  leave:
    st.global.u32 [%out], 7;
    ret;)");
  EXPECT_EQ(outcome.status, LaunchStatus::finished);
  EXPECT_EQ(outcome.lanes_at(marker), Once{0xffff0000});
  EXPECT_EQ(outcome.out[0], 7u);
  EXPECT_EQ(outcome.out[31], 200u);
}

TEST(Rejoining, NeverTouchesLanesThatTheBlockDoesNotHave) {
  Shape shape;
  shape.block = {40, 1, 1};
  const Outcome outcome = run("mov.u32 %r30, 30; activemask.b32 %r1; st.global.u32 [%out], %r1;", shape);
  EXPECT_EQ(outcome.lanes_at(marker, 0, 0), Once{all_lanes});
  EXPECT_EQ(outcome.lanes_at(marker, 0, 1), Once{0xff});
  EXPECT_EQ(outcome.out[39], 0xffu);
}

TEST(Rejoining, EndsForALoopWithTwoEntries) {
  const Outcome outcome = run(R"(
    mov.u32 %r1, %lane;
    setp.lt.u32 %p1, %lane, 16;
    @%p1 bra second;
  first:
    add.u32 %r1, %r1, 3;
  second:
    add.u32 %r1, %r1, 5;
    setp.lt.u32 %p2, %r1, 100;
    @%p2 bra first;
    st.global.u32 [%out], %r1;)");
  EXPECT_EQ(outcome.status, LaunchStatus::finished);
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    std::uint32_t value = lane < 16 ? lane + 5 : lane + 8;
    while (value < 100) value += 8;
    EXPECT_EQ(outcome.out[lane], value) << lane;
  }
}

TEST(Branches, ToAnEndWithoutAnInstructionLeave) {
  const Outcome outcome = run_module(R"(.version 9.0
    .target sm_90
    .address_size 64
    .visible .entry kernel(.param .u64 outs) {
    .reg .pred %p; .reg .b32 %r; .reg .b64 %rd<3>;
    mov.u32 %r, %tid.x;
    ld.param.u64 %rd1, [outs];
    mad.wide.u32 %rd1, %r, 4, %rd1;
    setp.lt.u32 %p, %r, 7;
    @%p bra end;
    st.global.u32 [%rd1], %r;
    end:
    })");
  EXPECT_EQ(outcome.status, LaunchStatus::finished);
  EXPECT_EQ(outcome.out[6], unwritten);
  EXPECT_EQ(outcome.out[7], 7u);
}

TEST(Branches, TellWhoTookThemWhereLanesPart) {
  const Outcome outcome = run(R"(
    setp.lt.u32 %p1, %lane, 4;
    @!%p1 bra next;
    mov.u32 %r1, 1;
  next:
    setp.lt.u32 %p2, %lane, 32;
    @%p2 bra last;
    mov.u32 %r1, 2;
  last:
    bra done;)");
  const auto& branches = outcome.events.branches;
  ASSERT_EQ(branches.size(), 1u) << "where all lanes go one way, or none, there is no event";
  EXPECT_EQ(branches[0].lanes, all_lanes);
  EXPECT_EQ(branches[0].taken, ~0xfu);
}

/// Lanes of a warp, the blocks that each visits, and what the machine must therefore tell.
class RandomFlowRuns : public testing::TestWithParam<bool> {};

TEST_P(RandomFlowRuns, FollowEachLaneAndMeetAgainOutsideLoopsAndBranches) {
  for (std::uint32_t seed = 0; seed < 150; ++seed) {
    SCOPED_TRACE(seed);
    const RandomFlow flow(seed, GetParam());
    Shape shape;
    shape.in.clear();
    for (std::uint32_t lane = 0; lane < 32; ++lane) shape.in.push_back(lane * 0x9e3779b9u + seed);
    const Outcome outcome = run(flow.ptx(), shape);
    ASSERT_EQ(outcome.status, LaunchStatus::finished);

    std::vector<RandomFlow::Path> paths;
    for (const std::uint32_t state : shape.in) paths.push_back(flow.follow(state));
    for (int lane = 0; lane < 32; ++lane) ASSERT_EQ(outcome.out[lane], paths[lane].state) << "lane " << lane;
    for (const int block : flow.top_level()) {
      Lanes visitors = 0;
      for (int lane = 0; lane < 32; ++lane)
        if (std::ranges::count(paths[lane].blocks, block) != 0) visitors |= machine::lane_bit(lane);
      const Once expected = visitors == 0 ? Once{} : Once{visitors};
      ASSERT_EQ(outcome.lanes_at(RandomFlow::marker(block)), expected) << "block " << block;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Returning, RandomFlowRuns, testing::Values(false, true));

}  // namespace
}  // namespace warpwright::kernels
