// vectors.vector_sum: one load a tile, and no more shuffles than before.
#include "observe/metrics.h"
#include "traffic.h"
#include "vectors.h"

using namespace warpwright;

namespace {

const Counter shuffles = {"shuffles of warps", {{std::string(observe::metric::shuffles), ""}}};

bool expect_sums(const std::string& input, std::span<const float> values, const Tolerance& tolerance) {
  if (!takes_few_blocks([] {
        const DeviceArray<float> in("in", std::vector<float>{1, 2}), sums("sums", 1);
        vectors::vector_sum(in.data(), sums.data(), 2, nullptr);
      }))
    return false;
  const std::size_t n = values.size();
  const DeviceArray<float> in("in", values), sums("sums", vectors::vector_sums(n));
  vectors::vector_sum(in.data(), sums.data(), n, nullptr);
  std::vector<double> expected(sums.size(), 0);
  for (std::size_t i = 0; i < n; ++i) expected[i / 128] += values[i];
  const auto wrong = mismatch("sums", sums.download(), expected, tolerance);
  expect(input, wrong);
  return !wrong && !made_a_mistake();
}

observe::Report launch_of(std::size_t n) {
  const DeviceArray<float> in("in", whole_numbers(n, -8, 8, 1)), sums("sums", vectors::vector_sums(n));
  return profile([&] { vectors::vector_sum(in.data(), sums.data(), n, nullptr); }).front();
}

}  // namespace

TEST_F(Right, SumsEveryLength) {
  const auto whole = exact("whole numbers this small add up exactly, in any order");
  for (const std::size_t n : lengths()) {
    if (!expect_sums(length(n), whole_numbers(n, -64, 64, n), whole)) return;
  }
  if (!expect_sums(length(long_length), whole_numbers(long_length, -64, 64, 1), whole)) return;
  for (std::size_t n = 120; n < 140; ++n) {
    if (!expect_sums(length(n), whole_numbers(n, -64, 64, n), whole)) return;
  }
}

TEST_F(Right, SumsRealNumbers) {
  constexpr std::size_t n = 10000;
  expect_sums(length(n) + ", numbers in [-1000, 1000)", real_numbers(n, -1000, 1000, 7),
              sum_tolerance(128, {0, 128 * 1000.0}));
}

TEST_F(Right, KeepsNaNAndInfinity) {
  const auto whole = exact("whole numbers add up exactly, and what is added to NaN or infinity changes nothing");
  for (const std::size_t at : {0, 3, 127, 128, 200}) {
    for (const float special : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
      auto values = whole_numbers(201, -8, 8, at);
      values[at] = special;
      if (!expect_sums(fmt::format("n = 201, in[{}] = {}", at, special), values, whole)) return;
    }
  }
}

TEST_F(Safely, TouchesNothingElse) {
  for (const std::size_t n : {1, 127, 129, 1001}) {
    const auto values = whole_numbers(n, -8, 8, n);
    const DeviceArray<float> in("in", values), sums("sums", vectors::vector_sums(n));
    vectors::vector_sum(in.data(), sums.data(), n, nullptr);
    expect_floats(length(n) + ", after the run", "in", in.download(), values, "the input is read only");
  }
}

TEST_F(Contract, OneLoadBringsTheValuesOfATile) {
  constexpr std::size_t n = 1 << 15;
  const auto launch = launch_of(n);
  expect_at_most(launch, counters::global_loads, n / 128.0, "32 lanes of 16 bytes load the 128 values of a tile");
  expect_exactly(launch, counters::load_sectors, n / 8.0, "8 floats share a sector, and every sector is moved once");
  expect_exactly(launch, counters::bytes_stored, 4 * n / 128.0, "one lane of each warp stores one sum");
  expect_even_shares(launch, n);
}

TEST_F(Contract, LanesAddBeforeTheyExchange) {
  constexpr std::size_t n = 1 << 15;
  const auto launch = launch_of(n);
  expect_at_most(launch, shuffles, 5 * n / 128.0, "each lane has one sum to exchange, and 32 of them take five rounds");
  expect_exactly(launch, counters::atomics, 0, "each warp has a sum of its own");
}
