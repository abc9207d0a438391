#include "machine/access.h"

#include <gtest/gtest.h>

#include <fmt/core.h>

#include "machine/kernel.h"

namespace warpwright::kernels {
namespace {

using machine::Space;
using observe::FaultKind;

constexpr std::uint32_t bit(int lane) { return machine::lane_bit(lane); }

/// Lane 3 accesses `offset` bytes behind `base`, the others the base itself.
std::string lane_three_at(const std::string& base, std::int64_t offset, const std::string& instruction) {
  return fmt::format(
      "mov.b64 %rd1, {}; add.s64 %rd2, %rd1, {}; setp.eq.u32 %p1, %lane, 3; selp.b64 %rd1, %rd2, %rd1, %p1; {}", base,
      offset, instruction);
}

void expect_fault(const Outcome& outcome, FaultKind kind, Space space, Lanes lanes, std::uint64_t address) {
  EXPECT_EQ(outcome.status, LaunchStatus::faulted);
  ASSERT_EQ(outcome.events.faults.size(), 1u);
  const Fault& fault = outcome.events.faults.front();
  EXPECT_EQ(fault.kind, kind);
  EXPECT_EQ(fault.access.space, space);
  EXPECT_EQ(fault.lanes, lanes);
  EXPECT_EQ(fault.at[machine::first_lane(lanes)], address);
}

TEST(GlobalAccess, IsCheckedAtBothEndsOfAnAllocation) {
  const std::string load = "ld.global.u32 %r1, [%rd1];";
  EXPECT_EQ(run(lane_three_at("%outs", 124, load)).status, LaunchStatus::finished);
  const Outcome behind = run(lane_three_at("%outs", 128, load));
  expect_fault(behind, FaultKind::out_of_bounds, Space::global, bit(3), behind.outs + 128);
  const Outcome before = run(lane_three_at("%outs", -4, load));
  expect_fault(before, FaultKind::out_of_bounds, Space::global, bit(3), before.outs - 4);
  EXPECT_EQ(before.events.faults[0].access.lanes, all_lanes)
      << "all lanes of the access are known, not only the wrong ones";
}

TEST(GlobalAccess, MustLieInsideWithAllOfItsBytes) {
  Shape shape;
  shape.words = 30;
  const std::string load = "ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%rd1];";
  EXPECT_EQ(run(lane_three_at("%outs", 96, load), shape).status, LaunchStatus::finished);
  const Outcome outcome = run(lane_three_at("%outs", 112, load), shape);
  expect_fault(outcome, FaultKind::out_of_bounds, Space::global, bit(3), outcome.outs + 112);
}

TEST(GlobalAccess, NamesEveryLaneThatIsWrong) {
  const Outcome outcome = run(R"(
    and.b32 %r1, %lane, 8;
    mul.wide.u32 %rd1, %r1, 4096;
    add.s64 %rd1, %outs, %rd1;
    ld.global.u32 %r2, [%rd1];)");
  expect_fault(outcome, FaultKind::out_of_bounds, Space::global, 0xff00ff00, outcome.outs + 8 * 4096);
}

TEST(GlobalAccess, ReportsOnlyActiveLanes) {
  const Outcome outcome =
      run("setp.ge.u32 %p1, %lane, 4; mov.b64 %rd1, 4; @!%p1 mov.b64 %rd1, %outs; @!%p1 ld.global.u32 %r1, [%rd1];");
  EXPECT_EQ(outcome.status, LaunchStatus::finished);
  ASSERT_EQ(outcome.events.accesses.size(), 1u);
  EXPECT_EQ(outcome.events.accesses[0].lanes, 0xfu);
}

TEST(GlobalAccess, LeavesInactiveLanesAlone) {
  const std::string addresses = "mul.wide.u32 %rd1, %lane, 4; add.s64 %rd1, %rd1, %ins; setp.lt.u32 %p1, %lane, 4; ";
  const Shape shape{.in = std::vector<std::uint32_t>(32, 77)};
  const Outcome loaded =
      run(addresses + "mov.u32 %r1, 5; @%p1 ld.global.u32 %r1, [%rd1]; st.global.u32 [%out], %r1;", shape);
  const Outcome stored = run("setp.lt.u32 %p1, %lane, 4; @%p1 st.global.u32 [%out], 77;");
  for (int lane = 0; lane < machine::warp_size; ++lane) {
    EXPECT_EQ(loaded.out[lane], lane < 4 ? 77u : 5u) << lane;
    EXPECT_EQ(stored.out[lane], lane < 4 ? 77u : unwritten) << lane;
  }
}

TEST(GlobalAccess, MayReachSeveralAllocationsAtOnce) {
  const Outcome outcome = run(R"(
    and.b32 %r1, %lane, 1;
    setp.ne.u32 %p1, %r1, 0;
    selp.b64 %rd1, %ins, %outs, %p1;
    ld.global.u32 %r2, [%rd1];
    st.global.u32 [%out], %r2;)",
                              {.in = {77}});
  EXPECT_EQ(outcome.status, LaunchStatus::finished);
  EXPECT_EQ(outcome.out[30], unwritten);
  EXPECT_EQ(outcome.out[31], 77u);
}

/// What a warp whose addresses have a stride is judged by at once is what its lanes are judged by one by one: with one
/// stride in the whole warp, and with others between its halves. `load` is given the stride, by how much the second
/// half lies further than that, and where in an array of 64 words lane 0 loads.
template <class Load>
void expect_lanes_judged(Space space, std::int64_t stride, std::int64_t further, Load load) {
  for (const std::int64_t first : {0, 4, 128, 132, 248, 252, 256, -4, 2}) {
    SCOPED_TRACE(fmt::format("stride {}, further {}, first {}", stride, further, first));
    Lanes misaligned = 0, outside = 0;
    for (int lane = 0; lane < machine::warp_size; ++lane) {
      const auto offset = static_cast<std::int64_t>(static_cast<std::uint64_t>(first) +
                                                    static_cast<std::uint64_t>(stride) * lane + (lane / 16) * further);
      if (offset % 4 != 0) misaligned |= bit(lane);
      if (offset < 0 || offset > 252) outside |= bit(lane);
    }
    const Outcome outcome = load(stride, further, first);
    if ((misaligned | outside) == 0) {
      EXPECT_EQ(outcome.status, LaunchStatus::finished);
      continue;
    }
    ASSERT_EQ(outcome.events.faults.size(), 1u);
    EXPECT_EQ(outcome.events.faults[0].access.space, space);
    EXPECT_EQ(outcome.events.faults[0].kind, misaligned != 0 ? FaultKind::misaligned : FaultKind::out_of_bounds);
    EXPECT_EQ(outcome.events.faults[0].lanes, misaligned != 0 ? misaligned : outside);
  }
}

template <class Load>
void expect_lanes_judged(Space space, std::initializer_list<std::int64_t> strides, Load load) {
  for (const std::int64_t stride : strides)
    for (const std::int64_t further : {0, 4, 2, -64, -128, 124}) expect_lanes_judged(space, stride, further, load);
}

TEST(GlobalAccess, WithAStrideIsJudgedAsItsLanesAre) {
  Shape shape;
  shape.words = 64;
  // Both lead around all addresses: 32 steps of the one, while 31 of the other end 108 bytes further on.
  const std::int64_t once_around = std::int64_t{1} << 59, around = 595056260442243604;
  expect_lanes_judged(Space::global, {0, 2, 4, 6, 8, 12, -4, -6, -8, once_around, around},
                      [&](std::int64_t stride, std::int64_t further, std::int64_t first) {
                        return run(fmt::format("cvt.u64.u32 %rd1, %lane; mad.lo.s64 %rd1, %rd1, {}, %outs; "
                                               "shr.u32 %r1, %lane, 4; cvt.u64.u32 %rd2, %r1; "
                                               "mad.lo.s64 %rd1, %rd2, {}, %rd1; ld.global.u32 %r1, [%rd1+{}];",
                                               stride, further, first),
                                   shape);
                      });
}

TEST(SharedAccess, WithAStrideIsJudgedAsItsLanesAre) {
  expect_lanes_judged(Space::shared, {0, 2, 4, 6, 8, 12, -4, -6, -8},
                      [](std::int64_t stride, std::int64_t further, std::int64_t first) {
                        return run(
                            fmt::format("mov.u32 %r1, tile; mad.lo.s32 %r1, %lane, {}, %r1; "
                                        "shr.u32 %r2, %lane, 4; mad.lo.s32 %r1, %r2, {}, %r1; "
                                        "ld.shared.u32 %r2, [%r1+{}];",
                                        stride, further, first));
                      });
}

TEST(GlobalAccess, ThatFaultsChangesNothingInAnyLane) {
  const Outcome outcome = run(lane_three_at("%outs", 128, "st.global.u32 [%rd1], 5;"));
  EXPECT_EQ(outcome.out, std::vector<std::uint32_t>(32, unwritten));
  EXPECT_TRUE(outcome.events.accesses.empty()) << "a fault is told instead of the access";
}

TEST(GlobalAccess, ThroughANullPointerIsAFaultOnBothSidesOfNull) {
  for (const char* offset : {"0", "4", "-4"}) {
    const Outcome outcome = run(fmt::format("mov.b64 %rd1, {}; ld.u32 %r1, [%rd1];", offset));
    EXPECT_EQ(outcome.status, LaunchStatus::faulted) << offset;
    ASSERT_EQ(outcome.events.faults.size(), 1u);
    EXPECT_EQ(outcome.events.faults[0].access.space, Space::global) << offset;
    EXPECT_EQ(outcome.events.faults[0].lanes, all_lanes);
  }
}

struct Width {
  const char* load;
  std::uint32_t bytes;
};

class Alignment : public testing::TestWithParam<Width> {};

TEST_P(Alignment, IsThatOfTheWholeAccess) {
  const auto [load, bytes] = GetParam();
  for (std::uint32_t offset = 0; offset < 16; ++offset) {
    const Outcome outcome = run(lane_three_at("%outs", offset, load));
    if (offset % bytes == 0) {
      EXPECT_EQ(outcome.status, LaunchStatus::finished) << offset;
      EXPECT_EQ(outcome.events.accesses.at(0).bytes, bytes);
    } else {
      expect_fault(outcome, FaultKind::misaligned, Space::global, bit(3), outcome.outs + offset);
      EXPECT_EQ(outcome.events.faults[0].access.bytes, bytes);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Widths, Alignment,
                         testing::Values(Width{"ld.global.u8 %r1, [%rd1];", 1}, Width{"ld.global.s16 %r1, [%rd1];", 2},
                                         Width{"ld.global.v2.u8 {%rs1, %rs2}, [%rd1];", 2},
                                         Width{"ld.global.f32 %f1, [%rd1];", 4},
                                         Width{"ld.global.v2.u16 {%rs1, %rs2}, [%rd1];", 4},
                                         Width{"ld.global.b64 %rd3, [%rd1];", 8},
                                         Width{"ld.global.v2.f32 {%f1, %f2}, [%rd1];", 8},
                                         Width{"ld.global.v4.b16 {%rs1, %rs2, %rs3, %rs4}, [%rd1];", 8},
                                         Width{"ld.global.v2.f64 {%fd1, %fd2}, [%rd1];", 16},
                                         Width{"ld.global.v4.s32 {%r1, %r2, %r3, %r4}, [%rd1];", 16}));

TEST(SharedAccess, HasARedZoneBetweenArrays) {
  const std::string both = "mov.u32 %r1, other; ";  // an array that nothing uses has no place
  const auto loads = [&](const char* from) { return run(both + "ld.shared.u32 %r2, [" + from + "];"); };
  for (const char* good : {"tile", "tile+252", "other", "other+252"})
    EXPECT_EQ(loads(good).status, LaunchStatus::finished) << good;
  for (const char* bad : {"tile+-4", "tile+256", "tile+380", "other+-4", "other+-128", "other+256", "other+4096"}) {
    const Outcome outcome = loads(bad);
    EXPECT_EQ(outcome.status, LaunchStatus::faulted) << bad;
    ASSERT_EQ(outcome.events.faults.size(), 1u);
    EXPECT_EQ(outcome.events.faults[0].kind, FaultKind::out_of_bounds);
    EXPECT_EQ(outcome.events.faults[0].access.space, Space::shared);
  }
}

TEST(SharedAccess, IsCheckedLaneByLaneWithAddressesOf32And64Bits) {
  const std::string pick = "setp.eq.u32 %p1, %lane, 9; ";
  const Outcome narrow =
      run("mov.u32 %r1, tile; add.s32 %r2, %r1, -4;" + pick + "selp.b32 %r1, %r2, %r1, %p1; ld.shared.u32 %r3, [%r1];");
  expect_fault(narrow, FaultKind::out_of_bounds, Space::shared, bit(9), 0xfffffffc);
  const Outcome wide = run("mov.u64 %rd1, tile; add.s64 %rd2, %rd1, -4;" + pick +
                           "selp.b64 %rd1, %rd2, %rd1, %p1; ld.shared.u32 %r3, [%rd1];");
  expect_fault(wide, FaultKind::out_of_bounds, Space::shared, bit(9), ~std::uint64_t{3});
}

TEST(SharedAccess, OfADynamicArrayIsAsLongAsTheLaunchSays) {
  const auto runs = [](const char* at, std::uint32_t bytes) {
    return run(fmt::format("st.shared.u32 [{}], 1;", at), {.dynamic_shared_bytes = bytes}).status;
  };
  EXPECT_EQ(runs("dynamic", 0), LaunchStatus::faulted);
  EXPECT_EQ(runs("dynamic", 3), LaunchStatus::faulted);
  EXPECT_EQ(runs("dynamic", 4), LaunchStatus::finished);
  EXPECT_EQ(runs("dynamic+12", 16), LaunchStatus::finished);
  EXPECT_EQ(runs("dynamic+16", 16), LaunchStatus::faulted);
  EXPECT_EQ(runs("dynamic+-4", 16), LaunchStatus::faulted);
}

TEST(SharedAccess, OfADynamicArrayLiesBehindARedZoneOfTheOthers) {
  EXPECT_EQ(run("mov.u32 %r1, tile; ld.shared.u32 %r2, [dynamic+-4];", {.dynamic_shared_bytes = 64}).status,
            LaunchStatus::faulted);
  const Outcome outcome =
      run("mov.u32 %r1, tile; mov.u32 %r2, dynamic; sub.u32 %r3, %r2, %r1; st.global.u32 [%out], %r3;",
          {.dynamic_shared_bytes = 64});
  EXPECT_EQ(outcome.out[0], tile_bytes + 128) << "banks are where they would be without the zone";
}

TEST(SharedAccess, FindsTheSameBytesInEveryBlockBeforeAnythingIsWritten) {
  const std::string body = "ld.shared.u32 %r1, [tile]; st.global.u32 [%out], %r1; st.shared.u32 [tile], %block;";
  const Outcome outcome = run(body, {.grid = {3, 1, 1}, .block = {1, 1, 1}});
  EXPECT_EQ(outcome.out[0], outcome.out[1]);
  EXPECT_EQ(outcome.out[1], outcome.out[2]);
}

TEST(LocalAccess, IsOfTheThreadAlone) {
  const Outcome outcome = run(R"(
    st.local.u32 [frame], %thread;
    st.local.u32 [frame+60], %thread;
    ld.local.u32 %r1, [frame];
    ld.local.u32 %r2, [frame+60];
    add.u32 %r1, %r1, %r2;
    st.global.u32 [%out], %r1;)",
                              {.block = {70, 1, 1}});
  for (std::uint32_t thread = 0; thread < 70; ++thread) EXPECT_EQ(outcome.out[thread], 2 * thread);
  const Access& store = outcome.events.accesses.at(0);
  EXPECT_EQ(store.space, Space::local);
  EXPECT_EQ(store.at, (std::array<std::uint64_t, 32>{})) << "addresses count from the thread's own frame";
}

TEST(LocalAccess, IsCheckedAtBothEndsOfTheFrame) {
  const auto loads = [&](std::int64_t offset) {
    return run(lane_three_at("frame", offset, "ld.local.u32 %r1, [%rd1];"));
  };
  EXPECT_EQ(loads(60).status, LaunchStatus::finished);
  expect_fault(loads(64), FaultKind::out_of_bounds, Space::local, bit(3), 64);
  expect_fault(loads(-4), FaultKind::out_of_bounds, Space::local, bit(3), ~std::uint64_t{3});
  expect_fault(loads(2), FaultKind::misaligned, Space::local, bit(3), 2);
}

TEST(GenericAccess, FindsTheSpaceOfEachLane) {
  const Outcome outcome = run(R"(
    mov.u64 %rd1, tile;
    cvta.shared.u64 %rd1, %rd1;
    mov.u64 %rd2, frame;
    cvta.local.u64 %rd2, %rd2;
    cvta.global.u64 %rd3, %out;
    mul.wide.u32 %rd4, %lane, 4;
    add.s64 %rd1, %rd1, %rd4;
    setp.lt.u32 %p1, %lane, 10;
    setp.lt.u32 %p2, %lane, 20;
    selp.b64 %rd5, %rd2, %rd3, %p2;
    selp.b64 %rd5, %rd1, %rd5, %p1;
    st.u32 [%rd5], %lane;
    ld.u32 %r1, [%rd5];
    cvta.to.shared.u64 %rd6, %rd1;
    ld.shared.u32 %r2, [%rd6];
    cvta.to.local.u64 %rd7, %rd2;
    ld.local.u32 %r3, [%rd7];
    selp.b32 %r4, %r3, %r1, %p2;
    selp.b32 %r4, %r2, %r4, %p1;
    st.global.u32 [%out], %r4;)");
  EXPECT_EQ(outcome.status, LaunchStatus::finished);
  for (std::uint32_t lane = 0; lane < 32; ++lane) EXPECT_EQ(outcome.out[lane], lane);
  const auto& accesses = outcome.events.accesses;
  ASSERT_GE(accesses.size(), 3u);
  EXPECT_EQ(accesses[0].space, Space::shared);
  EXPECT_EQ(accesses[0].lanes, 0x3ffu);
  EXPECT_EQ(accesses[0].at[9], 36u);
  EXPECT_EQ(accesses[1].space, Space::local);
  EXPECT_EQ(accesses[1].lanes, 0xffc00u);
  EXPECT_EQ(accesses[2].space, Space::global);
  EXPECT_EQ(accesses[2].lanes, 0xfff00000u);
  EXPECT_EQ(accesses[2].at[31], outcome.outs + 124);
}

TEST(GenericAccess, NamesTheSpaceWhenAnIndexIsWrong) {
  const auto at = [](const char* space, const char* array, std::int64_t offset) {
    return run(fmt::format("mov.u64 %rd1, {}; cvta.{}.u64 %rd1, %rd1; add.s64 %rd1, %rd1, {}; ld.u32 %r1, [%rd1];",
                           array, space, offset));
  };
  for (const std::int64_t offset : {std::int64_t{-4}, std::int64_t{256}, std::int64_t{-4} << 31, std::int64_t{4} << 31})
    expect_fault(at("shared", "tile", offset), FaultKind::out_of_bounds, Space::shared, all_lanes,
                 static_cast<std::uint64_t>(offset));
  for (const std::int64_t offset : {-4, 64})
    expect_fault(at("local", "frame", offset), FaultKind::out_of_bounds, Space::local, all_lanes,
                 static_cast<std::uint64_t>(offset));
}

TEST(GenericAccess, WorksForAtomicsInEitherSpace) {
  const Outcome outcome = run(R"(
    st.shared.u32 [tile], 0;
    bar.warp.sync -1;
    mov.u64 %rd1, tile;
    cvta.shared.u64 %rd1, %rd1;
    setp.lt.u32 %p1, %lane, 8;
    selp.b64 %rd1, %rd1, %ins, %p1;
    atom.add.u32 %r1, [%rd1], 1;
    ld.shared.u32 %r2, [tile];
    ld.global.u32 %r3, [%ins];
    selp.b32 %r2, %r2, %r3, %p1;
    st.global.u32 [%out], %r2;)",
                              {.in = {100}});
  EXPECT_EQ(outcome.out[0], 8u);
  EXPECT_EQ(outcome.out[8], 124u);
}

}  // namespace
}  // namespace warpwright::kernels
