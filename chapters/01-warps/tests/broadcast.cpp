// warps.broadcast: the leader's value goes to all lanes, and is loaded once.
#include <limits>

#include "expect.h"
#include "groups.h"
#include "traffic.h"

using namespace warpwright;

namespace {

/// A leader for each group, among the values that it has.
std::vector<std::uint32_t> leaders_of(std::size_t n, std::uint64_t seed) {
  auto leaders = warps::numbers_below(32, warps::warps_of(n), seed);
  if (n % 32 != 0) leaders.back() %= n % 32;
  return leaders;
}

bool expect_measured(const std::string& input, const std::vector<float>& values,
                     const std::vector<std::uint32_t>& leaders) {
  std::vector<double> expected;
  for (std::size_t i = 0; i < values.size(); ++i)
    expected.push_back(double{values[i]} - values[i / 32 * 32 + leaders[i / 32]]);
  const DeviceArray<float> in("in", values), out("out", values.size());
  const DeviceArray<std::uint32_t> leader("leaders", leaders);
  warps::broadcast(in.data(), leader.data(), out.data(), values.size(), nullptr);
  const auto wrong = mismatch("out", out.download(), expected, exact("whole numbers are subtracted exactly"));
  expect(input, wrong);
  return !wrong && !made_a_mistake();
}

}  // namespace

TEST_F(Right, MeasuresEveryLength) {
  if (!takes_few_blocks([] {
        const DeviceArray<float> in("in", std::vector<float>(2)), out("out", 2);
        const DeviceArray<std::uint32_t> leader("leaders", std::vector<std::uint32_t>(1));
        warps::broadcast(in.data(), leader.data(), out.data(), 2, nullptr);
      }))
    return;
  for (const std::size_t n : warps::lengths) {
    if (!expect_measured(warps::length(n), whole_numbers(n, -1000, 1000, n), leaders_of(n, n))) return;
  }
}

TEST_F(Right, FollowsEveryLeader) {
  for (std::uint32_t leader = 0; leader < 32; ++leader) {
    const auto values = whole_numbers(64, -1000, 1000, leader);
    if (!expect_measured(fmt::format("n = 64, leaders {} and {}", leader, 31 - leader), values, {leader, 31 - leader}))
      return;
  }
  for (std::uint32_t leader = 0; leader < 5; ++leader) {
    const auto values = whole_numbers(37, -1000, 1000, leader);
    if (!expect_measured(fmt::format("n = 37, leaders 31 and {}", leader), values, {31, leader})) return;
  }
}

TEST_F(Right, SpoilsOnlyTheGroupOfANaN) {
  auto values = whole_numbers(96, -8, 8, 1);
  values[40] = std::numeric_limits<float>::quiet_NaN();
  expect_measured("n = 96, in[40] = NaN leads", values, {3, 8, 31});
}

TEST_F(Safely, TouchesNothingElse) {
  for (const std::size_t n : {1, 33, 257, 1000}) {
    const auto values = whole_numbers(n, -8, 8, n);
    const auto leaders = leaders_of(n, n);
    const DeviceArray<float> in("in", values), out("out", n);
    const DeviceArray<std::uint32_t> leader("leaders", leaders);
    warps::broadcast(in.data(), leader.data(), out.data(), n, nullptr);
    warps::expect_unchanged(warps::length(n), "in", in, values);
    warps::expect_unchanged(warps::length(n), "leaders", leader, leaders);
  }
}

namespace {

constexpr std::size_t contract_n = 12288;
constexpr double contract_warps = contract_n / 32.0;

observe::Report launch_of_contract() {
  const DeviceArray<float> in("in", whole_numbers(contract_n, -8, 8, 1)), out("out", contract_n);
  const DeviceArray<std::uint32_t> leaders("leaders", leaders_of(contract_n, 1));
  return profile([&] { warps::broadcast(in.data(), leaders.data(), out.data(), contract_n, nullptr); }).front();
}

}  // namespace

TEST_F(Contract, HandsTheValueOnByOneShuffle) {
  const auto launch = launch_of_contract();
  expect_exactly(launch, warps::shuffles_executed, contract_warps,
                 "one shuffle serves all 32 lanes of a warp: they name the lane whose register they read");
  expect_exactly(launch, counters::shared_loads, 0, "the value goes from register to register");
}

TEST_F(Contract, LoadsTheValueOfALeaderOnce) {
  const auto launch = launch_of_contract();
  expect_at_most(launch, counters::global_loads, 2 * contract_warps,
                 "a warp loads its values, and which of them leads; the leader's value is among those it has");
  expect_exactly(launch, counters::load_sectors, contract_n / 8.0 + contract_warps,
                 "8 floats share a sector, and each warp reads one leader's number");
}
