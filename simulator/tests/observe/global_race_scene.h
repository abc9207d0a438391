// What tests of races in global memory play on.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "observe/global_race.h"
#include "scene.h"

namespace warpwright::observe::testing {

/// A kernel of blocks of 64 threads, whose first argument is an array of 1024 words and whose second one is a word.
struct GlobalRace : ::testing::Test {
  Scene scene{4, 64};
  std::uint64_t array = scene.memory.allocate(4096, "cudaMalloc");
  std::uint64_t flag = scene.memory.allocate(4, "cudaMalloc");
  std::uint32_t store = scene.at_line(20, "st.global.u32 [%rd1], %r1");
  std::uint32_t load = scene.at_line(21, "ld.global.u32 %r2, [%rd2]");
  std::uint32_t load4 = scene.at_line(22, "ld.global.v4.u32 {%r2, %r3, %r4, %r5}, [%rd2]");
  std::uint32_t store_byte = scene.at_line(23, "st.global.u8 [%rd1], %rs1");
  std::uint32_t atomic = scene.at_line(24, "atom.global.add.u32 %r6, [%rd3], %r1");
  std::uint32_t atomic_in_block = scene.at_line(25, "atom.global.cta.add.u32 %r6, [%rd3], %r1");
  std::uint32_t set_flag = scene.at_line(26, "st.volatile.global.u32 [%rd3], %r1");
  std::uint32_t read_flag = scene.at_line(27, "ld.volatile.global.u32 %r6, [%rd3]");
  std::uint32_t fence = scene.at_line(28, "membar.gl");
  std::uint32_t barrier = scene.at_line(30, "bar.sync 0");
  std::uint32_t warp_barrier = scene.at_line(31, "bar.warp.sync -1");

  GlobalRace() {
    scene.argument(array);
    scene.argument(flag);
  }
  Play play() const { return Play(scene, make_global_race()); }
  /// The words of a block's warp.
  Play::AddressOf own(std::uint64_t block = 0, std::uint32_t warp = 0) const {
    return stride(array + 256 * block + 128 * warp, 4);
  }

  static void expect_silence(const Play& play) {
    for (const Diagnosis& diagnosis : play.diagnoses()) ADD_FAILURE() << diagnosis.message;
  }
  static Diagnosis only(const Play& play) {
    const std::vector<Diagnosis> found = play.diagnoses();
    EXPECT_EQ(found.size(), 1u);
    return found.empty() ? Diagnosis{} : found.front();
  }
};

}  // namespace warpwright::observe::testing
