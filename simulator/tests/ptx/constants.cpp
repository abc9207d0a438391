#include <gtest/gtest.h>

#include <bit>
#include <cstdint>

#include "snippets.h"

namespace warpwright::ptx {
namespace {

Operand immediate(const std::string& text) { return parse_instruction("mov.b64 %rd1, " + text + ";").operands.at(1); }

std::int64_t integer(const std::string& text) {
  const Operand operand = immediate(text);
  EXPECT_EQ(operand.kind, Operand::Kind::integer) << text;
  return static_cast<std::int64_t>(operand.bits);
}

TEST(Constants, ReadIntegersInEveryBase) {
  EXPECT_EQ(integer("0"), 0);
  EXPECT_EQ(integer("42"), 42);
  EXPECT_EQ(integer("42U"), 42);
  EXPECT_EQ(integer("0U"), 0);
  EXPECT_EQ(integer("0x2A"), 42);
  EXPECT_EQ(integer("0X2aU"), 42);
  EXPECT_EQ(integer("052"), 42);
  EXPECT_EQ(integer("0b101010"), 42);
  EXPECT_EQ(integer("0xE"), 14);
  EXPECT_EQ(integer("WARP_SZ"), 32);
}

TEST(Constants, HoldNegativeNumbersInTwosComplement) {
  EXPECT_EQ(integer("-1"), -1);
  EXPECT_EQ(integer("-2147483648"), -2147483648LL);
  EXPECT_EQ(integer("-9223372036854775808"), INT64_MIN);
  EXPECT_EQ(immediate("0xffffffffffffffff").bits, UINT64_MAX);
  EXPECT_EQ(immediate("18446744073709551615").bits, UINT64_MAX);
}

TEST(Constants, KeepTheBitsOfFloats) {
  const Operand single = immediate("0f3F800000");
  EXPECT_EQ(single.kind, Operand::Kind::f32);
  EXPECT_EQ(single.bits, 0x3f800000u);
  const Operand double_ = immediate("0d3FF8000000000000");
  EXPECT_EQ(double_.kind, Operand::Kind::f64);
  EXPECT_EQ(std::bit_cast<double>(double_.bits), 1.5);
  EXPECT_EQ(immediate("0F7fc00000").bits, 0x7fc00000u);
}

TEST(Constants, ReadDecimalFloatsAsDoubles) {
  for (const auto& [text, value] : {std::pair<const char*, double>{"1.5", 1.5},
                                    {"-1.5", -1.5},
                                    {"2.5e3", 2500.0},
                                    {"25e-1", 2.5},
                                    {"0.5e-1", 0.05},
                                    {"0e1", 0.0},
                                    {"1.0E+2", 100.0},
                                    {"+0.25", 0.25}}) {
    const Operand operand = immediate(text);
    EXPECT_EQ(operand.kind, Operand::Kind::f64) << text;
    EXPECT_EQ(std::bit_cast<double>(operand.bits), value) << text;
  }
}

TEST(Constants, NegateAFloatByItsSignBit) {
  EXPECT_EQ(immediate("-0f3F800000").bits, 0xbf800000u);
  EXPECT_EQ(immediate("-0d0000000000000000").bits, 0x8000000000000000u);
}

TEST(Constants, FollowThePrecedenceOfThePtxManual) {
  EXPECT_EQ(integer("2 + 3 * 4"), 14);
  EXPECT_EQ(integer("(2 + 3) * 4"), 20);
  EXPECT_EQ(integer("1 << 4 + 1"), 32);
  EXPECT_EQ(integer("1 < 1 << 1"), 1);
  EXPECT_EQ(integer("16 >> 1 >> 2"), 2);
  EXPECT_EQ(integer("4 != 4"), 0);
  EXPECT_EQ(integer("3 != 4"), 1);
  EXPECT_EQ(integer("4 == 3"), 0);
  EXPECT_EQ(integer("2 >= 2"), 1);
  EXPECT_EQ(integer("1 >= 2"), 0);
  EXPECT_EQ(integer("2 <= 2"), 1);
  EXPECT_EQ(integer("3 <= 2"), 0);
  EXPECT_EQ(integer("2 > 2"), 0);
  EXPECT_EQ(integer("3 > 2"), 1);
  EXPECT_EQ(integer("0 || 0"), 0);
  EXPECT_EQ(integer("2 && 0"), 0);
  EXPECT_EQ(integer("20 - 5 - 3"), 12);
  EXPECT_EQ(integer("100 / 7 % 4"), 2);
  EXPECT_EQ(integer("1 | 6 ^ 2 & 3"), 5);
  EXPECT_EQ(integer("3 < 4 == 1"), 1);
  EXPECT_EQ(integer("0 && 1 || 1"), 1);
  EXPECT_EQ(integer("0 ? 1 : 0 ? 2 : 3"), 3);
  EXPECT_EQ(integer("-2 * -3"), 6);
  EXPECT_EQ(integer("~0 & 0xff"), 255);
  EXPECT_EQ(integer("!(5) + 1"), 1);
  EXPECT_EQ(integer("!(1)"), 0);
  EXPECT_EQ(integer("!(0)"), 1);
  EXPECT_EQ(integer("-(-3)"), 3);
  EXPECT_EQ(integer("WARP_SZ - 1"), 31);
}

TEST(Constants, AreSignedUnlessSomethingSaysUnsigned) {
  EXPECT_EQ(integer("-8 / 2"), -4);
  EXPECT_EQ(integer("-8 >> 1"), -4);
  EXPECT_EQ(integer("-1 < 1"), 1);
  EXPECT_EQ(integer("-1 < 1U"), 0);
  EXPECT_EQ(integer("(.u64)-1 > 1"), 1);
  EXPECT_EQ(integer("(.u64)-8 >> 1"), 0x7ffffffffffffffcLL);
  EXPECT_EQ(integer("(.s64)0xffffffffffffffff / 1"), -1);
  EXPECT_EQ(integer("(.s64)0xffffffffffffffff < 1"), 1);
}

TEST(Constants, WrapInsteadOfOverflowing) {
  EXPECT_EQ(integer("0x7fffffffffffffff + 1"), INT64_MIN);
  EXPECT_EQ(integer("(.s64)0x8000000000000000 / -1"), INT64_MIN);
  EXPECT_EQ(integer("(.s64)0x8000000000000000 % -1"), 0);
  EXPECT_EQ(integer("1 << 64"), 0);
  EXPECT_EQ(integer("-1 >> 64"), -1);
  EXPECT_EQ(integer("1U >> 64"), 0);
}

}  // namespace
}  // namespace warpwright::ptx
