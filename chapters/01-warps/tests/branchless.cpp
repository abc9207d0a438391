// warps.branchless: values that multiplications spoil, and lanes that stay together.
#include <cmath>
#include <limits>

#include "expect.h"
#include "groups.h"

using namespace warpwright;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

/// The rule of warps.h, in double and side by side.
double shrunk(double x, double threshold) {
  if (std::isnan(x)) return x;
  const double magnitude = std::fabs(x) < threshold ? 0 : std::fabs(x) - threshold;
  return std::signbit(x) ? -magnitude : magnitude;
}

bool expect_shrunk(const std::string& input, const std::vector<float>& values, float threshold,
                   const Tolerance& tolerance) {
  const DeviceArray<float> in("in", values), out("out", values.size());
  warps::branchless(in.data(), out.data(), threshold, values.size(), nullptr);
  std::vector<double> expected;
  for (const float value : values) expected.push_back(shrunk(value, threshold));
  const auto got = out.download();
  auto wrong = mismatch("out", got, expected, tolerance);
  for (std::size_t i = 0; !wrong && i < got.size(); ++i) {
    if (std::isnan(expected[i]) || std::signbit(got[i]) == std::signbit(expected[i])) continue;
    wrong = fmt::format("out[{}] is {:+}\nexpected {:+}, since in[{}] is {:+}", i, got[i], expected[i], i, values[i]);
  }
  expect(fmt::format("{}, threshold {}", input, threshold), wrong);
  return !wrong && !made_a_mistake();
}

const Tolerance whole = exact("whole numbers are subtracted exactly");

bool expect_special(float special) {
  for (const float threshold : {0.0f, 2.0f}) {
    for (const std::size_t at : {0, 5, 32}) {
      auto values = whole_numbers(33, -9, 9, at);
      values[at] = special;
      if (!expect_shrunk(fmt::format("n = 33, in[{}] = {}", at, special), values, threshold, whole)) return false;
    }
  }
  return true;
}

}  // namespace

TEST_F(Right, ShrinksEveryLength) {
  for (const std::size_t n : warps::lengths) {
    if (!expect_shrunk(warps::length(n), whole_numbers(n, -9, 9, n), 4, whole)) return;
  }
}

TEST_F(Right, ShrinksRealNumbers) {
  for (const float threshold : {0.0f, 0.1f, 0.5f, 3.0f}) {
    const Tolerance rounding{0x1p-22, "one rounding of a result below 4"};
    if (!expect_shrunk("n = 4,096", real_numbers(4096, -2, 2, 5), threshold, rounding)) return;
  }
}

TEST_F(Right, KeepsInfinity) { expect_special(infinity) && expect_special(-infinity); }

TEST_F(Right, KeepsNaN) { expect_special(not_a_number); }

TEST_F(Right, KeepsTheSignOf0) {
  const std::vector<float> values = {0.0f, -0.0f, 1.0f, -1.0f, 2.0f, -2.0f, 1e-45f, -1e-45f, 3.0f, -3.0f};
  for (const float threshold : {0.0f, 1.0f, 2.0f}) {
    if (!expect_shrunk("0, -0, 1, -1, 2, -2, the smallest numbers, 3, -3", values, threshold, whole)) return;
  }
}

TEST_F(Safely, TouchesNothingElse) {
  for (const std::size_t n : {1, 33, 257}) {
    const auto values = whole_numbers(n, -9, 9, n);
    const DeviceArray<float> in("in", values), out("out", n);
    warps::branchless(in.data(), out.data(), 3, n, nullptr);
    warps::expect_unchanged(warps::length(n), "in", in, values);
  }
}

namespace {

constexpr std::size_t contract_n = 4096;

observe::Report launch_of_contract() {
  const DeviceArray<float> in("in", real_numbers(contract_n, -2, 2, 1)), out("out", contract_n);
  return profile([&] { warps::branchless(in.data(), out.data(), 1, contract_n, nullptr); }).front();
}

}  // namespace

TEST_F(Contract, NoWarpParts) {
  expect_exactly(launch_of_contract(), counters::divergent_branches, 0,
                 "half of the values are within the threshold, in no order: each branch on a value would split warps");
}

TEST_F(Contract, MovesEveryValueOnce) {
  const auto launch = launch_of_contract();
  expect_exactly(launch, counters::load_sectors, contract_n / 8.0, "8 floats share a sector of 32 bytes");
  expect_exactly(launch, counters::bytes_stored, 4.0 * contract_n, "each value is stored once");
  expect_at_most(launch, warps::launched_warps, contract_n / 32.0, "a thread for each value is enough");
}
