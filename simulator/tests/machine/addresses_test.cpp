#include "machine/addresses.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <random>

namespace warpwright::machine {
namespace {

/// Addresses from registers of one width, against what PTX says of every lane by itself.
template <class Register>
struct FromRegisters : ::testing::Test {
  std::mt19937_64 random{1};
  std::array<Register, warp_size> base{};

  Lanes some_lanes() {
    const auto lanes = static_cast<Lanes>(random() & (random() | random()));
    return random() % 2 == 0 ? all_lanes : lanes == 0 ? 1 : lanes;
  }
  void set(Register first, Register stride, Register jump) {
    for (int lane = 0; lane < warp_size; ++lane)
      base[lane] = static_cast<Register>(first + static_cast<Register>(lane % half_warp) * stride +
                                         static_cast<Register>(lane / half_warp) * jump);
  }
  void expect_judged(Register offset, Lanes lanes) {
    Addresses addresses(base.data(), offset, lanes);
    addresses.survey(lanes);
    const Addresses listed = addresses;
    const std::uint64_t* list = listed.list();
    std::uint64_t low = ~std::uint64_t{0}, high = 0, bits = 0;
    for (const int lane : each_lane(lanes)) {
      const std::uint64_t address = static_cast<Register>(base[lane] + offset);
      ASSERT_EQ(addresses[lane], address) << lane;
      ASSERT_EQ(list[lane], address) << lane;
      ASSERT_EQ(listed[lane], address) << lane;
      low = std::min(low, address);
      high = std::max(high, address);
      bits |= address;
    }
    ASSERT_EQ(addresses.low(), low);
    ASSERT_EQ(addresses.high(), high);
    const std::uint64_t below = (addresses.bits() & (0 - addresses.bits())) - 1;
    ASSERT_EQ(bits & below, 0u) << "some are not as much aligned as all are said to be";
  }
};

using Widths = ::testing::Types<std::uint32_t, std::uint64_t>;
TYPED_TEST_SUITE(FromRegisters, Widths);

TYPED_TEST(FromRegisters, AreWhatEachLaneComputes) {
  for (int time = 0; time < 20000; ++time) {
    const auto few = [&] { return static_cast<TypeParam>(this->random() % 65 - 32); };
    const auto any = [&] { return static_cast<TypeParam>(this->random() >> this->random() % 64); };
    const TypeParam stride = time % 3 == 0 ? any() : few();
    const TypeParam jump = time % 2 == 0 ? half_warp * stride : time % 5 == 0 ? any() : few();
    this->set(any(), stride, jump);
    if (time % 7 == 0) this->base[this->random() % warp_size] += few();
    this->expect_judged(time % 4 == 0 ? any() : few(), this->some_lanes());
    if (this->HasFatalFailure()) FAIL() << "stride " << stride << ", jump " << jump;
  }
}

TYPED_TEST(FromRegisters, ThatWrapBetweenLanesHaveNoStride) {
  constexpr auto top = std::numeric_limits<TypeParam>::max();
  for (const TypeParam first : {static_cast<TypeParam>(top - 64), static_cast<TypeParam>(top - 123)}) {
    this->set(first, 4, 64);
    this->expect_judged(0, all_lanes);
    EXPECT_EQ(Addresses(this->base.data(), 0, all_lanes).stride().by_half, first + 124 > first);
    EXPECT_TRUE(Addresses(this->base.data(), 256, all_lanes).stride().by_half) << "all have wrapped";
  }
  this->set(60, static_cast<TypeParam>(-4), static_cast<TypeParam>(-64));
  this->expect_judged(0, all_lanes);
  EXPECT_FALSE(Addresses(this->base.data(), 0, all_lanes).stride().by_half);
}

TYPED_TEST(FromRegisters, WithAnOddStrideAreNotAligned) {
  this->set(4096, 6, 96);
  EXPECT_EQ(Addresses(this->base.data(), 0, all_lanes).bits() & 3, 2u);
  this->set(4096, 8, 130);
  EXPECT_EQ(Addresses(this->base.data(), 0, all_lanes).bits() & 3, 2u);
  this->set(4098, 8, 128);
  EXPECT_EQ(Addresses(this->base.data(), 0, all_lanes).bits() & 3, 2u);
  EXPECT_EQ(Addresses(this->base.data(), 2, all_lanes).bits() & 3, 0u);
}

struct Changed : ::testing::Test {
  std::array<std::uint64_t, warp_size> base{};
  Changed() {
    for (int lane = 0; lane < warp_size; ++lane) base[lane] = 4096 + 8u * static_cast<unsigned>(lane);
  }
  void expect_spread(Addresses& addresses, Lanes lanes) {
    addresses.spread(100, lanes);
    for (const int lane : each_lane(lanes)) EXPECT_EQ(addresses[lane], 4096u + 108u * static_cast<unsigned>(lane));
    for (const int lane : each_lane(lanes))
      EXPECT_EQ(addresses.list()[lane], 4096u + 108u * static_cast<unsigned>(lane));
  }
};

TEST_F(Changed, BySpreading) {
  Addresses by_stride(base.data(), 0, all_lanes);
  expect_spread(by_stride, all_lanes);
  Addresses listed(base.data(), 0, all_lanes);
  listed.list();
  expect_spread(listed, all_lanes);
}

TEST_F(Changed, OneByOneHaveNoStride) {
  Addresses addresses(base.data(), 0, all_lanes);
  addresses.single_out()[7] = 5;
  EXPECT_FALSE(addresses.stride().by_half);
  EXPECT_EQ(addresses[7], 5u);
  EXPECT_EQ(addresses[8], 4096u + 64);
}

TEST_F(Changed, ForSomeLanesKeepThoseOfOthers) {
  base[31] = 3;
  Addresses addresses(base.data(), 0, all_lanes);
  EXPECT_FALSE(addresses.stride().by_half);
  addresses.look_at(0xff);
  EXPECT_TRUE(addresses.stride().regular);
  EXPECT_EQ(addresses.high(), 4096u + 56);
  addresses.spread(100, 0xff);
  EXPECT_EQ(addresses[31], 3u);
  EXPECT_EQ(addresses[8], 4096u + 64);
  EXPECT_EQ(addresses[7], 4096u + 7 * 108);
}

}  // namespace
}  // namespace warpwright::machine
