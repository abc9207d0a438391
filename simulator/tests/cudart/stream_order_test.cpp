#include "cudart/stream_order.h"

#include <gtest/gtest.h>

namespace warpwright::cudart {
namespace {

constexpr StreamOrder::Stream legacy = StreamOrder::legacy;

struct TheOrderOfStreams : testing::Test {
  /// Whether what is issued now in `stream` comes after `then`.
  bool next_is_behind(const StreamOrder::Stamp& then, StreamOrder::Stream stream) {
    order.issue(stream);
    return order.is_before(then, stream);
  }

  StreamOrder order;
  StreamOrder::Stream one = order.add(true), other = order.add(true), free = order.add(false);
};

TEST_F(TheOrderOfStreams, IsThatOfTheCallsWithinOne) {
  const auto first = order.issue(one);
  EXPECT_TRUE(next_is_behind(first, one));
  EXPECT_FALSE(next_is_behind(first, other));
}

TEST_F(TheOrderOfStreams, ComesFromEventsThatAreWaitedFor) {
  const auto before = order.issue(one);
  const StreamOrder::Clock event = order.record(one);
  const auto behind = order.issue(one);
  order.wait(other, event);
  EXPECT_TRUE(next_is_behind(before, other));
  EXPECT_FALSE(next_is_behind(behind, other));
}

TEST_F(TheOrderOfStreams, ComesFromEventsOverAThirdStream) {
  const auto first = order.issue(one);
  order.wait(other, order.record(one));
  order.wait(free, order.record(other));
  EXPECT_TRUE(next_is_behind(first, free));
}

TEST_F(TheOrderOfStreams, TheDefaultStreamIsABarrierForThoseThatBlock) {
  const auto before = order.issue(one);
  const auto in_default = order.issue(legacy);
  EXPECT_TRUE(order.is_before(before, legacy));
  EXPECT_TRUE(next_is_behind(before, other));
  EXPECT_TRUE(next_is_behind(in_default, other));
  EXPECT_FALSE(next_is_behind(in_default, free));
}

TEST_F(TheOrderOfStreams, TheDefaultStreamDoesNotWaitForOneThatDoesNotBlock) {
  const auto first = order.issue(free);
  EXPECT_FALSE(next_is_behind(first, legacy));
}

TEST_F(TheOrderOfStreams, TheHostWaitsForOneOrForAll) {
  const auto first = order.issue(one), second = order.issue(other), third = order.issue(free);
  EXPECT_FALSE(order.host_knows(first));
  order.host_waits_for(one);
  EXPECT_TRUE(order.host_knows(first));
  EXPECT_FALSE(order.host_knows(second));
  EXPECT_TRUE(next_is_behind(first, free));
  EXPECT_FALSE(next_is_behind(second, free));
  order.host_waits_for_all();
  EXPECT_TRUE(order.host_knows(second));
  EXPECT_TRUE(order.host_knows(third));
  EXPECT_TRUE(next_is_behind(third, one));
}

TEST_F(TheOrderOfStreams, AnEventKeepsTheTimeOfItsRecord) {
  const StreamOrder::Clock event = order.record(one);
  const auto later = order.issue(one);
  order.host_waits_for(event);
  EXPECT_FALSE(order.host_knows(later));
}

TEST_F(TheOrderOfStreams, ADestroyedStreamGoesOnUntilTheHostHasWaited) {
  const auto first = order.issue(one);
  order.retire(one);
  EXPECT_NE(order.add(true), one);
  EXPECT_FALSE(next_is_behind(first, other));
  EXPECT_TRUE(next_is_behind(first, legacy));
  order.host_waits_for_all();
  EXPECT_EQ(order.add(false), one);
  const auto second = order.issue(one);
  EXPECT_FALSE(next_is_behind(second, other));
  EXPECT_TRUE(order.is_before(first, other));
}

TEST(AStreamOrder, HasSeveralOnceThereIsASecondOne) {
  StreamOrder order;
  EXPECT_FALSE(order.has_several());
  order.add(true);
  EXPECT_TRUE(order.has_several());
}

}  // namespace
}  // namespace warpwright::cudart
