#include "machine/stride.h"

#include <gtest/gtest.h>

#include <random>

namespace warpwright::machine {
namespace {

struct Addresses : ::testing::Test {
  std::mt19937_64 random{1};
  std::uint64_t of[warp_size];

  /// Some lanes, few as likely as many, and at least so many.
  Lanes some_lanes(int least) {
    Lanes lanes = 0;
    while (count_lanes(lanes) < least) lanes = static_cast<Lanes>(random() & (random() | random()));
    return lanes;
  }
  void set(Lanes lanes, std::uint64_t first, std::uint64_t stride) {
    for (int lane = 0; lane < warp_size; ++lane)
      of[lane] = has_lane(lanes, lane) ? first + stride * static_cast<std::uint64_t>(lane) : random();
  }
  /// Upwards or downwards, so short that 31 of them are no more than half of all addresses.
  std::uint64_t some_stride() {
    const std::uint64_t stride = random() >> 6 >> random() % 58;
    return random() % 2 == 0 ? stride : 0 - stride;
  }
};

TEST_F(Addresses, OfActiveLanesHaveAStrideWhateverTheOthersHold) {
  for (int time = 0; time < 10000; ++time) {
    const Lanes lanes = some_lanes(1);
    set(lanes, random(), some_stride());
    const Stride stride = find_stride(of, lanes);
    ASSERT_TRUE(stride.regular && stride.by_half) << std::hex << lanes;
    for (const int lane : each_lane(lanes))
      ASSERT_EQ(stride.first + static_cast<std::uint64_t>(stride.stride) * static_cast<std::uint64_t>(lane), of[lane]);
    ASSERT_EQ(stride.jump, half_warp * stride.stride);
  }
}

TEST_F(Addresses, OfWhichOneIsElsewhereHaveNoStride) {
  for (int time = 0; time < 10000; ++time) {
    const Lanes lanes = some_lanes(3);
    set(lanes, random(), some_stride());
    int moved = 0;
    do {
      moved = static_cast<int>(random() % warp_size);
    } while (!has_lane(lanes, moved));
    of[moved] += 1 + random() % 64;
    const Stride stride = find_stride(of, lanes);
    ASSERT_FALSE(stride.regular) << std::hex << lanes << " " << std::dec << moved;
    if (lanes != all_lanes) {
      ASSERT_FALSE(stride.by_half);
    }
  }
}

TEST_F(Addresses, ThatNoWholeStrideLeadsToHaveNone) {
  set(all_lanes, 4096, 4);
  of[2] = of[0] + 7;
  EXPECT_FALSE(find_stride(of, lane_bit(0) | lane_bit(2)).regular);
  of[2] = of[0] + 6;
  EXPECT_EQ(find_stride(of, lane_bit(0) | lane_bit(2)).stride, 3);
}

}  // namespace
}  // namespace warpwright::machine
