#include "inputs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace warpwright {
namespace {

TEST(Inputs, AreTheSameOnEveryMachine) {
  Random random(1);
  EXPECT_EQ(random.next(), 0x910a2dec89025cc1u);
  EXPECT_EQ(random.next(), 0xbeeb8da1658eec67u);
}

TEST(Inputs, OfWholeNumbersHoldNoZeroAndBothEnds) {
  const auto values = whole_numbers(10000, -8, 8, 3);
  EXPECT_EQ(std::count(values.begin(), values.end(), 0.0f), 0);
  EXPECT_EQ(*std::min_element(values.begin(), values.end()), -8);
  EXPECT_EQ(*std::max_element(values.begin(), values.end()), 8);
  EXPECT_TRUE(std::all_of(values.begin(), values.end(), [](float v) { return v == std::floor(v); }));
}

TEST(Inputs, DifferFromSeedToSeed) { EXPECT_NE(real_numbers(4, 0, 1, 1), real_numbers(4, 0, 1, 2)); }

TEST(Inputs, OfRealNumbersStayInTheirRange) {
  const auto values = real_numbers(10000, -1000, -1, 5);
  EXPECT_GE(*std::min_element(values.begin(), values.end()), -1000);
  EXPECT_LT(*std::max_element(values.begin(), values.end()), -0.99f);
}

TEST(Inputs, OfManyRealNumbersAreOneStreamHoweverManyProcessorsMakeThem) {
  const auto values = real_numbers((std::size_t{1} << 22) + 3, 0, 1, 9);
  Random random(9);
  const auto wrong =
      std::find_if(values.begin(), values.end(), [&](float v) { return v != static_cast<float>(random.unit()); });
  EXPECT_EQ(wrong - values.begin(), values.end() - values.begin());
}

TEST(Inputs, ThatCancelSumToFarLessThanIsAdded) {
  const auto reference = sum_reference(cancelling_numbers(10000, 7));
  EXPECT_LT(std::abs(reference.sum) * 1000, reference.sum_of_absolutes);
}

TEST(SumReference, AddsInDoublePrecision) {
  std::vector<float> values(3, 0.1f);
  values.push_back(16777216.0f);
  EXPECT_DOUBLE_EQ(sum_reference(values).sum, 3 * static_cast<double>(0.1f) + 16777216);
}

}  // namespace
}  // namespace warpwright
