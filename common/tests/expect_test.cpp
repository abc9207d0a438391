#include "expect.h"

#include <gtest/gtest.h>

#include <bit>
#include <limits>

namespace warpwright {
namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();
const float poison = std::bit_cast<float>(poison_word);

TEST(Mismatch, NeverLetsNaNPassForANumber) {
  EXPECT_TRUE(mismatch("x", nan, 0, {1e30, ""}));
  EXPECT_TRUE(mismatch("x", 0, nan, {1e30, ""}));
  EXPECT_FALSE(mismatch("x", nan, nan, exact("")));
}

TEST(Mismatch, TellsInfinitiesApart) {
  EXPECT_FALSE(mismatch("x", infinity, infinity, exact("")));
  EXPECT_TRUE(mismatch("x", -infinity, infinity, {infinity, ""}));
  EXPECT_TRUE(mismatch("x", 1, infinity, {infinity, ""}));
}

TEST(Mismatch, CallsPoisonUnwrittenEvenWhereNaNIsExpected) {
  const auto text = mismatch("out[0]", poison, nan, exact(""));
  ASSERT_TRUE(text);
  EXPECT_NE(text->find("out[0] was never written"), std::string::npos) << *text;
}

TEST(Mismatch, ShowsTheToleranceWithItsReason) {
  EXPECT_FALSE(mismatch("x", 1.5f, 1, {0.5, "half"}));
  const auto text = mismatch("x", 1.75f, 1, {0.5, "half"});
  ASSERT_TRUE(text);
  EXPECT_EQ(*text, "x is 1.75\nexpected 1, off by 0.75; allowed 0.5: half");
}

TEST(Mismatch, OfWhatHasNoDistanceTellsTheReasonToo) {
  const auto none = mismatch("x", 3.40282347e38f, infinity, exact("there is no value"));
  ASSERT_TRUE(none);
  EXPECT_EQ(*none, "x is 3.40282347e+38\nexpected inf, because there is no value");
  EXPECT_EQ(*mismatch("x", nan, 5, exact("a NaN is passed over")),
            "x is nan\nexpected 5, because a NaN is passed over");
  EXPECT_EQ(*mismatch("x", nan, 5, {0.5, "half"}), "x is nan\nexpected 5");
}

TEST(Mismatch, OfAnArrayNamesTheFirstAndCountsTheRest) {
  const std::vector<float> got = {1, 5, poison, 4};
  const std::vector<double> expected = {1, 2, 3, 4};
  const auto text = mismatch("out", got, expected, exact("whole"));
  ASSERT_TRUE(text);
  EXPECT_EQ(text->substr(0, 11), "out[1] is 5") << *text;
  EXPECT_NE(text->find("2 of 4 values are wrong, 1 of them never written"), std::string::npos) << *text;
}

TEST(Mismatch, OfArraysOfUnequalLengthIsOne) {
  EXPECT_TRUE(mismatch("out", std::vector<float>{1}, std::vector<double>{}, exact("")));
}

TEST(SumTolerance, GrowsWithTheTreesDepthAndTheValues) {
  const SumReference one = {1, 1}, two = {0, 2};
  EXPECT_DOUBLE_EQ(sum_tolerance(1024, one).absolute, 42 * 0x1p-24);
  EXPECT_DOUBLE_EQ(sum_tolerance(1025, one).absolute, 43 * 0x1p-24);
  EXPECT_DOUBLE_EQ(sum_tolerance(1024, two).absolute, 84 * 0x1p-24);
}

TEST(SumTolerance, AcceptsEveryTreeAndRejectsOneLostValueOfAThousand) {
  const auto values = real_numbers(1000, 0, 1, 1);
  const auto reference = sum_reference(values);
  float sequential = 0;
  for (float value : values) sequential += value;
  const Tolerance tolerance = sum_tolerance(values.size(), reference);
  EXPECT_FALSE(mismatch("sum", sequential, reference.sum, tolerance));
  EXPECT_TRUE(mismatch("sum", static_cast<float>(reference.sum - values[500]), reference.sum, tolerance));
}

}  // namespace
}  // namespace warpwright
