#include <gtest/gtest.h>

#include <algorithm>

#include "machine/kernel.h"

namespace warpwright::kernels {
namespace {

using Times = std::vector<Lanes>;

constexpr const char* shuffle = "shfl.sync.bfly.b32 %r3, %r1, 1, 31, -1";
constexpr const char* marker = "mov.u32 %r30, 30";

TEST(Collectives, OfBothHalvesOfAWarpHaveTheirOwnMasks) {
  const Outcome outcome = run(R"(
    setp.lt.u32 %p1, %lane, 16;
    mov.u32 %r1, %lane;
    @%p1 bra lower;
    shfl.sync.bfly.b32 %r3, %r1, 5, 31, 0xffff0000;
    bra join;
  lower:
    shfl.sync.bfly.b32 %r3, %r1, 3, 31, 0x0000ffff;
  join:
    st.global.u32 [%out], %r3;)");
  EXPECT_EQ(outcome.status, LaunchStatus::finished);
  for (std::uint32_t lane = 0; lane < 32; ++lane) EXPECT_EQ(outcome.out[lane], lane < 16 ? lane ^ 3 : lane ^ 5);
}

TEST(Collectives, WithTwoMasksAtOneInstructionRunTogetherButApart) {
  const Outcome outcome = run(R"(
    setp.lt.u32 %p1, %lane, 16;
    selp.b32 %r1, 0x0000ffff, 0xffff0000, %p1;
    setp.eq.u32 %p2, %lane, 3;
    vote.sync.ballot.b32 %r2, %p2, %r1;
    vote.sync.any.pred %p3, %p2, %r1;
    redux.sync.add.u32 %r4, %lane, %r1;
    selp.b32 %r3, 1, 0, %p3;
    mad.lo.u32 %r2, %r3, 1000, %r2;
    mad.lo.u32 %r2, %r4, 10000, %r2;
    st.global.u32 [%out], %r2;)");
  EXPECT_EQ(outcome.out[0], 1200000u + 1000 + 8);
  EXPECT_EQ(outcome.out[16], 3760000u);
  EXPECT_EQ(outcome.lanes_at("vote.sync.any.pred %p3, %p2, %r1"), Times{all_lanes});
}

TEST(Collectives, WaitForLanesThatTakeTheLongWayRoundALoop) {
  // Even lanes are back at the loop's head, which has the lowest rank, while odd lanes are still in its body.
  const Outcome outcome = run(R"(
    mov.u32 %r1, 0;
    and.b32 %r2, %lane, 1;
    setp.eq.u32 %p1, %r2, 0;
  head:
    add.u32 %r1, %r1, 1;
    shfl.sync.bfly.b32 %r3, %r1, 1, 31, -1;
    setp.ge.u32 %p2, %r1, 4;
    @%p2 bra last;
    @%p1 bra head;
    mov.u32 %r4, 4;
    bra head;
  last:
    mov.u32 %r30, 30;)");
  EXPECT_EQ(outcome.status, LaunchStatus::finished);
  EXPECT_EQ(outcome.lanes_at(shuffle), Times(4, all_lanes));
  EXPECT_EQ(outcome.lanes_at("mov.u32 %r4, 4"), Times(3, 0xaaaaaaaa));
}

TEST(Collectives, DoNotWaitForLanesThatHaveExited) {
  const Outcome outcome = run(R"(
    setp.lt.u32 %p1, %lane, 8;
    @%p1 ret;
    mov.u32 %r1, %lane;
    shfl.sync.bfly.b32 %r3, %r1, 1, 31, -1;
    st.global.u32 [%out], %r3;)");
  EXPECT_EQ(outcome.lanes_at(shuffle), Times{~0xffu});
  EXPECT_EQ(outcome.out[8], 9u);
  EXPECT_EQ(outcome.events.shuffles.at(0).live, ~0xffu);
}

TEST(Collectives, GoOnWhenTheLanesThatTheyWaitForExit) {
  const Outcome outcome = run(R"(
    setp.ge.u32 %p1, %lane, 16;
    @%p1 bra leave;
    mov.u32 %r1, %lane;
    shfl.sync.bfly.b32 %r3, %r1, 1, 31, -1;
    st.global.u32 [%out], %r3;
    ret;
  leave:
    ret;)");
  EXPECT_EQ(outcome.status, LaunchStatus::finished);
  EXPECT_EQ(outcome.lanes_at(shuffle), Times{0xffff});
  EXPECT_EQ(outcome.events.shuffles.at(0).live, 0xffffu) << "the others were waited for";
}

TEST(Collectives, AreForcedWhenAMaskNamesLanesThatWaitElsewhere) {
  const Outcome outcome = run(R"(
    setp.ge.u32 %p1, %lane, 16;
    mov.u32 %r1, %lane;
    @%p1 bra elsewhere;
    shfl.sync.bfly.b32 %r3, %r1, 1, 31, -1;
    st.global.u32 [%out], %r3;
  elsewhere:
    bar.sync 0;
    mov.u32 %r30, 30;)",
                              {.block = {64, 1, 1}});
  EXPECT_EQ(outcome.status, LaunchStatus::finished);
  EXPECT_EQ(outcome.lanes_at(shuffle), Times{0xffff});
  EXPECT_EQ(outcome.events.shuffles.at(0).live, all_lanes) << "which shows that partners were missing";
  EXPECT_EQ(outcome.out[0], 1u);
  EXPECT_EQ(outcome.lanes_at(marker), Times{all_lanes});
}

TEST(Collectives, AreForcedWhenBothSidesOfABranchNameTheWholeWarp) {
  const Outcome outcome = run(R"(
    setp.ge.u32 %p1, %lane, 16;
    mov.u32 %r1, %lane;
    @%p1 bra upper;
    shfl.sync.bfly.b32 %r3, %r1, 1, 31, -1;
    bra join;
  upper:
    shfl.sync.bfly.b32 %r3, %r1, 2, 31, -1;
  join:
    st.global.u32 [%out], %r3;)");
  EXPECT_EQ(outcome.status, LaunchStatus::finished);
  for (std::uint32_t lane = 0; lane < 32; ++lane) EXPECT_EQ(outcome.out[lane], lane < 16 ? lane ^ 1 : lane ^ 2);
}

// An H200 hangs here.
TEST(Collectives, AreForcedWhenOneSideOfABranchShufflesAndTheOtherSynchronizes) {
  const Outcome outcome = run(R"(
    setp.ge.u32 %p1, %lane, 16;
    mov.u32 %r1, %lane;
    @%p1 bra upper;
    bar.warp.sync -1;
    mov.u32 %r3, 100;
    bra join;
  upper:
    shfl.sync.bfly.b32 %r3, %r1, 1, 31, -1;
  join:
    st.global.u32 [%out], %r3;)");
  EXPECT_EQ(outcome.status, LaunchStatus::finished);
  for (std::uint32_t lane = 0; lane < 32; ++lane) EXPECT_EQ(outcome.out[lane], lane < 16 ? 100u : lane ^ 1);
  EXPECT_EQ(outcome.lanes_at(shuffle), Times{0xffff0000});
  EXPECT_EQ(outcome.lanes_at("bar.warp.sync -1"), Times{0xffff});
}

TEST(Collectives, AreForcedWhereThoseLanesMayYetReachTheOthers) {
  const Outcome outcome = run(R"(
    setp.ge.u32 %p1, %lane, 16;
    mov.u32 %r1, %lane;
    @%p1 bra first;
    bra second;
  first:
    shfl.sync.bfly.b32 %r3, %r1, 1, 31, -1;
  second:
    bar.warp.sync -1;
    mov.u32 %r30, 30;)");
  EXPECT_EQ(outcome.lanes_at(shuffle), Times{0xffff0000});
  EXPECT_EQ(outcome.lanes_at("bar.warp.sync -1"), Times{all_lanes});
}

TEST(Collectives, DoNotWaitWhenTheMaskOmitsTheLaneItself) {
  const Outcome outcome = run(R"(
    setp.ge.u32 %p1, %lane, 4;
    @%p1 bra join;
    mov.u32 %r1, %lane;
    shfl.sync.bfly.b32 %r3, %r1, 1, 31, 0xf0;
  join:
    mov.u32 %r30, 30;)");
  EXPECT_EQ(outcome.status, LaunchStatus::finished);
  EXPECT_EQ(outcome.lanes_at("shfl.sync.bfly.b32 %r3, %r1, 1, 31, 240"), Times{0xf});
}

TEST(Collectives, ArePassedByLanesWhoseGuardFails) {
  const Outcome outcome = run(R"(
    and.b32 %r1, %lane, 1;
    setp.eq.u32 %p1, %r1, 0;
    mov.u32 %r2, 100;
    mov.u32 %r1, %lane;
    @%p1 shfl.sync.bfly.b32 %r2, %r1, 2, 31, 0x55555555;
    mov.u32 %r30, 30;
    st.global.u32 [%out], %r2;)");
  for (std::uint32_t lane = 0; lane < 32; ++lane) EXPECT_EQ(outcome.out[lane], lane % 2 == 0 ? lane ^ 2 : 100u);
  EXPECT_EQ(outcome.lanes_at("@%p1 shfl.sync.bfly.b32 %r2, %r1, 2, 31, 1431655765"), Times{0x55555555}) << "once";
  EXPECT_EQ(outcome.lanes_at(marker), Times{all_lanes});
  const Outcome nobody = run("setp.lt.u32 %p1, %lane, 0; @%p1 bar.warp.sync -1; mov.u32 %r30, 30;");
  EXPECT_EQ(nobody.status, LaunchStatus::finished);
  EXPECT_TRUE(nobody.events.syncs.empty());
}

TEST(Collectives, MeetLanesWhoseGuardFailsBehindThem) {
  // Lanes 0-7 skip the vote; lanes 8-15 have to wait there for 16-31, which come later.
  const Outcome outcome = run(R"(
    setp.ge.u32 %p1, %lane, 16;
    setp.ge.u32 %p2, %lane, 8;
    mov.u32 %r1, 0;
  again:
    @%p2 vote.sync.ballot.b32 %r2, %p1, 0xffffff00;
    add.u32 %r1, %r1, 1;
    setp.lt.u32 %p3, %r1, 2;
    @!%p3 bra out;
    @%p1 bra slow;
    bra again;
  slow:
    mov.u32 %r4, 4;
    bra again;
  out:
    mov.u32 %r30, 30;
    st.global.u32 [%out], %r2;)");
  EXPECT_EQ(outcome.status, LaunchStatus::finished);
  EXPECT_EQ(outcome.out[8], 0xffff0000u);
  EXPECT_EQ(outcome.out[31], 0xffff0000u);
  EXPECT_EQ(outcome.lanes_at(marker), Times{all_lanes});
}

TEST(Collectives, CountOnlyMembersThatTakePartInAVote) {
  const Outcome outcome = run(R"(
    setp.lt.u32 %p1, %lane, 10;
    setp.lt.u32 %p2, %lane, 5;
    mov.u32 %r1, 0;
    @!%p1 bra join;
    vote.sync.ballot.b32 %r1, %p2, 0x3ff;
    vote.sync.all.pred %p3, %p1, 0x3ff;
    @!%p3 mov.u32 %r1, 99;
  join:
    st.global.u32 [%out], %r1;)");
  EXPECT_EQ(outcome.out[0], 0x1fu);
  EXPECT_EQ(outcome.out[9], 0x1fu);
  EXPECT_EQ(outcome.out[10], 0u);
}

TEST(WarpBarrier, BringsLanesTogetherAfterASpinThatPartedThem) {
  const std::string spin = R"(
    setp.eq.u32 %p1, %lane, 0;
    @%p1 bra quick;
    mov.u32 %r1, 0;
  spin:
    ld.volatile.global.u32 %r2, [%ins];
    add.u32 %r1, %r1, 1;
    setp.lt.u32 %p2, %r1, 300;
    @%p2 bra spin;
  quick:
    )";
  const Outcome apart = run(spin + "mov.u32 %r30, 30;");
  EXPECT_EQ(apart.lanes_at(marker).size(), 2u) << "the spin parts them, or this test proves nothing";
  const Outcome together = run(spin + "bar.warp.sync -1; mov.u32 %r30, 30;");
  EXPECT_EQ(together.lanes_at(marker), Times{all_lanes});
  ASSERT_EQ(together.events.syncs.size(), 1u) << "told once, when all are there";
  EXPECT_EQ(together.events.syncs[0].lanes, all_lanes);
}

// As on an H200.
TEST(WarpBarrier, OnBothSidesOfABranchIsOne) {
  const Outcome outcome = run(R"(
    setp.ge.u32 %p1, %lane, 16;
    @%p1 bra upper;
    bar.warp.sync -1;
    mov.u32 %r3, 1;
    bra join;
  upper:
    mov.u32 %r4, 0xffffffff;
    bar.warp.sync %r4;
    mov.u32 %r3, 2;
  join:
    st.global.u32 [%out], %r3;)");
  EXPECT_EQ(outcome.status, LaunchStatus::finished);
  for (std::uint32_t lane = 0; lane < 32; ++lane) EXPECT_EQ(outcome.out[lane], lane < 16 ? 1u : 2u);
  EXPECT_EQ(outcome.lanes_at("bar.warp.sync -1"), Times{0xffff});
  EXPECT_EQ(outcome.lanes_at("bar.warp.sync %r4"), Times{0xffff0000});
  ASSERT_EQ(outcome.events.syncs.size(), 2u) << "one at each instruction";
  for (const auto& sync : outcome.events.syncs) EXPECT_EQ(sync.lanes, all_lanes);
  EXPECT_TRUE(outcome.events.wrong_masks.empty());
}

TEST(WarpBarrier, OnBothSidesOfABranchWaitsForTheLaterOne) {
  const char* body = R"(
    setp.ge.u32 %p1, %lane, 16;
    mov.u32 %r1, 0;
    @%p1 bra upper;
    bar.warp.sync -1;
    ld.volatile.shared.u32 %r3, [tile];
    bra join;
  upper:
    add.u32 %r1, %r1, 1;
    setp.lt.u32 %p2, %r1, 50;
    @%p2 bra upper;
    st.volatile.shared.u32 [tile], 7;
    bar.warp.sync -1;
    mov.u32 %r3, 2;
  join:
    st.global.u32 [%out], %r3;)";
  for (std::uint64_t seed = 0; seed < 16; ++seed) {
    const Outcome outcome = run(body, {.schedule = seed});
    for (std::uint32_t lane = 0; lane < 32; ++lane) EXPECT_EQ(outcome.out[lane], lane < 16 ? 7u : 2u) << seed;
  }
}

TEST(WarpBarrier, OnBothSidesOfABranchIsTwoWhereTheMasksDiffer) {
  // The upper half names itself alone and goes on; the lower half waits for it until it has exited.
  const Outcome outcome = run(R"(
    setp.ge.u32 %p1, %lane, 16;
    @%p1 bra upper;
    bar.warp.sync -1;
    st.global.u32 [%out], 1;
    exit;
  upper:
    bar.warp.sync 0xffff0000;
    st.global.u32 [%out], 2;)");
  for (std::uint32_t lane = 0; lane < 32; ++lane) EXPECT_EQ(outcome.out[lane], lane < 16 ? 1u : 2u);
  std::vector<Lanes> together;
  for (const auto& sync : outcome.events.syncs) together.push_back(sync.lanes);
  EXPECT_EQ(together, (std::vector<Lanes>{0xffff0000, 0x0000ffff}));
}

TEST(WarpBarrier, WithTwoMasksAtOneInstructionIsTwoBarriers) {
  const Outcome outcome = run(R"(
    setp.lt.u32 %p1, %lane, 12;
    selp.b32 %r1, 0x00000fff, 0xfffff000, %p1;
    bar.warp.sync %r1;
    mov.u32 %r30, 30;)");
  ASSERT_EQ(outcome.events.syncs.size(), 2u);
  EXPECT_EQ(outcome.events.syncs[0].lanes, 0xfffu);
  EXPECT_EQ(outcome.events.syncs[1].lanes, ~0xfffu);
  EXPECT_EQ(outcome.lanes_at(marker), Times{all_lanes});
}

TEST(WarpBarrier, OnBothSidesOfABranchIsTwoWhereOtherMasksNameTheSameLanes) {
  const Outcome outcome = run(R"(
    setp.ge.u32 %p1, %lane, 16;
    @%p1 bra upper;
    bar.warp.sync -1;
    bra join;
  upper:
    bar.warp.sync 0xffffff00;
  join:
    st.global.u32 [%out], 1;)");
  EXPECT_EQ(outcome.status, LaunchStatus::finished);
  std::vector<Lanes> together;
  for (const auto& sync : outcome.events.syncs) together.push_back(sync.lanes);
  std::ranges::sort(together);
  EXPECT_EQ(together, (std::vector<Lanes>{0x0000ffff, 0xffff0000})) << "which orders nothing between the two";
}

TEST(Shuffles, TellMasksSourcesAndWhoIsInRange) {
  const Outcome outcome = run(R"(
    mov.u32 %r1, %lane;
    shfl.sync.down.b32 %r2|%p1, %r1, 4, 0x181f, -1;)");
  ASSERT_EQ(outcome.events.shuffles.size(), 1u);
  const Shuffle& event = outcome.events.shuffles[0];
  EXPECT_EQ(event.lanes, all_lanes);
  EXPECT_EQ(event.in_range, 0x0f0f0f0fu);
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(event.member_masks[lane], all_lanes);
    EXPECT_EQ(event.source_lanes[lane], lane % 8 < 4 ? lane + 4 : lane);
  }
}

TEST(ActiveMask, IsTheLanesThatRunTogether) {
  const Outcome outcome = run(R"(
    setp.lt.u32 %p1, %lane, 6;
    mov.u32 %r1, 0;
    @%p1 activemask.b32 %r1;
    @%p1 bra join;
    activemask.b32 %r1;
  join:
    st.global.u32 [%out], %r1;)");
  EXPECT_EQ(outcome.out[5], 0x3fu);
  EXPECT_EQ(outcome.out[6], ~0x3fu);
}

}  // namespace
}  // namespace warpwright::kernels
