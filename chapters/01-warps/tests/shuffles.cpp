// warps.shuffles: whom each lane sees, by all four shuffles.
#include <algorithm>

#include "failure.h"
#include "groups.h"

using namespace warpwright;

namespace {

/// What is wrong with the sights, in words, or nothing.
std::optional<std::string> difference(const std::vector<warps::Sight>& got, const std::vector<std::int32_t>& values) {
  for (std::size_t i = 0; i < got.size(); ++i) {
    const std::size_t group = i / 32 * 32, lane = i % 32;
    const auto value_of = [&](std::size_t other) { return group + other < values.size() ? values[group + other] : 0; };
    if (is_poison(got[i]))
      return fmt::format("sights[{}] was never written: it still holds the poison that the test put there", i);
    const auto see = [&](const char* name, std::int32_t seen, std::size_t other) -> std::optional<std::string> {
      if (seen == value_of(other)) return std::nullopt;
      std::string whose;
      for (std::size_t read = 32; read-- > 0;)
        if (value_of(read) == seen && group + read < values.size()) whose = fmt::format(", which lane {} has", read);
      return fmt::format("sights[{}].{} is {}{}\nexpected {}, which lane {} has", i, name, seen, whose, value_of(other),
                         other);
    };
    for (const auto& wrong :
         {see("mirrored", got[i].mirrored, 31 - lane), see("before", got[i].before, lane == 0 ? 0 : lane - 1),
          see("after", got[i].after, lane == 31 ? 31 : lane + 1), see("paired", got[i].paired, lane ^ 1)}) {
      if (wrong) return wrong;
    }
  }
  return std::nullopt;
}

}  // namespace

TEST_F(Right, SeesFourLanesAtEveryLength) {
  for (const std::size_t n : warps::lengths) {
    const auto values = warps::signed_numbers(1'000'000, n, n);
    const DeviceArray<std::int32_t> in("in", values);
    const DeviceArray<warps::Sight> sights("sights", n);
    warps::shuffles(in.data(), sights.data(), n, nullptr);
    const auto wrong = difference(sights.download(), values);
    expect(warps::length(n), wrong);
    if (wrong || made_a_mistake()) return;
  }
}

TEST_F(Safely, TouchesNothingElse) {
  for (const std::size_t n : {1, 33, 257, 1000}) {
    const auto values = warps::signed_numbers(1000, n, n);
    const DeviceArray<std::int32_t> in("in", values);
    const DeviceArray<warps::Sight> sights("sights", n);
    warps::shuffles(in.data(), sights.data(), n, nullptr);
    warps::expect_unchanged(warps::length(n), "in", in, values);
  }
}

namespace {

constexpr std::size_t contract_n = 12288;
constexpr double contract_warps = contract_n / 32.0;

observe::Report launch_of_contract() {
  const DeviceArray<std::int32_t> in("in", warps::signed_numbers(1000, contract_n, 1));
  const DeviceArray<warps::Sight> sights("sights", contract_n);
  return profile([&] { warps::shuffles(in.data(), sights.data(), contract_n, nullptr); }).front();
}

}  // namespace

TEST_F(Contract, LooksAtRegisters) {
  const auto launch = launch_of_contract();
  expect_exactly(launch, counters::load_sectors, contract_n / 8.0, "8 numbers share a sector, and each is loaded once");
  expect_exactly(launch, counters::global_loads, contract_warps, "all that a lane sees, another lane has loaded");
  expect_exactly(launch, counters::shared_loads, 0, "a shuffle hands a register on without a detour");
  expect_exactly(launch, warps::shuffles_executed, 4 * contract_warps, "one shuffle for each of the four");
}

TEST_F(Contract, UsesEachOfTheFour) {
  const auto launch = launch_of_contract();
  for (const auto& [mode, function] :
       {std::pair{"shfl.sync.idx", "__shfl_sync"}, std::pair{"shfl.sync.up", "__shfl_up_sync"},
        std::pair{"shfl.sync.down", "__shfl_down_sync"}, std::pair{"shfl.sync.bfly", "__shfl_xor_sync"}}) {
    const bool is_there = std::any_of(launch.instructions.begin(), launch.instructions.end(), [&](const auto& entry) {
      return entry.second.text.find(mode) != std::string::npos;
    });
    if (!is_there)
      fail({.text = fmt::format(
                "{} was never executed\nbecause each of the four sights has a shuffle that says it best", function)});
  }
}
