// warps.match_groups: every key counted, by one lane for all that have it.
#include <set>

#include "groups.h"

using namespace warpwright;

namespace {

using Keys = std::vector<std::uint32_t>;

bool expect_counts(const std::string& input, const Keys& values, std::size_t kinds) {
  std::vector<std::uint32_t> expected(kinds, 0);
  for (const std::uint32_t key : values) ++expected[key];
  const DeviceArray<std::uint32_t> keys("keys", values), counts("counts", Keys(kinds, 0));
  warps::match_groups(keys.data(), counts.data(), values.size(), nullptr);
  return warps::expect_numbers(input, "counts", counts.download(), expected);
}

std::string input_text(std::size_t n, std::size_t kinds) {
  return fmt::format("n = {}, {}", thousands(n), so_many(kinds, "different key"));
}

}  // namespace

TEST_F(Right, CountsEveryLength) {
  for (const std::size_t n : warps::lengths) {
    for (const std::uint32_t kinds : {5, 1, 50}) {
      if (!expect_counts(input_text(n, kinds), warps::numbers_below(kinds, n, n), kinds)) return;
    }
  }
}

TEST_F(Right, CountsKeysThatAllDiffer) {
  for (const std::size_t n : {1, 20, 32, 64, 300}) {
    Keys keys(n);
    for (std::size_t i = 0; i < n; ++i) keys[i] = static_cast<std::uint32_t>(i * 7 % n);
    if (!expect_counts(input_text(n, n), keys, n)) return;
  }
}

TEST_F(Right, CountsAGroupOfTwoLanesAnywhere) {
  for (std::size_t lane = 0; lane < 31; ++lane) {
    Keys keys(32, 0);
    keys[lane] = keys[31] = 2;
    if (!expect_counts(fmt::format("n = 32, in lanes {} and 31 key 2, in the others 0", lane), keys, 3)) return;
  }
}

TEST_F(Safely, TouchesNothingElse) {
  for (const std::size_t n : {1, 33, 257}) {
    const Keys values = warps::numbers_below(4, n, n);
    const DeviceArray<std::uint32_t> keys("keys", values), counts("counts", Keys(4, 0));
    warps::match_groups(keys.data(), counts.data(), n, nullptr);
    warps::expect_unchanged(warps::length(n), "keys", keys, values);
  }
}

namespace {

constexpr std::size_t contract_n = 12288;

observe::Report launch_of_contract(const Keys& values) {
  const DeviceArray<std::uint32_t> keys("keys", values), counts("counts", Keys(10, 0));
  return profile([&] { warps::match_groups(keys.data(), counts.data(), values.size(), nullptr); }).front();
}

}  // namespace

TEST_F(Contract, OneLaneAddsForEachKeyOfAWarp) {
  constexpr std::size_t n = contract_n;
  const Keys values = warps::numbers_below(10, n, 1);
  double groups = 0;
  for (std::size_t first = 0; first < n; first += 32)
    groups += static_cast<double>(std::set<std::uint32_t>(values.begin() + static_cast<std::ptrdiff_t>(first),
                                                          values.begin() + static_cast<std::ptrdiff_t>(first) + 32)
                                      .size());

  const auto launch = launch_of_contract(values);
  const Counter bytes_of_atomics = {"bytes of atomics in global memory",
                                    {{std::string(observe::metric::global_atomic_bytes), ""}}};
  expect_exactly(launch, bytes_of_atomics, 4 * groups,
                 "each different key among 32 is added to its counter of 4 bytes once");
  expect_at_most(launch, warps::launched_warps, n / 32.0, "a thread for each key is enough");
  expect_exactly(launch, counters::shared_loads, 0, "the lanes of a warp find each other in registers");
}

TEST_F(Contract, AKeyIsLoadedOnce) {
  const auto launch = launch_of_contract(warps::numbers_below(10, contract_n, 1));
  expect_exactly(launch, counters::load_sectors, contract_n / 8.0,
                 "8 keys share a sector, and each is loaded once: a variable keeps it");
}
