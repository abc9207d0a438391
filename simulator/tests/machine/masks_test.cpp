// Member masks of collectives that do not fit, and fences: events of their own.
#include <gtest/gtest.h>

#include "machine/kernel.h"

namespace warpwright::kernels {
namespace {

TEST(Masks, ThatNameLanesElsewhereAreTold) {
  // The lower half names all lanes, which are alive and wait at another vote.
  const Outcome outcome = run(R"(
    setp.lt.u32 %p1, %lane, 16;
    @%p1 bra lower;
    vote.sync.ballot.b32 %r1, %p1, 0xffffffff;
    bra join;
  lower:
    vote.sync.ballot.b32 %r1, %p1, 0xffffffff;
  join:
    mov.u32 %r30, 30;)");
  ASSERT_FALSE(outcome.events.wrong_masks.empty());
  const WrongMask& wrong = outcome.events.wrong_masks.front();
  EXPECT_TRUE(wrong.lanes == 0xffffu || wrong.lanes == 0xffff0000u);
  EXPECT_EQ(wrong.live, all_lanes);
  EXPECT_EQ(wrong.member_masks[0], all_lanes);
  EXPECT_NE(wrong.places[0], wrong.places[16]);
}

TEST(Masks, WithoutTheLaneItselfAreTold) {
  const Outcome outcome = run("vote.sync.ballot.b32 %r1, %p1, 0xfffffffe;");
  ASSERT_FALSE(outcome.events.wrong_masks.empty());
  EXPECT_TRUE(machine::has_lane(outcome.events.wrong_masks.front().lanes, 0));
}

TEST(Masks, ThatFitAreNot) {
  const Outcome outcome = run(R"(
    setp.lt.u32 %p1, %lane, 16;
    selp.b32 %r1, 0x0000ffff, 0xffff0000, %p1;
    vote.sync.ballot.b32 %r2, %p1, %r1;
    bar.warp.sync -1;
    match.any.sync.b32 %r3, %lane, -1;
    redux.sync.add.u32 %r4, %lane, -1;)");
  EXPECT_TRUE(outcome.events.wrong_masks.empty());
}

TEST(Fences, TellTheirScopeAndLanes) {
  const Outcome outcome = run(R"(
    setp.lt.u32 %p1, %lane, 3;
    membar.cta;
    @%p1 membar.gl;
    fence.acq_rel.gpu;)");
  ASSERT_EQ(outcome.events.fences.size(), 3u);
  EXPECT_FALSE(outcome.events.fences[0].whole_device);
  EXPECT_TRUE(outcome.events.fences[1].whole_device);
  EXPECT_EQ(outcome.events.fences[1].lanes, 7u);
  EXPECT_EQ(outcome.events.fences[2].lanes, all_lanes);
}

}  // namespace
}  // namespace warpwright::kernels
