#include <gtest/gtest.h>

#include <functional>

#include "observe/bank_conflicts.h"
#include "observe/barriers.h"
#include "observe/coalescing.h"
#include "observe/divergence.h"
#include "observe/instructions.h"
#include "observe/load_waits.h"
#include "observe/metrics.h"
#include "observe/observers.h"
#include "scene.h"

namespace warpwright::observe::testing {
namespace {

double value(const Metrics& metrics, std::string_view name) {
  const auto found = metrics.find(std::string(name));
  return found == metrics.end() ? -1 : found->second;
}

TEST(Coalescing, CountsRequestsSectorsAndBytesByInstructionAndKernel) {
  Scene scene(1, 64);
  const auto good = scene.at_line(5, "ld.global.f32");
  const auto bad = scene.at_line(6, "ld.global.f32");
  const auto store = scene.at_line(7, "st.global.v4.f32");
  const auto atomic = scene.at_line(8, "red.global.add.f32");
  Play play(scene, make_coalescing());
  play.access(good, 0, all_lanes, stride(4096, 4)).access(good, 1, lanes(0, 7), stride(8192, 4));
  play.access(bad, 0, all_lanes, stride(4096, 128));
  play.access(store, 0, all_lanes, stride(4096, 16));
  play.access(atomic, 0, all_lanes, all_at(4096));

  const Report report = play.report();
  EXPECT_EQ(value(report.metrics, metric::global_load_requests), 3);
  EXPECT_EQ(value(report.metrics, metric::global_load_sectors), 4 + 1 + 32);
  EXPECT_EQ(value(report.metrics, metric::global_load_bytes), 4 * (32 + 8 + 32));
  EXPECT_EQ(value(report.metrics, metric::global_store_requests), 1);
  EXPECT_EQ(value(report.metrics, metric::global_store_sectors), 16);
  EXPECT_EQ(value(report.metrics, metric::global_store_bytes), 512);
  EXPECT_EQ(value(report.metrics, metric::global_atomic_requests), 1);
  EXPECT_EQ(value(report.metrics, metric::global_atomic_sectors), 1);
  EXPECT_EQ(value(report.metrics, metric::global_atomic_bytes), 128);
  EXPECT_EQ(value(report.instructions.at(good).metrics, metric::global_load_sectors), 5);
  EXPECT_EQ(value(report.instructions.at(bad).metrics, metric::global_load_sectors), 32);
}

TEST(Coalescing, DoesNotLookAtOtherSpaces) {
  Scene scene(1, 32);
  const auto shared = scene.at_line(5, "ld.shared.f32");
  const auto local = scene.at_line(6, "ld.local.f32");
  const Metrics metrics = Play(scene, make_coalescing())
                              .access(shared, 0, all_lanes, stride(0, 4))
                              .access(local, 0, all_lanes, all_at(0))
                              .metrics();
  EXPECT_EQ(value(metrics, metric::global_load_requests), 0);
}

TEST(BankConflictCounter, CountsLoadsStoresAndAtomicsApart) {
  Scene scene(1, 32);
  const auto load = scene.at_line(5, "ld.shared.f32");
  const auto store = scene.at_line(6, "st.shared.f32");
  const auto atomic = scene.at_line(7, "atom.shared.add.u32");
  const auto reduction = scene.at_line(8, "red.shared.add.u32");
  const auto global = scene.at_line(9, "ld.global.f32");
  const Metrics metrics = Play(scene, make_bank_conflicts())
                              .access(load, 0, all_lanes, stride(0, 8))
                              .access(load, 0, all_lanes, stride(0, 4))
                              .access(store, 0, all_lanes, stride(0, 128))
                              .access(atomic, 0, lanes(0, 3), all_at(0))
                              .access(reduction, 0, lanes(0, 1), all_at(0))
                              .access(global, 0, all_lanes, stride(0, 128))
                              .metrics();
  EXPECT_EQ(value(metrics, metric::shared_load_requests), 2);
  EXPECT_EQ(value(metrics, metric::shared_load_wavefronts), 3);
  EXPECT_EQ(value(metrics, metric::shared_load_conflicts), 1);
  EXPECT_EQ(value(metrics, metric::shared_store_requests), 1);
  EXPECT_EQ(value(metrics, metric::shared_store_wavefronts), 32);
  EXPECT_EQ(value(metrics, metric::shared_store_conflicts), 31);
  EXPECT_EQ(value(metrics, metric::shared_atomic_requests), 2);
  EXPECT_EQ(value(metrics, metric::shared_atomic_wavefronts), 4 + 2);
  EXPECT_EQ(value(metrics, metric::shared_atomic_conflicts), 3 + 1);
}

TEST(Instructions, CountsEachInstructionOfARun) {
  Scene scene(1, 32);
  scene.at_line(5, "add.s32 %r1, %r2, %r3");
  scene.at_line(5, "add.s32 %r1, %r2, %r3");
  scene.at_line(6, "@%p1 mul.lo.s32 %r1, %r2, %r3");
  scene.at_line(7, "ret");
  const Report report = Play(scene, make_instructions())
                            .run(0, 2, all_lanes, all_lanes)
                            .run(1, 1, lanes(0, 9), lanes(0, 9))
                            .run(2, 1, lanes(0, 9), lanes(0, 3))
                            .report();
  EXPECT_EQ(value(report.metrics, metric::warp_instructions), 4);
  EXPECT_EQ(value(report.metrics, metric::thread_instructions), 64 + 10 + 10);
  EXPECT_EQ(value(report.metrics, metric::thread_instructions_on), 64 + 10 + 4);
  EXPECT_EQ(value(report.metrics, metric::instructions_of("add")), 3);
  EXPECT_EQ(value(report.metrics, metric::instructions_of("mul")), 1);
  EXPECT_EQ(value(report.metrics, metric::instructions_of("ret")), -1);
  EXPECT_EQ(value(report.instructions.at(1).metrics, metric::thread_instructions), 32 + 10);
  EXPECT_FALSE(report.instructions.contains(3));
}

TEST(Instructions, CountsWholeWarpsThatGoAsFarAsTheyCan) {
  Scene scene(1, 32);
  const auto add = scene.at_line(1, "add.s32");
  const auto mul = scene.at_line(2, "mul.lo.s32");
  const auto branch = scene.at_line(3, "@%p1 bra $L");
  const auto exit = scene.at_line(4, "ret");
  scene.program.run_length = {2, 1, 0, 0};
  const Lanes some = lanes(0, 4);
  const Report report = Play(scene, make_instructions())
                            .run(add, 2, all_lanes, all_lanes)
                            .run(add, 2, all_lanes, all_lanes)
                            .run(add, 1, all_lanes, all_lanes)
                            .run(add, 2, some, some)
                            .run(branch, 1, all_lanes, some)
                            .run(branch, 1, all_lanes, 0)
                            .run(branch, 1, all_lanes, all_lanes)
                            .run(exit, 1, all_lanes, all_lanes)
                            .report();
  const auto at = [&](std::uint32_t pc, std::string_view name) {
    return value(report.instructions.at(pc).metrics, name);
  };
  EXPECT_EQ(at(add, metric::warp_instructions), 4);
  EXPECT_EQ(at(add, metric::thread_instructions), 3 * 32 + 5);
  EXPECT_EQ(at(add, metric::thread_instructions_on), 3 * 32 + 5);
  EXPECT_EQ(at(mul, metric::warp_instructions), 3);
  EXPECT_EQ(at(mul, metric::thread_instructions_on), 2 * 32 + 5);
  EXPECT_EQ(at(branch, metric::warp_instructions), 3);
  EXPECT_EQ(at(branch, metric::thread_instructions), 3 * 32);
  EXPECT_EQ(at(branch, metric::thread_instructions_on), 32 + 5);
  EXPECT_EQ(at(exit, metric::thread_instructions_on), 32);
}

TEST(Divergence, CountsOnlyBranchesWhereLanesPart) {
  Scene scene(2, 64);
  const auto one = scene.at_line(5, "@%p1 bra $L1");
  const auto two = scene.at_line(6, "@%p1 bra $L2");
  Play play(scene, make_divergence());
  play.begin(0);
  play.branch(one, 0, all_lanes, all_lanes).branch(one, 1, all_lanes, 0).branch(one, 0, lanes(0, 3), lanes(0, 3));
  play.branch(one, 1, all_lanes, lane(0)).branch(one, 1, all_lanes, lane(0)).branch(two, 1, all_lanes, lane(5));
  play.end().begin(1);
  play.branch(one, 1, all_lanes, lane(0)).end();

  const Report report = play.report();
  EXPECT_EQ(value(report.metrics, metric::branches), 7);
  EXPECT_EQ(value(report.metrics, metric::divergent_branches), 4);
  EXPECT_EQ(value(report.metrics, metric::divergent_warps), 2) << "warp 1 of block 0 and of block 1";
  EXPECT_EQ(value(report.instructions.at(one).metrics, metric::divergent_warps), 2);
  EXPECT_EQ(value(report.instructions.at(two).metrics, metric::divergent_warps), 1);
  EXPECT_EQ(value(report.metrics, metric::launched_warps), 4);
  EXPECT_EQ(value(report.metrics, metric::launched_blocks), 2);
}

TEST(Divergence, KeepsBlocksThatInterleaveApart) {
  Scene scene(2, 32);
  const auto pc = scene.at_line(5, "@%p1 bra $L1");
  Play play(scene, make_divergence());
  auto in_block = [&](std::uint64_t block) { play.begin(block).branch(pc, 0, all_lanes, lane(0)); };
  in_block(0);
  in_block(1);
  play.end();
  EXPECT_EQ(value(play.metrics(), metric::divergent_warps), 2);
}

TEST(Barriers, CountsPhasesArrivalsWarpBarriersAndShuffles) {
  Scene scene(1, 64);
  const auto barrier = scene.at_line(5, "bar.sync 0");
  const auto warp = scene.at_line(6, "bar.warp.sync -1");
  const auto shuffle = scene.at_line(7, "shfl.sync.down.b32 %r1, %r2, 1, 31, -1");
  const Metrics metrics =
      Play(scene, make_barriers())
          .begin(0)
          .block_barrier(barrier)
          .block_barrier(barrier)
          .warp_barrier(warp, 0)
          .shuffle(
              shuffle, 0, all_lanes, all_lanes, [](int) { return all_lanes; }, [](int) { return 0; })
          .end()
          .metrics();
  EXPECT_EQ(value(metrics, metric::block_barriers), 2);
  EXPECT_EQ(value(metrics, metric::block_barrier_arrivals), 4);
  EXPECT_EQ(value(metrics, metric::warp_barriers), 1);
  EXPECT_EQ(value(metrics, metric::shuffles), 1);
}

TEST(Barriers, BelongToTheBarrierEvenWhenAnExitCompletesThem) {
  Scene scene(1, 64);
  scene.at_line(4, "mov.u32 %r1, %tid.x");
  const auto barrier = scene.at_line(5, "bar.sync 0");
  const auto exit = scene.at_line(9, "ret");
  const Report report =
      Play(scene, make_barriers()).begin(0).arrive(barrier, 0, all_lanes).release(exit).end().report();
  EXPECT_EQ(value(report.instructions.at(barrier).metrics, metric::block_barriers), 1);
  EXPECT_FALSE(report.instructions.contains(exit));
}

TEST(Counters, ReportZeroForWhatNeverHappened) {
  Scene scene(1, 32);
  scene.at_line(5, "ret");
  Report report(scene.program);
  for (const auto& observer : counters()) {
    observer->launch_begin(scene.launch);
    observer->report(report);
  }
  for (const std::string_view name :
       {metric::global_load_sectors, metric::shared_store_conflicts, metric::warp_instructions,
        metric::divergent_branches, metric::divergent_warps, metric::block_barriers, metric::shuffles})
    EXPECT_EQ(value(report.metrics, name), 0) << name;
}

/// A kernel of four blocks that does everything that counters count.
void play_block(Play& play, std::uint64_t block) {
  const auto apart = static_cast<std::int64_t>(4 * (block + 1));
  play.begin(block);
  play.run(0, 4, all_lanes, all_lanes).run(3, 1, all_lanes, lanes(0, static_cast<int>(block)));
  play.access(0, 0, all_lanes, stride(4096, apart)).access(1, 1, all_lanes, stride(0, apart));
  play.branch(2, 0, all_lanes, lanes(0, static_cast<int>(block)));
  play.block_barrier(3).end();
}

using Make = std::unique_ptr<Observer> (*)();

class EveryCounter : public ::testing::TestWithParam<Make> {};

TEST_P(EveryCounter, SaysTheSameForAnyNumberOfHostThreads) {
  Scene scene(4, 64);
  scene.at_line(5, "ld.global.f32");
  scene.at_line(6, "st.shared.f32");
  scene.at_line(7, "@%p1 bra $L1");
  scene.at_line(8, "bar.sync 0");
  Play one(scene, GetParam()());
  for (const std::uint64_t block : {0, 1, 2, 3}) play_block(one, block);
  const Metrics expected = one.metrics();
  for (const bool last_first : {false, true}) {
    Play many(scene, GetParam()());
    play_block(many, 2);
    many.on_another_thread();
    play_block(many, 3);
    play_block(many, 0);
    many.on_another_thread();
    play_block(many, 1);
    EXPECT_EQ(many.join_forks(last_first).metrics(), expected);
  }
}

INSTANTIATE_TEST_SUITE_P(Counters, EveryCounter,
                         ::testing::Values(make_coalescing, make_bank_conflicts, make_instructions, make_divergence,
                                           make_barriers, make_load_waits));

}  // namespace
}  // namespace warpwright::observe::testing
