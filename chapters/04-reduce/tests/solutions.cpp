// The ladder: each answer shows its predecessor's flaw mended, and its own, in exact numbers: those that hints and
// prose quote. All are of the first launch at n = 2^20, of blocks of 256 threads.
#include <map>
#include <string_view>

#include "observe/metrics.h"
#include "techniques.h"

using namespace warpwright;
namespace metric = observe::metric;

namespace {

class Ladder : public Contract {
 protected:
  /// The first launch of a version. Each is profiled once.
  static const observe::Report& launch_of(reduce::Version version) {
    static std::map<reduce::Version, observe::Report> launches;
    auto launch = launches.find(version);
    if (launch == launches.end()) launch = launches.emplace(version, reduce::first_launch(version)).first;
    EXPECT_EQ(launch->second.block.count(), 256u);
    return launch->second;
  }
  static double of_launch(reduce::Version version, std::string_view name) {
    const auto& metrics = launch_of(version).metrics;
    const auto found = metrics.find(std::string(name));
    return found == metrics.end() ? 0 : found->second;
  }
  static double by_block(reduce::Version version, std::string_view name) {
    return of_launch(version, name) / reduce::blocks_of(launch_of(version));
  }
  /// A metric by block, of v0, v1, ... in turn.
  static void expect(std::string_view name, std::initializer_list<double> expected) {
    const reduce::Version versions[] = {reduce::v0, reduce::v1, reduce::v2, reduce::v3, reduce::v4, reduce::v5};
    std::size_t version = 0;
    for (const double value : expected) {
      EXPECT_EQ(by_block(versions[version], name), value) << "v" << version << ", " << name;
      ++version;
    }
  }
};

}  // namespace

TEST_F(Ladder, V1MendsDivergenceAndNoneAfterItMendsMore) { expect(metric::divergent_branches, {48, 6, 6, 6, 6, 6}); }

TEST_F(Ladder, V1BringsConflictsAndV2MendsThem) {
  expect(metric::shared_store_conflicts, {0, 35, 0, 0, 0, 0});
  expect(metric::shared_load_conflicts, {0, 70, 0, 0, 0, 0});
}

TEST_F(Ladder, ConflictsCostV1WhatDivergenceCostV0) {
  expect(metric::shared_load_wavefronts, {95, 95, 25, 25, 25, 25});
}

TEST_F(Ladder, V3HalvesTheBlocksAndGivesEachTwiceTheLoads) {
  expect(metric::launched_blocks, {1, 1, 1, 1, 1, 1});
  EXPECT_EQ(reduce::blocks_of(launch_of(reduce::v2)), 4096);
  EXPECT_EQ(reduce::blocks_of(launch_of(reduce::v3)), 2048);
  expect(metric::global_load_requests, {8, 8, 8, 16, 16, 16});
  expect(metric::global_load_sectors, {32, 32, 32, 64, 64, 64});
}

TEST_F(Ladder, V4DropsSixBarriersOfTheBlockForSixOfTheWarp) {
  expect(metric::block_barriers, {9, 9, 9, 9, 3, 3});
  expect(metric::warp_barriers, {0, 0, 0, 0, 6, 6});
}

TEST_F(Ladder, V5ExecutesFewerInstructionsThanV4) {
  EXPECT_EQ(of_launch(reduce::v4, metric::warp_instructions), reduce::v4_instructions(reduce::contract_n));
  EXPECT_EQ(by_block(reduce::v4, metric::warp_instructions), 473);
  EXPECT_EQ(by_block(reduce::v5, metric::warp_instructions), 373);
}
