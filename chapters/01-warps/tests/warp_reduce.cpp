// warps.warp_reduce: three reductions a warp, by shuffles.
#include <fmt/core.h>

#include <cmath>
#include <limits>

#include "claims.h"
#include "contract.h"
#include "device_array.h"
#include "expect.h"
#include "inputs.h"
#include "observe/metrics.h"
#include "profile.h"
#include "traffic.h"
#include "warps.h"
#include "words.h"

using namespace warpwright;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

const Counter shuffles = {"shuffles of warps", {{std::string(observe::metric::shuffles), ""}}};

struct Results {
  std::vector<float> sums, minima, maxima;
};

Results reduce_on_device(std::span<const float> values) {
  const std::size_t warps = warps::warps_of(values.size());
  const DeviceArray<float> in("in", values);
  const DeviceArray<float> sums("sums", warps), minima("minima", warps), maxima("maxima", warps);
  warps::warp_reduce(in.data(), sums.data(), minima.data(), maxima.data(), values.size(), nullptr);
  return {sums.download(), minima.download(), maxima.download()};
}

/// False, and the test has failed, if a result differs from the reference. Sums may differ by `tolerance`.
bool expect_results(const std::string& input, std::span<const float> values, const Tolerance& tolerance) {
  const std::size_t warps = warps::warps_of(values.size());
  std::vector<double> sums(warps, 0), minima(warps, infinity), maxima(warps, -infinity);
  for (std::size_t i = 0; i < values.size(); ++i) {
    sums[i / 32] += values[i];
    minima[i / 32] = std::fmin(minima[i / 32], values[i]);
    maxima[i / 32] = std::fmax(maxima[i / 32], values[i]);
  }
  const Results got = reduce_on_device(values);
  const auto chosen = exact("a minimum and a maximum are values of the input, not rounded");
  auto wrong = mismatch("sums", got.sums, sums, tolerance);
  if (!wrong) wrong = mismatch("minima", got.minima, minima, chosen);
  if (!wrong) wrong = mismatch("maxima", got.maxima, maxima, chosen);
  expect(input, wrong);
  return !wrong;
}

}  // namespace

TEST_F(Right, ReducesEveryLength) {
  if (!takes_few_blocks([] {
        const DeviceArray<float> in("in", std::vector<float>(2)), sums("sums", 1), minima("minima", 1),
            maxima("maxima", 1);
        warps::warp_reduce(in.data(), sums.data(), minima.data(), maxima.data(), 2, nullptr);
      }))
    return;
  for (const std::size_t n : {0, 1, 2, 31, 32, 33, 63, 64, 255, 256, 257, 1000, 65537}) {
    const auto whole = exact("whole numbers this small add up exactly, in any order");
    // All negative and all positive: a minimum or maximum that starts from 0 shows.
    if (!expect_results(length(n) + ", numbers below 0", whole_numbers(n, -64, -1, n), whole)) return;
    if (!expect_results(length(n) + ", numbers above 0", whole_numbers(n, 1, 64, n), whole)) return;
    if (!expect_results(length(n), whole_numbers(n, -64, 64, n), whole)) return;
  }
}

TEST_F(Right, ReducesRealNumbers) {
  constexpr std::size_t n = 4096;
  const SumReference largest{0, 32 * 1000.0};
  expect_results(length(n) + ", numbers in [-1000, 1000)", real_numbers(n, -1000, 1000, 7), sum_tolerance(32, largest));
}

TEST_F(Right, KeepsNaNAndInfinity) {
  for (const std::size_t at : {0, 1, 16, 31, 40}) {
    for (const float special : {not_a_number, infinity, -infinity}) {
      auto values = whole_numbers(64, -8, 8, at);
      values[at] = special;
      if (!expect_results(fmt::format("n = 64, in[{}] = {}", at, special), values, exact(""))) return;
    }
  }
}

TEST_F(Safely, TouchesNothingElse) {
  for (const std::size_t n : {1, 33, 257, 1000}) {
    const auto values = whole_numbers(n, -8, 8, n);
    const DeviceArray<float> in("in", values);
    const DeviceArray<float> sums("sums", warps::warps_of(n)), minima("minima", warps::warps_of(n)),
        maxima("maxima", warps::warps_of(n));
    warps::warp_reduce(in.data(), sums.data(), minima.data(), maxima.data(), n, nullptr);
    const std::vector<double> before(values.begin(), values.end());
    expect(length(n) + ", after the run", mismatch("in", in.download(), before, exact("the input is read only")));
  }
}

namespace {

constexpr std::size_t contract_n = 4096;

observe::Report launch_of_contract() {
  const DeviceArray<float> in("in", whole_numbers(contract_n, -8, 8, 1));
  const std::size_t warps = warps::warps_of(contract_n);
  const DeviceArray<float> sums("sums", warps), minima("minima", warps), maxima("maxima", warps);
  return profile([&] { warps::warp_reduce(in.data(), sums.data(), minima.data(), maxima.data(), contract_n, nullptr); })
      .front();
}

}  // namespace

TEST_F(Contract, NeedsNoSharedMemory) {
  const auto launch = launch_of_contract();
  expect_exactly(launch, counters::shared_loads, 0, "a shuffle hands a register on without a detour");
  expect_exactly(launch, counters::block_barriers, 0, "the lanes of a warp need no barrier of the block");
  expect_exactly(launch, counters::atomics, 0, "each warp has results of its own");
}

TEST_F(Contract, TakesFiveShufflesAResult) {
  expect_exactly(launch_of_contract(), shuffles, 15.0 * contract_n / 32,
                 "five rounds bring 32 values together, and there are three results");
}

TEST_F(Contract, ReadsEveryElementOnce) {
  const auto launch = launch_of_contract();
  expect_exactly(launch, counters::load_sectors, contract_n / 8.0,
                 "8 floats share a sector of 32 bytes, and every sector is to be moved once");
}
