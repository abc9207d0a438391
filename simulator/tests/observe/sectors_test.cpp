#include "observe/sectors.h"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <set>

#include "scene.h"

namespace warpwright::observe::testing {
namespace {

using Addresses = std::array<std::uint64_t, warp_size>;

Addresses addresses(std::uint64_t start, std::int64_t apart) {
  Addresses result;
  for (int lane = 0; lane < warp_size; ++lane) result[lane] = start + static_cast<std::uint64_t>(apart * lane);
  return result;
}

unsigned sectors_of(std::uint64_t start, std::int64_t apart, Lanes active = all_lanes) {
  return sectors(active, addresses(start, apart).data());
}

/// The rule, word for word.
unsigned distinct_sectors(Lanes active, const Addresses& of) {
  std::set<std::uint64_t> seen;
  for (const int lane : machine::each_lane(active)) seen.insert(of[lane] / 32);
  return static_cast<unsigned>(seen.size());
}

TEST(Sectors, NeighbouringLanesNeedAsManyAsTheirBytesFill) {
  EXPECT_EQ(sectors_of(4096, 1), 1u);
  EXPECT_EQ(sectors_of(4096, 2), 2u);
  EXPECT_EQ(sectors_of(4096, 4), 4u);
  EXPECT_EQ(sectors_of(4096, 8), 8u);
  EXPECT_EQ(sectors_of(4096, 16), 16u);
}

TEST(Sectors, AShiftedStartCostsOneMore) {
  EXPECT_EQ(sectors_of(4096 + 4, 4), 5u);
  EXPECT_EQ(sectors_of(4096 + 16, 16), 17u);
  EXPECT_EQ(sectors_of(4096 + 32, 4), 4u);
}

TEST(Sectors, AStrideOfASectorOrMoreCostsOneALane) {
  EXPECT_EQ(sectors_of(4096, 32), 32u);
  EXPECT_EQ(sectors_of(4096, 4096), 32u);
  EXPECT_EQ(sectors_of(1 << 20, -512), 32u);
  EXPECT_EQ(sectors_of(4096, std::int64_t{1} << 40), 32u);
}

TEST(Sectors, AnyStrideBelowASectorTouchesEverySectorBetween) {
  EXPECT_EQ(sectors_of(4096, 12), 12u);
  EXPECT_EQ(sectors_of(4096, 28), 28u);
}

TEST(Sectors, DescendingLanesCostWhatAscendingOnesDo) { EXPECT_EQ(sectors_of(4096 + 124, -4), 4u); }

TEST(Sectors, OneAddressForAllIsOneSector) { EXPECT_EQ(sectors_of(4096 + 8, 0), 1u); }

TEST(Sectors, LanesThatAreNotActiveCostNothing) {
  EXPECT_EQ(sectors_of(4096, 4, lanes(0, 7)), 1u);
  EXPECT_EQ(sectors_of(4096, 4, lane(0) | lane(31)), 2u);
  EXPECT_EQ(sectors_of(4096, 4, 0), 0u);
}

TEST(Sectors, EqualTheNumberOfDistinctSectorsForAnyAddresses) {
  std::mt19937 random(1);
  for (int round = 0; round < 20000; ++round) {
    const std::uint64_t span = std::uint64_t{64} << random() % 12;
    const Lanes active = round % 3 == 0 ? all_lanes : random();
    Addresses of = addresses(4096, static_cast<std::int64_t>(random() % 80) - 40);
    const unsigned strays = random() % 33;  // from none to all
    for (unsigned i = 0; i < strays; ++i) of[random() % warp_size] = 8192 + random() % span;
    ASSERT_EQ(sectors(active, of.data()), distinct_sectors(active, of)) << "round " << round;
  }
}

TEST(IdealSectors, AreThoseThatTheLanesBytesFill) {
  EXPECT_EQ(ideal_sectors(4, all_lanes), 4u);
  EXPECT_EQ(ideal_sectors(16, all_lanes), 16u);
  EXPECT_EQ(ideal_sectors(1, all_lanes), 1u);
  EXPECT_EQ(ideal_sectors(4, lanes(0, 8)), 2u);
}

}  // namespace
}  // namespace warpwright::observe::testing
