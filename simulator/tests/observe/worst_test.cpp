// The exemplar of a memory instruction: which execution is kept, and what is kept of it.
#include <gtest/gtest.h>

#include "observe/bank_conflicts.h"
#include "observe/coalescing.h"
#include "scene.h"

namespace warpwright::observe::testing {
namespace {

struct SharedLoad : ::testing::Test {
  Scene scene{4, 64};
  std::uint32_t pc = scene.at_line(5, "ld.shared.f32");

  Exemplar worst(const Play& play) const { return play.report().instructions.at(pc).worst.value(); }
};

TEST_F(SharedLoad, KeepsTheGreatestExcess) {
  const Exemplar kept = worst(Play(scene, make_bank_conflicts())
                                  .begin(0)
                                  .access(pc, 0, all_lanes, stride(0, 8))
                                  .access(pc, 1, lanes(0, 7), stride(0, 128))
                                  .access(pc, 0, all_lanes, stride(0, 4)));
  EXPECT_EQ(kept.warp, 1u);
  EXPECT_EQ(kept.lanes, lanes(0, 7));
  EXPECT_EQ(kept.bytes, 4u);
  EXPECT_EQ(kept.cost, 8u);
  EXPECT_EQ(kept.ideal, 1u);
}

TEST_F(SharedLoad, ShowsTheAddressesOfItsLanesOnly) {
  const Exemplar kept = worst(Play(scene, make_bank_conflicts()).begin(0).access(pc, 0, lanes(1, 2), stride(12, 256)));
  EXPECT_EQ(kept.addresses[0], 0u);
  EXPECT_EQ(kept.addresses[1], 268u);
  EXPECT_EQ(kept.addresses[2], 524u);
  EXPECT_EQ(kept.addresses[3], 0u);
}

TEST_F(SharedLoad, KeepsAnIdealExecutionWhereThereIsNoWorse) {
  const Exemplar kept = worst(Play(scene, make_bank_conflicts()).begin(0).access(pc, 0, all_lanes, stride(0, 4)));
  EXPECT_EQ(kept.cost, kept.ideal);
}

TEST_F(SharedLoad, PrefersTheLowestBlockThenTheLowestWarpThenTheFirst) {
  Play play(scene, make_bank_conflicts());
  play.begin(2).access(pc, 0, all_lanes, stride(0, 8)).end();
  play.begin(1).access(pc, 1, all_lanes, stride(4, 8)).access(pc, 0, all_lanes, stride(8, 8));
  play.access(pc, 0, all_lanes, stride(12, 8)).end();
  const Exemplar kept = worst(play);
  EXPECT_EQ(kept.block, 1u);
  EXPECT_EQ(kept.warp, 0u);
  EXPECT_EQ(kept.addresses[0], 8u);
}

TEST_F(SharedLoad, IsTheSameInWhateverOrderHostThreadsAreJoined) {
  for (const bool last_first : {false, true}) {
    Play play(scene, make_bank_conflicts());
    play.begin(3).access(pc, 0, all_lanes, stride(0, 8)).end();
    play.on_another_thread().begin(2).access(pc, 0, all_lanes, stride(0, 16)).end();
    play.on_another_thread().begin(1).access(pc, 1, all_lanes, stride(0, 16)).end();
    play.on_another_thread().begin(0).access(pc, 0, all_lanes, stride(0, 8)).end();
    play.join_forks(last_first);
    EXPECT_EQ(worst(play).block, 1u);
    EXPECT_EQ(worst(play).cost, 4u);
  }
}

TEST(GlobalExemplar, CountsAddressesFromTheStartOfTheirAllocation) {
  Scene scene(1, 32);
  const auto pc = scene.at_line(5, "ld.global.f32");
  scene.memory.allocate(100, "cudaMalloc");
  const auto base = scene.memory.allocate(8192, "cudaMalloc");
  const Report report = Play(scene, make_coalescing()).access(pc, 0, all_lanes, stride(base + 256, 64)).report();
  const Exemplar kept = report.instructions.at(pc).worst.value();
  EXPECT_EQ(kept.addresses[0], 256u);
  EXPECT_EQ(kept.addresses[31], 256u + 31 * 64);
  EXPECT_EQ(kept.cost, 32u);
  EXPECT_EQ(kept.ideal, 4u);
}

TEST(GlobalExemplar, IsTheSameInWhateverOrderHostThreadsAreJoined) {
  Scene scene(2, 32);
  const auto pc = scene.at_line(5, "ld.global.f32");
  const auto base = scene.memory.allocate(8192, "cudaMalloc");
  Play play(scene, make_coalescing());
  play.begin(1).access(pc, 0, all_lanes, stride(base, 4)).end();
  play.on_another_thread().begin(0).access(pc, 0, all_lanes, stride(base, 64)).end();
  EXPECT_EQ(play.join_forks().report().instructions.at(pc).worst->cost, 32u);
}

TEST(GlobalExemplar, PrefersWasteToSize) {
  Scene scene(1, 64);
  const auto pc = scene.at_line(5, "ld.global.v4.f32");
  const auto base = scene.memory.allocate(65536, "cudaMalloc");
  const Report report = Play(scene, make_coalescing())
                            .access(pc, 0, all_lanes, stride(base, 16))
                            .access(pc, 1, lanes(0, 3), stride(base, 64))
                            .report();
  EXPECT_EQ(report.instructions.at(pc).worst->warp, 1u) << "4 sectors where 2 would do, against 16 where 16 are needed";
}

}  // namespace
}  // namespace warpwright::observe::testing
