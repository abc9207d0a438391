// warps.partition: the branch follows the data, and the warps follow the branch.
#include "groups.h"

using namespace warpwright;

namespace {

constexpr unsigned few_rounds = 3;

std::vector<std::uint32_t> expected_of(const std::vector<std::uint32_t>& values, unsigned rounds) {
  std::vector<std::uint32_t> expected;
  for (const std::uint32_t value : values)
    expected.push_back(value % 2 == 0 ? warps::stir(value, rounds) : warps::fold(value, rounds));
  return expected;
}

bool expect_work(const std::string& input, const std::vector<std::uint32_t>& values, unsigned rounds = few_rounds) {
  const DeviceArray<std::uint32_t> in("in", values), out("out", values.size());
  warps::partition(in.data(), out.data(), values.size(), rounds, nullptr);
  return warps::expect_numbers(input, "out", out.download(), expected_of(values, rounds));
}

}  // namespace

TEST_F(Right, WorksOnEveryItemInItsOwnWay) {
  for (const std::size_t n : warps::lengths) {
    if (!expect_work(warps::length(n), warps::words(n, n))) return;
  }
}

TEST_F(Right, WorksOnOneKindAlone) {
  for (const std::size_t n : {1, 255, 256, 300}) {
    auto values = warps::words(n, n);
    for (auto& value : values) value &= ~1u;
    if (!expect_work(warps::length(n) + ", all even", values)) return;
    for (auto& value : values) value |= 1u;
    if (!expect_work(warps::length(n) + ", all odd", values)) return;
    values[n / 2] &= ~1u;
    if (!expect_work(warps::length(n) + ", all odd but one", values)) return;
  }
}

TEST_F(Right, DoesAsManyRoundsAsAsked) {
  for (const unsigned rounds : {0, 1, 5, 33}) {
    if (!expect_work(fmt::format("n = 257, {} rounds", rounds), warps::words(257, rounds), rounds)) return;
  }
}

TEST_F(Safely, TouchesNothingElse) {
  for (const std::size_t n : {1, 33, 257, 1000}) {
    const auto values = warps::words(n, n);
    const DeviceArray<std::uint32_t> in("in", values), out("out", n);
    warps::partition(in.data(), out.data(), n, few_rounds, nullptr);
    warps::expect_unchanged(warps::length(n), "in", in, values);
  }
}

namespace {

constexpr unsigned contract_rounds = 64;

std::vector<observe::Report> launches(std::size_t n) {
  const DeviceArray<std::uint32_t> in("in", warps::words(n, 1)), out("out", n);
  return profile([&] { warps::partition(in.data(), out.data(), n, contract_rounds, nullptr); });
}

}  // namespace

// Values are odd by chance, so almost every warp of 32 in a row has both kinds.
TEST_F(Contract, AtMostOneWarpOfABlockDoesBothKinds) {
  constexpr std::size_t n = 4096;
  constexpr double whole_warps = n / 32.0;
  const auto launch = launches(n).back();
  expect_at_most(launch, warps::launched_warps, whole_warps, "a thread for each item is enough");
  expect_at_least(launch, warps::multiplications, whole_warps * contract_rounds,
                  "an item takes one multiplication a round");
  expect_at_most(launch, warps::multiplications, whole_warps * (contract_rounds * 9 / 8 + 8),
                 "of 8 warps, one may hold items of both kinds and do the rounds twice; 8 more multiplications are "
                 "allowed to a warp for indices");
}

TEST_F(Contract, EveryThreadComesToEveryBarrier) {
  for (const auto& launch : launches(900)) {
    const double warps = static_cast<double>(warps::warps_of(launch.block.count()));
    expect_at_least(launch, counters::barrier_arrivals, count(launch, counters::block_barriers) * warps,
                    "__syncthreads() is for all threads of a block, also for those that have no item");
  }
}
