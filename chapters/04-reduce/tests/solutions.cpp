// The ladder: each answer shows its predecessor's flaw mended, and its own, in exact numbers: those that hints and
// prose quote. All are of one block of 256 threads.
#include <map>
#include <string_view>

#include "observe/metrics.h"
#include "sums.h"

using namespace warpwright;
namespace metric = observe::metric;

namespace {

class Ladder : public Contract {
 protected:
  /// A metric of the first launch, which has 4,096 blocks, by block. Each version is profiled once.
  static double by_block(reduce::Version version, std::string_view name) {
    static std::map<reduce::Version, observe::Report> launches;
    auto launch = launches.find(version);
    if (launch == launches.end()) launch = launches.emplace(version, reduce::first_launch(version)).first;
    EXPECT_EQ(launch->second.grid.count(), 4096u);
    EXPECT_EQ(launch->second.block.count(), 256u);
    return launch->second.metrics.at(std::string(name)) / 4096;
  }
  static void expect(std::string_view name, double v0, double v1, double v2) {
    EXPECT_EQ(by_block(reduce::v0, name), v0) << "v0, " << name;
    EXPECT_EQ(by_block(reduce::v1, name), v1) << "v1, " << name;
    EXPECT_EQ(by_block(reduce::v2, name), v2) << "v2, " << name;
  }
};

}  // namespace

TEST_F(Ladder, V1MendsDivergenceAndV2LeavesItAsItIs) { expect(metric::divergent_branches, 48, 6, 6); }

TEST_F(Ladder, V1BringsConflictsAndV2MendsThem) {
  expect(metric::shared_store_conflicts, 0, 35, 0);
  expect(metric::shared_load_conflicts, 0, 70, 0);
}

TEST_F(Ladder, ConflictsCostV1WhatDivergenceCostV0) { expect(metric::shared_load_wavefronts, 95, 95, 25); }

TEST_F(Ladder, NoVersionChangesWhatIsReadFromMemory) {
  expect(metric::global_load_requests, 8, 8, 8);
  expect(metric::global_load_sectors, 32, 32, 32);
}

TEST_F(Ladder, EveryVersionTakesNineBarriers) { expect(metric::block_barriers, 9, 9, 9); }
