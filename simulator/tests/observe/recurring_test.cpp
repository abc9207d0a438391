#include "observe/recurring.h"

#include <gtest/gtest.h>

namespace warpwright::observe::testing {
namespace {

using machine::all_lanes;
using machine::Lanes;

struct Pattern : ::testing::Test {
  Recurring<int> recurring;
  std::uint64_t addresses[machine::warp_size];
  int computed = 0;

  Pattern() {
    for (int lane = 0; lane < machine::warp_size; ++lane) addresses[lane] = 4096 + 4u * lane * lane;
  }
  int cost(Lanes lanes = all_lanes) {
    const machine::Addresses of_lanes(addresses, 0, lanes);
    const Access access{{}, {}, lanes, &of_lanes};
    return recurring.cost(access, 32, [&] { return ++computed; });
  }
  void move(std::uint64_t bytes) {
    for (std::uint64_t& address : addresses) address += bytes;
  }
};

TEST_F(Pattern, ThatComesBackElsewhereCostsWhatItDid) {
  EXPECT_EQ(cost(), 1);
  EXPECT_EQ(cost(), 1);
  move(320);
  EXPECT_EQ(cost(), 1);
  move(0 - std::uint64_t{640});
  EXPECT_EQ(cost(), 1);
}

TEST_F(Pattern, ThatLiesOtherwiseInItsPeriodIsAnother) {
  EXPECT_EQ(cost(), 1);
  move(8);
  EXPECT_EQ(cost(), 2);
  move(16);
  EXPECT_EQ(cost(), 3);
  move(8);
  EXPECT_EQ(cost(), 1) << "a whole period further";
}

TEST_F(Pattern, OfWhichOneLaneMovesIsAnother) {
  for (const int lane : {0, 1, 17, 31}) {
    const int before = cost();
    addresses[lane] += 32;
    EXPECT_NE(cost(), before) << lane;
  }
}

TEST_F(Pattern, OfOtherLanesIsAnother) {
  EXPECT_EQ(cost(), 1);
  EXPECT_EQ(cost(0x7fffffff), 2);
  EXPECT_EQ(cost(0xffff), 3);
}

TEST_F(Pattern, WithAStrideIsKnownByIt) {
  const auto with_stride = [&](std::uint64_t stride) {
    for (int lane = 0; lane < machine::warp_size; ++lane) addresses[lane] = 4096 + lane * stride;
    return cost();
  };
  EXPECT_EQ(cost(), 1);
  EXPECT_EQ(with_stride(4), 2);
  EXPECT_EQ(with_stride(8), 3);
  move(32);
  EXPECT_EQ(cost(), 3);
  addresses[31] += 4;
  EXPECT_EQ(cost(), 4);
  EXPECT_EQ(with_stride(8), 3);
}

TEST_F(Pattern, WithAStrideInEachHalfIsKnownByItAndByTheJump) {
  const auto by_halves = [&](std::uint64_t stride, std::uint64_t jump) {
    for (int lane = 0; lane < machine::warp_size; ++lane)
      addresses[lane] = 4096 + lane % 16 * stride + lane / 16 * jump;
    return cost();
  };
  EXPECT_EQ(by_halves(4, 512), 1);
  move(320);
  EXPECT_EQ(cost(), 1);
  EXPECT_EQ(by_halves(4, 544), 2);
  EXPECT_EQ(by_halves(8, 544), 3);
  EXPECT_EQ(by_halves(4, 64), 4) << "one stride in the whole warp";
  addresses[17] += 4;
  EXPECT_EQ(cost(), 5);
}

TEST_F(Pattern, OfSomeLanesWithAStrideIsKnownByThemAndByIt) {
  const auto with_stride = [&](Lanes lanes, std::uint64_t stride) {
    for (int lane = 0; lane < machine::warp_size; ++lane)
      addresses[lane] = machine::has_lane(lanes, lane) ? 4096 + lane * stride : 7;
    return cost(lanes);
  };
  EXPECT_EQ(with_stride(0x11111111, 8), 1);
  EXPECT_EQ(with_stride(0x11111110, 8), 2);
  EXPECT_EQ(with_stride(0x11111111, 16), 3);
  EXPECT_EQ(with_stride(0x11111111, 8), 1);
  addresses[28] += 4;
  EXPECT_EQ(cost(0x11111111), 4);
}

TEST_F(Pattern, IsOneOfSeveralThatAreKept) {
  const auto with_stride = [&](std::uint64_t stride) {
    for (int lane = 0; lane < machine::warp_size; ++lane) addresses[lane] = 4096 + lane * stride;
    return cost();
  };
  for (int turn = 0; turn < 3; ++turn)
    for (const std::uint64_t stride : {4, 8}) with_stride(stride);
  EXPECT_EQ(computed, 2);
}

TEST_F(Pattern, DoesNotKnowWhatInactiveLanesHold) {
  EXPECT_EQ(cost(0x0000fff0), 1);
  addresses[0] = 1;
  addresses[31] = 77;
  EXPECT_EQ(cost(0x0000fff0), 1);
  addresses[15] += 4;
  EXPECT_EQ(cost(0x0000fff0), 2);
}

}  // namespace
}  // namespace warpwright::observe::testing
