// warps.branch_by_warp: two kinds of work, and no warp that does both.
#include "groups.h"

using namespace warpwright;

namespace {

constexpr unsigned few_rounds = 3;

std::vector<std::uint32_t> expected_of(const std::vector<std::uint32_t>& values, unsigned rounds) {
  std::vector<std::uint32_t> expected(values.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    expected[i] = i % 2 == 0 ? warps::stir(values[i], rounds) : warps::fold(values[i], rounds);
  return expected;
}

bool expect_work(const std::string& input, const std::vector<std::uint32_t>& values, unsigned rounds) {
  const DeviceArray<std::uint32_t> in("in", values), out("out", values.size());
  warps::branch_by_warp(in.data(), out.data(), values.size(), rounds, nullptr);
  return warps::expect_numbers(input, "out", out.download(), expected_of(values, rounds));
}

}  // namespace

TEST_F(Right, WorksOnEveryItemInItsOwnWay) {
  for (const std::size_t n : warps::lengths) {
    if (!expect_work(warps::length(n), warps::words(n, n), few_rounds)) return;
  }
}

TEST_F(Right, DoesAsManyRoundsAsAsked) {
  for (const unsigned rounds : {0, 1, 2, 4, 33}) {
    if (!expect_work(fmt::format("n = 257, {} rounds", rounds), warps::words(257, rounds), rounds)) return;
  }
}

TEST_F(Safely, TouchesNothingElse) {
  for (const std::size_t n : {1, 33, 65, 1000}) {
    const auto values = warps::words(n, n);
    const DeviceArray<std::uint32_t> in("in", values), out("out", n);
    warps::branch_by_warp(in.data(), out.data(), n, few_rounds, nullptr);
    warps::expect_unchanged(warps::length(n), "in", in, values);
  }
}

namespace {

constexpr std::size_t contract_n = 4096;
constexpr unsigned contract_rounds = 64;
constexpr double whole_warps = contract_n / 32.0;

observe::Report launch_of_contract() {
  const DeviceArray<std::uint32_t> in("in", warps::words(contract_n, 1)), out("out", contract_n);
  return profile([&] { warps::branch_by_warp(in.data(), out.data(), contract_n, contract_rounds, nullptr); }).front();
}

}  // namespace

TEST_F(Contract, NoWarpTakesBothSides) {
  const auto launch = launch_of_contract();
  expect_exactly(launch, counters::divergent_branches, 0,
                 "n is a multiple of 64, so there are whole warps of even and whole warps of odd items");
  expect_at_least(launch, warps::branches, whole_warps, "the kinds of work are loops, and stay branches");
}

TEST_F(Contract, EveryLaneDoesOneKindOfWork) {
  const auto launch = launch_of_contract();
  expect_at_least(launch, warps::multiplications, whole_warps * contract_rounds,
                  "an item takes one multiplication a round");
  expect_at_most(launch, warps::multiplications, whole_warps * (contract_rounds + 8),
                 "32 items of one kind share each multiplication of their warp; 8 more are allowed for indices");
}

TEST_F(Contract, ReadsEverySectorTwiceAtMost) {
  const auto launch = launch_of_contract();
  expect_at_most(launch, counters::load_sectors, 2 * contract_n / 8.0,
                 "8 items share a sector, and at most two warps, one for each kind, share the items");
  expect_exactly(launch, counters::bytes_stored, 4.0 * contract_n, "each item is stored once");
  expect_at_most(launch, warps::launched_warps, whole_warps, "a thread for each item is enough");
}
