#include <fmt/core.h>
#include <gtest/gtest.h>

#include "machine/kernel.h"

namespace warpwright::kernels {
namespace {

/// Who is read, and whether it is in range, in CUDA's words: a warp in segments of `width` lanes.
struct Read {
  std::uint32_t lane;
  bool in_range;
};

Read read_by_segment(const std::string& mode, std::uint32_t lane, std::uint32_t operand, std::uint32_t width) {
  const std::uint32_t segment = lane / width, place = lane % width;
  if (mode == "up") return place >= operand ? Read{lane - operand, true} : Read{lane, false};
  if (mode == "down") return place + operand < width ? Read{lane + operand, true} : Read{lane, false};
  if (mode == "idx") return {segment * width + operand % width, true};
  // A butterfly may reach into earlier segments, not into later ones.
  const std::uint32_t partner = lane ^ operand;
  return partner / width <= segment ? Read{partner, true} : Read{lane, false};
}

/// The same for any operand c, bit by bit.
Read read_by_bits(const std::string& mode, std::uint32_t lane, std::uint32_t b, std::uint32_t c) {
  std::uint32_t limit = 0, same_segment = 0;
  for (std::uint32_t bit = 1; bit < 32; bit *= 2) {
    const bool fixed = ((c >> 8) & bit) != 0;
    limit += (fixed ? lane : c) & bit;
    same_segment += (fixed ? lane : b) & bit;
  }
  const int distance = static_cast<int>(b % 32), from = static_cast<int>(lane), end = static_cast<int>(limit);
  const int to = mode == "up"     ? from - distance
                 : mode == "down" ? from + distance
                 : mode == "bfly" ? from ^ distance
                                  : static_cast<int>(same_segment);
  const bool in_range = mode == "up" ? to >= end : to <= end;
  return {static_cast<std::uint32_t>(in_range ? to : from), in_range};
}

class ShuffleModes : public testing::TestWithParam<const char*> {};

TEST_P(ShuffleModes, ReadWithinSegmentsOfEveryWidth) {
  const std::string mode = GetParam();
  for (std::uint32_t width = 1; width <= 32; width *= 2)
    for (const std::uint32_t operand : {0u, 1u, 2u, 3u, 7u, 8u, 15u, 16u, 31u}) {
      const std::uint32_t c = (32 - width) << 8 | (mode == "up" ? 0 : 31);
      const Outcome outcome = run(fmt::format(R"(
        add.u32 %r1, %lane, 100;
        shfl.sync.{}.b32 %r2|%p1, %r1, {}, {}, -1;
        @%p1 add.u32 %r2, %r2, 1000;
        st.global.u32 [%out], %r2;)",
                                              mode, operand, c));
      for (std::uint32_t lane = 0; lane < 32; ++lane) {
        const Read read = read_by_segment(mode, lane, operand, width);
        EXPECT_EQ(outcome.out[lane], 100 + read.lane + (read.in_range ? 1000 : 0))
            << mode << " " << operand << " width " << width << " lane " << lane;
      }
    }
}

TEST_P(ShuffleModes, FollowTheManualForEveryClampAndSegmentMask) {
  const std::string mode = GetParam();
  constexpr std::uint32_t operands = 32 * 32 * 32;
  Shape shape;
  shape.words = operands * 32;
  shape.step_budget = operands * 20;
  const Outcome outcome = run(fmt::format(R"(
    mov.u32 %r1, 0;
    mov.b64 %rd1, %out;
  loop:
    and.b32 %r2, %r1, 31;
    shr.u32 %r3, %r1, 5;
    and.b32 %r4, %r3, 31;
    shr.u32 %r5, %r1, 10;
    shl.b32 %r5, %r5, 8;
    or.b32 %r4, %r4, %r5;
    or.b32 %r2, %r2, 0x12345600;
    shfl.sync.{}.b32 %r6|%p1, %lane, %r2, %r4, -1;
    selp.b32 %r7, 1000, 0, %p1;
    add.u32 %r6, %r6, %r7;
    st.global.u32 [%rd1], %r6;
    add.u64 %rd1, %rd1, 128;
    add.u32 %r1, %r1, 1;
    setp.lt.u32 %p2, %r1, {};
    @%p2 bra loop;)",
                                          mode, operands),
                              shape);
  ASSERT_EQ(outcome.status, LaunchStatus::finished);
  for (std::uint32_t i = 0; i < operands; ++i)
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      const std::uint32_t b = i % 32, c = i / 32 % 32 | i / 1024 << 8;
      const Read read = read_by_bits(mode, lane, b, c);
      ASSERT_EQ(outcome.out[32 * i + lane], read.lane + (read.in_range ? 1000 : 0))
          << b << " " << c << " lane " << lane;
    }
}

INSTANTIATE_TEST_SUITE_P(All, ShuffleModes, testing::Values("up", "down", "bfly", "idx"),
                         [](const auto& info) { return std::string(info.param); });

TEST(Shuffle, MayTakeItsOperandsFromEachLaneAlone) {
  const Outcome outcome = run(R"(
    xor.b32 %r1, %lane, 21;
    add.u32 %r3, %lane, 50;
    shfl.sync.idx.b32 %r2, %r3, %r1, 31, -1;
    st.global.u32 [%out], %r2;)");
  for (std::uint32_t lane = 0; lane < 32; ++lane) EXPECT_EQ(outcome.out[lane], 50 + (lane ^ 21));
}

TEST(Shuffle, MayWriteOverWhatItReads) {
  const Outcome outcome = run("mov.u32 %r1, %lane; shfl.sync.down.b32 %r1, %r1, 1, 31, -1; st.global.u32 [%out], %r1;");
  for (std::uint32_t lane = 0; lane < 32; ++lane) EXPECT_EQ(outcome.out[lane], std::min(lane + 1, 31u));
}

}  // namespace
}  // namespace warpwright::kernels
