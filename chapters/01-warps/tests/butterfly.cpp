// warps.butterfly: every lane divides by a sum that every lane has.
#include <cmath>
#include <limits>

#include "expect.h"
#include "groups.h"
#include "traffic.h"

using namespace warpwright;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

/// Sums of 32 positive numbers, at most six additions deep, and a division: each rounds by 2^-24 of a share of at
/// most 1.
const Tolerance rounding{8 * 0x1p-24, "at most 6 additions of positive numbers and a division, each off by 2^-24"};

bool expect_shares(const std::string& input, const std::vector<float>& values, const Tolerance& tolerance) {
  std::vector<double> sums(warps::warps_of(values.size()), 0), expected;
  for (std::size_t i = 0; i < values.size(); ++i) sums[i / 32] += values[i];
  for (std::size_t i = 0; i < values.size(); ++i) expected.push_back(values[i] / sums[i / 32]);
  const DeviceArray<float> in("in", values), out("out", values.size());
  warps::butterfly(in.data(), out.data(), values.size(), nullptr);
  const auto wrong = mismatch("out", out.download(), expected, tolerance);
  expect(input, wrong);
  return !wrong && !made_a_mistake();
}

}  // namespace

TEST_F(Right, GivesEachItsShareAtEveryLength) {
  if (!takes_few_blocks([] {
        const DeviceArray<float> in("in", std::vector<float>{1, 1}), out("out", 2);
        warps::butterfly(in.data(), out.data(), 2, nullptr);
      }))
    return;
  for (const std::size_t n : warps::lengths) {
    if (!expect_shares(warps::length(n), whole_numbers(n, 1, 1000, n), rounding)) return;
    if (!expect_shares(warps::length(n) + ", real numbers", real_numbers(n, 0.5, 2, n), rounding)) return;
  }
}

// One value is as large as the 31 others together, and all are powers of two: so is every share.
TEST_F(Right, CountsEveryLane) {
  for (std::size_t large = 0; large < 32; ++large) {
    std::vector<float> values(32, 1);
    values[large] = 33;
    const auto powers = exact("the sum is 64, and a division by it is exact");
    if (!expect_shares(fmt::format("n = 32, in[{}] = 33 and the others 1", large), values, powers)) return;
  }
}

TEST_F(Right, SpoilsOnlyTheGroupOfANaN) {
  for (const float special : {not_a_number, infinity}) {
    for (const std::size_t at : {0, 17, 31, 40}) {
      auto values = whole_numbers(80, 1, 9, at);
      values[at] = special;
      if (!expect_shares(fmt::format("n = 80, in[{}] = {}", at, special), values, rounding)) return;
    }
  }
}

TEST_F(Safely, TouchesNothingElse) {
  for (const std::size_t n : {1, 33, 257, 1000}) {
    const auto values = whole_numbers(n, 1, 8, n);
    const DeviceArray<float> in("in", values), out("out", n);
    warps::butterfly(in.data(), out.data(), n, nullptr);
    warps::expect_unchanged(warps::length(n), "in", in, values);
  }
}

namespace {

constexpr std::size_t contract_n = 12288;
constexpr double contract_warps = contract_n / 32.0;

}  // namespace

TEST_F(Contract, FiveShufflesServeAllLanes) {
  const DeviceArray<float> in("in", whole_numbers(contract_n, 1, 8, 1)), out("out", contract_n);
  const auto launch = profile([&] { warps::butterfly(in.data(), out.data(), contract_n, nullptr); }).front();
  expect_exactly(launch, warps::shuffles_executed, 5 * contract_warps,
                 "five rounds of one bit each bring 32 lanes together, and leave the sum in all of them");
  expect_exactly(launch, counters::shared_loads, 0, "the sums stay in registers");
  expect_exactly(launch, counters::atomics, 0, "the lanes of a warp have no need of them");
  expect_exactly(launch, counters::load_sectors, contract_n / 8.0, "8 floats share a sector, and each is loaded once");
}
