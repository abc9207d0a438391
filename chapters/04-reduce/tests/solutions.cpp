// The ladder: each answer shows its predecessor's flaw mended, and its own, in exact numbers: those that hints and
// prose quote. All are of the first launch at n = 2^20, of blocks of 256 threads.
#include <map>
#include <string_view>

#include "observe/banks.h"
#include "observe/metrics.h"
#include "techniques.h"

using namespace warpwright;
namespace metric = observe::metric;

namespace {

void v7(const float* in, float* out, float* workspace, std::size_t n, cudaStream_t stream) {
  reduce::v7(in, out, workspace, n, 256, stream);
}

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
    const reduce::Version versions[] = {reduce::v0, reduce::v1, reduce::v2, reduce::v3,
                                        reduce::v4, reduce::v5, reduce::v6, v7};
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

// The rule for banks, applied to the addresses of v1's rounds; the counters of the launch are its sum over all warps.
TEST_F(Ladder, V1Waits2And4And8And8And8And4And2And1Way) {
  unsigned step = 1;
  double conflicts = 0;
  for (const unsigned ways : {2u, 4u, 8u, 8u, 8u, 4u, 2u, 1u}) {
    const unsigned adding = 128 / step, lanes = std::min(32u, adding);
    std::uint64_t addresses[32] = {};
    for (unsigned t = 0; t < lanes; ++t) addresses[t] = std::uint64_t{2} * step * t * sizeof(float);
    const auto mask = static_cast<machine::Lanes>((std::uint64_t{1} << lanes) - 1);
    const auto cost = observe::shared_cost(observe::SharedOperation::store, sizeof(float), mask, addresses);
    EXPECT_EQ(cost.wavefronts, ways) << "step = " << step;
    conflicts += cost.conflicts() * reduce::warps_of(adding);
    step *= 2;
  }
  EXPECT_EQ(conflicts, by_block(reduce::v1, metric::shared_store_conflicts));
}

TEST_F(Ladder, ConflictsCostV1WhatDivergenceCostV0) {
  expect(metric::shared_load_wavefronts, {95, 95, 25, 25, 25, 25});
}

TEST_F(Ladder, V3HalvesTheBlocksAndGivesEachTwiceTheLoads) {
  expect(metric::launched_blocks, {1, 1, 1, 1, 1, 1});
  EXPECT_EQ(reduce::blocks_of(launch_of(reduce::v2)), 4096);
  EXPECT_EQ(reduce::blocks_of(launch_of(reduce::v3)), 2048);
  expect(metric::global_load_requests, {8, 8, 8, 16, 16, 16, 16});
  expect(metric::global_load_waits, {8, 8, 8, 8, 8, 8, 8});
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

TEST_F(Ladder, V6TakesOneBarrierAndAFloatForEachWarp) {
  expect(metric::block_barriers, {9, 9, 9, 9, 3, 3, 1, 1});
  expect(metric::warp_barriers, {0, 0, 0, 0, 6, 6, 0, 0});
  expect(metric::shuffles, {0, 0, 0, 0, 0, 0, 45, 45});
  EXPECT_EQ(launch_of(reduce::v5).program().static_shared_bytes, 1024u);
  EXPECT_EQ(launch_of(reduce::v6).program().static_shared_bytes, 32u);
  EXPECT_EQ(launch_of(v7).program().static_shared_bytes, 128u);
}

TEST_F(Ladder, V7TakesAQuarterOfTheLoadsForTheSameSectors) {
  for (const reduce::Version scalar : {reduce::v0, reduce::v6})
    EXPECT_EQ(of_launch(scalar, metric::global_load_requests), 4 * of_launch(v7, metric::global_load_requests));
  EXPECT_EQ(of_launch(v7, metric::global_load_sectors), of_launch(reduce::v6, metric::global_load_sectors));
}
