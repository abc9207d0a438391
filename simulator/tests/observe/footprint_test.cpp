#include "observe/footprint.h"

#include <gtest/gtest.h>

#include "scene.h"

namespace warpwright::observe::testing {
namespace {

/// A kernel of blocks of 32 threads and two arrays of 1024 words.
struct AFootprint : ::testing::Test {
  Scene scene{4, 32};
  std::uint64_t array = scene.memory.allocate(4096, "cudaMalloc");
  std::uint64_t other_array = scene.memory.allocate(4096, "cudaMalloc");
  std::uint32_t load = scene.at_line(20, "ld.global.u32 %r2, [%rd2]");
  std::uint32_t store = scene.at_line(20, "st.global.u32 [%rd1], %r1");
  std::uint32_t load_again = scene.at_line(20, "ld.global.u32 %r3, [%rd2]");
  std::uint32_t store_byte = scene.at_line(23, "st.global.u8 [%rd1], %rs1");
  std::uint32_t atomic = scene.at_line(24, "atom.global.add.u32 %r6, [%rd3], %r1");
  std::uint32_t atomic_of_system = scene.at_line(24, "atom.global.sys.add.u32 %r6, [%rd3], %r1");
  std::uint32_t set_flag = scene.at_line(28, "st.volatile.global.u32 [%rd1], %r1");
  std::uint32_t set_flag_of_device = scene.at_line(29, "st.relaxed.gpu.global.u32 [%rd1], %r1");
  std::uint32_t read_flag = scene.at_line(27, "ld.volatile.global.u32 %r6, [%rd3]");

  std::unique_ptr<Footprint> made = make_footprint(FootprintOf::all);
  Footprint* footprint = made.get();
  Play play{scene, std::move(made)};

  struct Range {
    std::size_t offset, bytes;
  };
  static void expect_same(const ByteSet& set, const std::vector<Range>& ranges) {
    ByteSet expected, rest;
    for (const Range& range : ranges) expected.add(range.offset, range.bytes);
    rest.add(set);
    rest.remove(expected);
    EXPECT_TRUE(rest.empty());
    expected.remove(set);
    EXPECT_TRUE(expected.empty());
  }
};

TEST_F(AFootprint, IsToldByArrayAndLine) {
  play.begin(0)
      .access(load, 0, all_lanes, stride(array, 4))
      .access(load_again, 0, all_lanes, stride(array + 1024, 4))
      .access(store, 0, lanes(0, 15), stride(other_array + 8, 4));
  const std::vector<Part> parts = footprint->take_parts();
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[0].base, array);
  EXPECT_EQ(parts[0].use, Use::reads);
  EXPECT_EQ(parts[0].file, "kernel.cu");
  EXPECT_EQ(parts[0].line, 20u);
  EXPECT_EQ(parts[0].element_bytes, 4u);
  expect_same(parts[0].bytes, {{0, 128}, {1024, 128}});
  EXPECT_EQ(parts[1].base, other_array);
  EXPECT_EQ(parts[1].use, Use::writes);
  expect_same(parts[1].bytes, {{8, 64}});
}

TEST_F(AFootprint, OfWhatTheHostReachesLeavesOutTheDevices) {
  const std::uint64_t managed = scene.memory.allocate(4096, "cudaMallocManaged", machine::Place::managed);
  std::unique_ptr<Footprint> of_managed = make_footprint(FootprintOf::what_the_host_reaches);
  Footprint* found = of_managed.get();
  Play run{scene, std::move(of_managed)};
  run.begin(0)
      .access(load, 0, all_lanes, stride(array, 4))
      .access(load, 0, all_lanes, stride(managed + 1024, 4))
      .access(store, 0, all_lanes, stride(managed, 4))
      .access(store, 0, all_lanes, stride(array, 4));
  const std::vector<Part> parts = found->take_parts();
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[0].base, managed);
  EXPECT_EQ(parts[0].use, Use::reads);
  expect_same(parts[0].bytes, {{1024, 128}});
  EXPECT_EQ(parts[1].use, Use::writes);
  expect_same(parts[1].bytes, {{0, 128}});
}

TEST_F(AFootprint, KnowsUpdatesThatTellTheHost) {
  play.begin(0);
  for (const std::uint32_t pc : {atomic, atomic_of_system, set_flag, set_flag_of_device})
    play.access(pc, 0, lane(0), all_at(array));
  std::vector<bool> tells;
  for (const Part& part : footprint->take_parts()) {
    EXPECT_EQ(part.use, Use::updates);
    tells.push_back(part.tells_host);
  }
  EXPECT_EQ(tells, (std::vector<bool>{false, true, true, false}));
}

TEST_F(AFootprint, IsExactToTheByte) {
  play.begin(0).access(store_byte, 0, all_lanes, stride(array + 1, 2));
  const std::vector<Part> parts = footprint->take_parts();
  ASSERT_EQ(parts.size(), 1u);
  std::vector<Range> odd;
  for (int lane = 0; lane < warp_size; ++lane) odd.push_back({1 + 2 * static_cast<std::size_t>(lane), 1});
  expect_same(parts[0].bytes, odd);
}

TEST_F(AFootprint, KeepsLanesThatGoBackOrShareAnElement) {
  play.begin(0).access(load, 0, all_lanes, stride(array + 1024, -4)).access(store, 0, lanes(3, 9), all_at(array + 40));
  const std::vector<Part> parts = footprint->take_parts();
  ASSERT_EQ(parts.size(), 2u);
  expect_same(parts[0].bytes, {{1024 - 31 * 4, 128}});
  expect_same(parts[1].bytes, {{40, 4}});
}

TEST_F(AFootprint, TellsStrongAccessesFromPlainOnes) {
  play.begin(0).access(atomic, 0, lane(0), all_at(array)).access(read_flag, 0, lane(0), all_at(other_array));
  const std::vector<Part> parts = footprint->take_parts();
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[0].use, Use::updates);
  EXPECT_EQ(parts[1].use, Use::reads_strongly);
}

TEST_F(AFootprint, IsTheSameWhoeverRunsTheBlocks) {
  play.begin(0).access(store, 0, all_lanes, stride(array, 4)).end();
  play.on_another_thread().begin(1).access(store, 0, all_lanes, stride(array + 128, 4)).end();
  play.join_forks();
  const std::vector<Part> parts = footprint->take_parts();
  ASSERT_EQ(parts.size(), 1u);
  EXPECT_EQ(parts[0].base, array);
  expect_same(parts[0].bytes, {{0, 256}});
}

TEST(UsesOfTwoStreams, MayMeetWhereNeitherWritesOrBothAreStrong) {
  constexpr Use all[] = {Use::reads, Use::reads_strongly, Use::updates, Use::writes};
  for (const Use one : all)
    for (const Use other : all) {
      EXPECT_EQ(conflict(one, other), conflict(other, one));
      if (!stands_for(one, other)) continue;
      for (const Use third : all) EXPECT_GE(conflict(one, third), conflict(other, third));
    }
  EXPECT_FALSE(conflict(Use::reads, Use::reads));
  EXPECT_FALSE(conflict(Use::updates, Use::updates));
  EXPECT_FALSE(conflict(Use::updates, Use::reads_strongly));
  EXPECT_TRUE(conflict(Use::updates, Use::reads));
  EXPECT_TRUE(conflict(Use::writes, Use::reads_strongly));
  EXPECT_TRUE(conflict(Use::writes, Use::writes));
}

}  // namespace
}  // namespace warpwright::observe::testing
