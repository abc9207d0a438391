// warps.ballot_filter: what is kept, where it goes, and how often the counter is asked.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>

#include "groups.h"
#include "traffic.h"

using namespace warpwright;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

bool expect_kept(const std::string& input, const std::vector<float>& values, float least) {
  std::vector<float> expected;
  std::copy_if(values.begin(), values.end(), std::back_inserter(expected), [&](float x) { return x > least; });

  const std::vector<std::uint32_t> none = {0};
  const DeviceArray<float> in("in", values), out("out", values.size());
  const DeviceArray<std::uint32_t> kept("kept", none);
  warps::ballot_filter(in.data(), out.data(), kept.data(), least, values.size(), nullptr);
  const std::uint32_t count = kept.download()[0];
  auto wrong = warps::difference("kept", std::vector{count}, {static_cast<std::uint32_t>(expected.size())});
  const auto places = out.download();
  for (std::size_t i = 0; !wrong && i < places.size(); ++i) {
    if (i < expected.size() && is_poison(places[i]))
      wrong = fmt::format(
          "out[{}] was never written: it still holds the poison that the test put there\n"
          "expected one of the {} values that are kept",
          i, expected.size());
    if (i >= expected.size() && !is_poison(places[i]))
      wrong =
          fmt::format("out[{}] is {}\nexpected nothing there, since {} values are kept", i, places[i], expected.size());
  }
  if (!wrong) {
    std::vector<float> got(places.begin(), places.begin() + static_cast<std::ptrdiff_t>(expected.size()));
    std::sort(got.begin(), got.end());
    std::sort(expected.begin(), expected.end());
    wrong = warps::difference("the values kept, sorted: out", got, expected);
  }
  expect(input, wrong);
  return !wrong && !made_a_mistake();
}

}  // namespace

TEST_F(Right, KeepsWhatIsAboveTheLimit) {
  if (!takes_few_blocks([] {
        const DeviceArray<float> in("in", std::vector<float>(2)), out("out", 2);
        const DeviceArray<std::uint32_t> kept("kept", std::vector<std::uint32_t>(1));
        warps::ballot_filter(in.data(), out.data(), kept.data(), 0, 2, nullptr);
      }))
    return;
  for (const std::size_t n : warps::lengths) {
    if (!expect_kept(warps::length(n) + ", limit 0", real_numbers(n, -1, 1, n), 0)) return;
    // So few numbers that many of them equal the limit.
    if (!expect_kept(warps::length(n) + ", whole numbers, limit 2", whole_numbers(n, -4, 4, n), 2)) return;
  }
}

TEST_F(Right, KeepsAllOrNothing) {
  for (const std::size_t n : {1, 31, 32, 100, 300}) {
    if (!expect_kept(warps::length(n) + ", limit -10", real_numbers(n, -1, 1, n), -10)) return;
    if (!expect_kept(warps::length(n) + ", limit 10", real_numbers(n, -1, 1, n), 10)) return;
    // Lanes beyond n hold nothing, also where 0 would be kept.
    if (!expect_kept(warps::length(n) + ", all -2, limit -1", std::vector<float>(n, -2), -1)) return;
  }
}

TEST_F(Right, KeepsEachLaneAlone) {
  for (std::size_t lane = 0; lane < 32; ++lane) {
    std::vector<float> values(64, -1);
    values[lane] = 7;
    if (!expect_kept(fmt::format("n = 64, only in[{}] above the limit", lane), values, 0)) return;
  }
}

TEST_F(Right, KeepsInfinityAndNoNaN) {
  auto values = whole_numbers(100, -4, 4, 1);
  values[3] = values[50] = infinity;
  values[4] = -infinity;
  values[5] = values[99] = not_a_number;
  expect_kept("n = 100, with infinity and NaN", values, 0) && expect_kept("limit infinity", values, infinity) &&
      expect_kept("limit NaN", values, not_a_number);
}

TEST_F(Safely, TouchesNothingElse) {
  for (const std::size_t n : {1, 33, 257}) {
    const auto values = whole_numbers(n, -8, 8, n);
    const std::vector<std::uint32_t> none = {0};
    const DeviceArray<float> in("in", values), out("out", n);
    const DeviceArray<std::uint32_t> kept("kept", none);
    warps::ballot_filter(in.data(), out.data(), kept.data(), 0, n, nullptr);
    warps::expect_unchanged(warps::length(n), "in", in, values);
  }
}

namespace {

constexpr std::size_t contract_n = 12288;
constexpr double contract_warps = contract_n / 32.0;

const Counter bytes_of_atomics = {"bytes of atomics in global memory",
                                  {{std::string(observe::metric::global_atomic_bytes), ""}}};

observe::Report launch_of_contract() {
  const std::vector<std::uint32_t> none = {0};
  const DeviceArray<float> in("in", real_numbers(contract_n, -1, 1, 1)), out("out", contract_n);
  const DeviceArray<std::uint32_t> kept("kept", none);
  return profile([&] { warps::ballot_filter(in.data(), out.data(), kept.data(), 0, contract_n, nullptr); }).front();
}

}  // namespace

TEST_F(Contract, OneLaneAsksForAll) {
  const auto launch = launch_of_contract();
  expect_at_most(launch, bytes_of_atomics, 4 * contract_warps,
                 "one lane of a warp adds to the counter of 4 bytes, for all lanes that keep a value");
  expect_at_least(launch, warps::executed("vote", "votes of warps"), contract_warps,
                  "a ballot tells the lanes of a warp which of them keep a value");
}

TEST_F(Contract, ReadsAndWritesOnce) {
  const auto launch = launch_of_contract();
  expect_exactly(launch, counters::load_sectors, contract_n / 8.0, "8 floats share a sector, and each is loaded once");
  expect_at_most(launch, counters::bytes_stored, 4.0 * contract_n, "a value is stored at most once");
  expect_at_most(launch, warps::launched_warps, contract_warps, "a thread for each value is enough");
}
