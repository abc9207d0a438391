#include <gtest/gtest.h>

#include "machine/kernel.h"

namespace warpwright::kernels {
namespace {

/// Lanes of %p1 and %p2 after a comparison that holds for lanes below 16, with %p3 holding for lanes 8-23.
std::pair<Lanes, Lanes> compared(const std::string& instruction) {
  const Outcome outcome = run(R"(
    setp.ge.u32 %p4, %lane, 8;
    setp.lt.u32 %p5, %lane, 24;
    and.pred %p3, %p4, %p5;
    mov.pred %p1, 0;
    mov.pred %p2, 0;
    )" + instruction + R"(;
    vote.sync.ballot.b32 %r1, %p1, -1;
    vote.sync.ballot.b32 %r2, %p2, -1;
    st.global.v2.u32 [%outs], {%r1, %r2};)");
  return {outcome.out[0], outcome.out[1]};
}

using Both = std::pair<Lanes, Lanes>;

TEST(Setp, CombinesWithAPredicate) {
  EXPECT_EQ(compared("setp.lt.and.u32 %p1, %lane, 16, %p3"), (Both{0x0000ff00, 0}));
  EXPECT_EQ(compared("setp.lt.or.u32 %p1, %lane, 16, %p3"), (Both{0x00ffffff, 0}));
  EXPECT_EQ(compared("setp.lt.xor.u32 %p1, %lane, 16, %p3"), (Both{0x00ff00ff, 0}));
  EXPECT_EQ(compared("setp.lt.and.u32 %p1, %lane, 16, !%p3"), (Both{0x000000ff, 0}));
}

TEST(Setp, GivesTheOppositeToASecondDestination) {
  EXPECT_EQ(compared("setp.lt.u32 %p1|%p2, %lane, 16"), (Both{0x0000ffff, 0xffff0000}));
  EXPECT_EQ(compared("setp.lt.and.u32 %p1|%p2, %lane, 16, %p3"), (Both{0x0000ff00, 0x00ff0000}));
  EXPECT_EQ(compared("setp.lt.or.u32 %p1|%p2, %lane, 16, !%p3"), (Both{0xff00ffff, 0xffff00ff}));
  EXPECT_EQ(compared("setp.lt.u32 _|%p2, %lane, 16"), (Both{0, 0xffff0000}));
}

TEST(Setp, ReadsThePredicateBeforeItWritesOne) {
  EXPECT_EQ(compared("mov.pred %p1, %p3; setp.lt.and.u32 %p1, %lane, 16, %p1"), (Both{0x0000ff00, 0}));
  EXPECT_EQ(compared("mov.pred %p2, %p3; setp.lt.and.u32 %p1|%p2, %lane, 16, !%p2"), (Both{0x000000ff, 0xff000000}));
}

TEST(Setp, ChangesActiveLanesOnly) {
  EXPECT_EQ(compared("mov.pred %p1, %p3; mov.pred %p2, %p3; @%p5 setp.lt.or.u32 %p1|%p2, %lane, 16, %p4"),
            (Both{0x00ffffff, 0x00ffff00}));
}

TEST(Setp, ComparesNansTheOppositeWay) {
  EXPECT_EQ(compared("mov.b32 %f1, 0f7FC00000; setp.lt.f32 %p1|%p2, %f1, %f1"), (Both{0, all_lanes}));
}

TEST(Predicates, MayBeWrittenAsNumbers) {
  EXPECT_EQ(compared("mov.pred %p1, 1; mov.pred %p2, -1"), (Both{all_lanes, all_lanes}));
  EXPECT_EQ(compared("and.pred %p1, %p3, 1; xor.pred %p2, %p3, 1"), (Both{0x00ffff00, 0xff0000ff}));
  EXPECT_EQ(compared("selp.b32 %r9, 7, 8, 1; setp.eq.u32 %p1, %r9, 7"), (Both{all_lanes, 0}));
}

}  // namespace
}  // namespace warpwright::kernels
