#include "isa/table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "isa/checks.h"

namespace warpwright::checks {
namespace {

struct Family {
  const char* name;
  Checks (*checks)();
};

const std::vector<Family> families = {{"Integer", &integer_checks},
                                      {"Bits", &bit_checks},
                                      {"Floating", &floating_checks},
                                      {"Comparison", &comparison_checks},
                                      {"Conversion", &conversion_checks},
                                      {"FloatConversion", &float_conversion_checks},
                                      {"PackedConversion", &packed_conversion_checks},
                                      {"Half", &half_checks},
                                      {"Approximation", &approximation_checks}};

class Rows : public testing::TestWithParam<Family> {};

TEST_P(Rows, AgreeWithTheManualOnEveryDifficultOperand) {
  for (const Check& check : GetParam().checks()) run_check(check);
}

INSTANTIATE_TEST_SUITE_P(OfFamily, Rows, testing::ValuesIn(families), [](const auto& info) { return info.param.name; });

TEST(Compositions, AgreeWithTheManualOnEveryDifficultOperand) {
  for (const Check& check : composed_checks()) run_check(check);
}

TEST(Atomics, AgreeWithTheManualOnEveryDifficultOperand) {
  for (const Check& check : atomic_checks()) run_check(check);
}

TEST(Table, HasAnIndependentCheckForEveryRow) {
  std::set<std::string> checked;
  for (const Family& family : families)
    for (const Check& check : family.checks()) checked.insert(check.opcode);
  const std::vector<std::string> rows = isa::opcodes();
  std::vector<std::string> unchecked, unknown;
  std::ranges::set_difference(rows, checked, std::back_inserter(unchecked));
  std::ranges::set_difference(checked, rows, std::back_inserter(unknown));
  EXPECT_EQ(unchecked, std::vector<std::string>{});
  EXPECT_EQ(unknown, std::vector<std::string>{});
}

}  // namespace
}  // namespace warpwright::checks
