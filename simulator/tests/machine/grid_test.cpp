#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include "machine/kernel.h"

namespace warpwright::kernels {
namespace {

/// Loops, branches, shared memory, barriers, shuffles and divergent exits, different in every block.
constexpr const char* busy = R"(
  mul.lo.u32 %r1, %thread, 4;
  mov.u32 %r2, tile;
  add.u32 %r1, %r1, %r2;
  mov.u32 %r3, 0;
  and.b32 %r4, %block, 7;
loop:
  mad.lo.u32 %r5, %r3, 77, %thread;
  xor.b32 %r5, %r5, %block;
  st.shared.u32 [%r1], %r5;
  bar.sync 0;
  ld.shared.u32 %r6, [tile+64];
  shfl.sync.bfly.b32 %r7, %r5, 3, 31, -1;
  and.b32 %r8, %r7, 1;
  setp.eq.u32 %p1, %r8, 0;
  @%p1 bra even;
  add.u32 %r9, %r9, %r6;
even:
  bar.sync 0;
  add.u32 %r3, %r3, 1;
  setp.le.u32 %p2, %r3, %r4;
  @%p2 bra loop;
  and.b32 %r8, %lane, 3;
  setp.eq.u32 %p3, %r8, 0;
  mad.lo.u32 %r9, %r3, 1000, %r7;
  @%p3 ret;
  st.global.u32 [%out], %r9;)";

using Told = std::tuple<std::uint64_t, std::uint32_t, std::uint32_t, std::uint32_t, Lanes, Lanes>;

std::vector<Told> all_told(const Events& events) {
  std::vector<Told> told;
  for (const auto& run : events.runs)
    told.emplace_back(run.where.block, run.where.warp, run.where.pc, run.count, run.lanes, run.on);
  for (const auto& branch : events.branches)
    told.emplace_back(branch.where.block, branch.where.warp, branch.where.pc, 0, branch.lanes, branch.taken);
  for (const auto& access : events.accesses)
    told.emplace_back(access.where.block, access.where.warp, access.where.pc, access.bytes, access.lanes, 0);
  for (const auto& arrival : events.arrivals)
    told.emplace_back(arrival.where.block, arrival.where.warp, arrival.where.pc, arrival.barrier, arrival.lanes, 0);
  for (const auto& release : events.releases)
    told.emplace_back(release.where.block, release.where.warp, release.where.pc, release.arrived_threads, 0, 0);
  for (const auto& shuffle : events.shuffles)
    told.emplace_back(shuffle.where.block, shuffle.where.warp, shuffle.where.pc, 0, shuffle.lanes, shuffle.in_range);
  return told;
}

TEST(HostThreads, ChangeNeitherResultsNorEvents) {
  Shape shape = {.grid = {40, 1, 1}, .block = {64, 1, 1}};
  const Outcome one = run(busy, shape);
  ASSERT_EQ(one.status, LaunchStatus::finished);
  ASSERT_FALSE(one.events.runs.empty());
  for (const unsigned host_threads : {2u, 4u, 100u}) {
    SCOPED_TRACE(host_threads);
    shape.host_threads = host_threads;
    const Outcome several = run(busy, shape);
    EXPECT_EQ(several.out, one.out);
    EXPECT_EQ(all_told(several.events), all_told(one.events));
    EXPECT_EQ(several.events.begun, one.events.begun);
    EXPECT_EQ(several.events.ended, one.events.ended);
  }
}

TEST(Blocks, BeginAndEndOnceEachInOrder) {
  const Outcome outcome = run("st.global.u32 [%out], %block;", {.grid = {3, 2, 2}, .block = {1, 1, 1}});
  EXPECT_EQ(outcome.events.begun, (std::vector<std::uint64_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}));
  EXPECT_EQ(outcome.events.ended, outcome.events.begun);
}

TEST(Faults, InOneBlockStopTheLaunch) {
  const Outcome outcome = run(R"(
    setp.eq.u32 %p1, %block, 10;
    mov.b64 %rd1, %out;
    @%p1 mov.b64 %rd1, 0;
    st.global.u32 [%rd1], 1;)",
                              {.grid = {100, 1, 1}});
  EXPECT_EQ(outcome.status, LaunchStatus::faulted);
  EXPECT_EQ(outcome.events.begun.size(), 11u);
  EXPECT_EQ(outcome.events.ended.size(), 10u);
  EXPECT_EQ(outcome.out[10 * 32 - 1], 1u);
  EXPECT_EQ(outcome.out[11 * 32], unwritten);
}

TEST(Faults, OfTheLowestBlockGiveTheStatusOnAnyNumberOfHostThreads) {
  // Block 5 works for a while and then deadlocks; those behind it fault at once.
  const char* body = R"(
    setp.gt.u32 %p1, %block, 5;
    @%p1 bra fault;
    setp.lt.u32 %p2, %block, 5;
    @%p2 bra done;
    mov.u32 %r1, 0;
  loop:
    add.u32 %r1, %r1, 1;
    setp.lt.u32 %p3, %r1, 20000;
    @%p3 bra loop;
    bar.sync 0, 64;
  fault:
    mov.b64 %rd1, 0;
    st.global.u32 [%rd1], 1;)";
  for (int i = 0; i < 20; ++i)
    for (const unsigned host_threads : {1u, 2u, 4u}) {
      const Outcome outcome = run(body, {.grid = {50, 1, 1}, .host_threads = host_threads});
      EXPECT_EQ(outcome.status, LaunchStatus::deadlocked);
      ASSERT_FALSE(outcome.events.faults.empty());
      EXPECT_EQ(outcome.events.faults.front().access.where.block, 5u);
      EXPECT_EQ(outcome.events.faults.front().kind, observe::FaultKind::deadlock);
    }
}

/// What a special register holds in every thread of a launch.
std::vector<std::uint32_t> special(const std::string& name, Shape shape) {
  return run(fmt::format("mov.u32 %r1, %{}; st.global.u32 [%out], %r1;", name), shape).out;
}

TEST(SpecialRegisters, CountThreadsAndBlocksWithXFastest) {
  // The kernel's own numbering of threads knows two dimensions; the third is of size one.
  const Shape shape = {.grid = {2, 1, 1}, .block = {5, 8, 1}};
  const std::vector<std::uint32_t> x = special("tid.x", shape);
  const std::vector<std::uint32_t> y = special("tid.y", shape);
  for (std::uint32_t thread = 0; thread < 80; ++thread) {
    EXPECT_EQ(x[thread], thread % 40 % 5);
    EXPECT_EQ(y[thread], thread % 40 / 5);
  }
  EXPECT_EQ(special("ctaid.x", shape)[79], 1u);
  EXPECT_EQ(special("nwarpid", shape)[0], 2u);
  EXPECT_EQ(special("warpid", shape)[32], 1u);
  EXPECT_EQ(special("laneid", shape)[39], 7u);
}

TEST(SpecialRegisters, HaveThreeDimensions) {
  const Outcome outcome = run(R"(
    mov.u32 %r1, %tid.z;
    mov.u32 %r2, %ntid.z;
    mov.u32 %r3, %ctaid.y;
    mov.u32 %r4, %ctaid.z;
    mov.u32 %r5, %nctaid.x;
    mov.u32 %r6, %nctaid.y;
    mov.u32 %r7, %nctaid.z;
    mad.lo.u32 %r8, %r4, %r6, %r3;
    mov.u32 %r9, %ctaid.x;
    mad.lo.u32 %r8, %r8, %r5, %r9;
    mad.lo.u32 %r8, %r8, %r2, %r1;
    mul.wide.u32 %rd1, %r8, 4;
    add.s64 %rd1, %outs, %rd1;
    mad.lo.u32 %r8, %r7, 1000, %r8;
    st.global.u32 [%rd1], %r8;)",
                              {.grid = {2, 3, 4}, .block = {1, 1, 5}});
  for (std::uint32_t i = 0; i < 120; ++i) EXPECT_EQ(outcome.out[i], 4000 + i);
}

TEST(SpecialRegisters, SayWhatTheLaunchIs) {
  const Shape shape = {.grid = {7, 1, 1}, .block = {8, 4, 1}, .dynamic_shared_bytes = 48};
  EXPECT_EQ(special("ntid.x", shape)[0], 8u);
  EXPECT_EQ(special("ntid.y", shape)[0], 4u);
  EXPECT_EQ(special("nctaid.x", shape)[0], 7u);
  EXPECT_EQ(special("dynamic_smem_size", shape)[0], 48u);
  const Outcome outcome = run("mov.u32 %r1, tile; mov.u32 %r1, %total_smem_size; st.global.u32 [%out], %r1;", shape);
  EXPECT_EQ(outcome.out[0], 48 + tile_bytes) << "red zones are ours, not the program's";
}

TEST(SpecialRegisters, DealBlocksOutToMultiprocessors) {
  const std::vector<std::uint32_t> smid = special("smid", {.grid = {140, 1, 1}, .block = {1, 1, 1}});
  EXPECT_EQ(special("nsmid", {})[0], 132u);
  EXPECT_EQ(smid[0], 0u);
  EXPECT_EQ(smid[131], 131u);
  EXPECT_EQ(smid[132], 0u);
  EXPECT_EQ(smid[139], 7u);
}

TEST(SpecialRegisters, KnowClustersOfOneBlock) {
  const Shape shape = {.grid = {3, 1, 1}, .block = {1, 1, 1}};
  EXPECT_EQ(special("clusterid.x", shape), (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_EQ(special("nclusterid.x", shape)[0], 3u);
  EXPECT_EQ(special("cluster_ctarank", shape)[2], 0u);
  EXPECT_EQ(special("cluster_nctarank", shape)[2], 1u);
}

TEST(SpecialRegisters, HaveMasksOfTheLanesAround) {
  const auto eq = special("lanemask_eq", {}), lt = special("lanemask_lt", {}), le = special("lanemask_le", {}),
             gt = special("lanemask_gt", {}), ge = special("lanemask_ge", {});
  for (int lane = 0; lane < 32; ++lane) {
    Lanes below = 0, above = 0;
    for (int other = 0; other < lane; ++other) below |= machine::lane_bit(other);
    for (int other = lane + 1; other < 32; ++other) above |= machine::lane_bit(other);
    EXPECT_EQ(eq[lane], machine::lane_bit(lane));
    EXPECT_EQ(lt[lane], below);
    EXPECT_EQ(le[lane], below | eq[lane]);
    EXPECT_EQ(gt[lane], above);
    EXPECT_EQ(ge[lane], above | eq[lane]);
  }
}

}  // namespace
}  // namespace warpwright::kernels
