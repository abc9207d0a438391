#include "observe/banks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <ostream>
#include <random>
#include <set>

#include "scene.h"

namespace warpwright::observe {

void PrintTo(const SharedCost& cost, std::ostream* out) {
  *out << cost.wavefronts << " wavefronts in " << cost.passes << " passes";
}

namespace testing {
namespace {

using Addresses = std::array<std::uint64_t, warp_size>;
using enum SharedOperation;

template <class AddressOf>
SharedCost cost(SharedOperation operation, unsigned bytes, AddressOf address_of, Lanes active = all_lanes) {
  Addresses of;
  for (int lane = 0; lane < warp_size; ++lane) of[lane] = address_of(lane);
  return shared_cost(operation, bytes, active, of.data());
}

SharedCost of(unsigned wavefronts, unsigned passes) { return {wavefronts, passes}; }

TEST(BankConflicts, NeverCountsLanesInDifferentBanks) {
  EXPECT_EQ(cost(load, 4, stride(0, 4)), of(1, 1));
  EXPECT_EQ(cost(load, 4, stride(64, 4)), of(1, 1));
  EXPECT_EQ(cost(store, 4, stride(0, 4 * 33)), of(1, 1));
  EXPECT_EQ(cost(load, 4, [](int lane) { return 4u * (lane ^ 5); }), of(1, 1));
}

TEST(BankConflicts, NeverCountsABroadcast) {
  EXPECT_EQ(cost(load, 4, all_at(40)), of(1, 1));
  EXPECT_EQ(cost(store, 4, all_at(40)), of(1, 1));
  EXPECT_EQ(cost(load, 4, [](int lane) { return lane < 16 ? 0u : 4u; }), of(1, 1));
  EXPECT_EQ(cost(load, 1, stride(0, 1)), of(1, 1));
  EXPECT_EQ(cost(load, 2, stride(2, 2)), of(1, 1));
}

TEST(BankConflicts, CountsTheWordsThatLieInOneBank) {
  EXPECT_EQ(cost(load, 4, stride(0, 8)), of(2, 1));
  EXPECT_EQ(cost(load, 4, stride(0, 16)), of(4, 1));
  EXPECT_EQ(cost(store, 4, stride(0, 128)), of(32, 1));
  EXPECT_EQ(cost(load, 4, stride(1 << 14, -128)), of(32, 1));
  EXPECT_EQ(cost(load, 4, stride(0, 12)), of(1, 1));
  EXPECT_EQ(cost(load, 1, stride(0, 128)), of(32, 1));
}

TEST(BankConflicts, CountsOnlyTheBusiestBank) {
  EXPECT_EQ(cost(load, 4, [](int lane) { return lane < 3 ? 128u * lane : 4u * lane; }), of(3, 1));
}

TEST(BankConflicts, TwoLanesWithOneWordInABusyBankAreServedTogether) {
  EXPECT_EQ(cost(load, 4, [](int lane) { return lane % 2 == 0 ? 0u : 128u; }), of(2, 1));
}

TEST(BankConflicts, WideAccessesPassInHalvesAndQuarters) {
  EXPECT_EQ(cost(load, 8, stride(0, 8)), of(2, 2));
  EXPECT_EQ(cost(store, 8, stride(0, 8)), of(2, 2));
  EXPECT_EQ(cost(load, 16, stride(0, 16)), of(4, 4));
  EXPECT_EQ(cost(store, 16, stride(0, 16)), of(4, 4));
  EXPECT_EQ(cost(store, 8, stride(0, 16)), of(4, 2));
  EXPECT_EQ(cost(store, 16, stride(0, 32)), of(8, 4));
}

TEST(BankConflicts, PairedLanesOfAWideLoadShareAPass) {
  const auto pairs = [](int lane) { return 8u * (lane / 2); };
  EXPECT_EQ(cost(load, 8, pairs), of(1, 1));
  EXPECT_EQ(cost(store, 8, pairs), of(2, 2));
  EXPECT_EQ(cost(load, 16, [](int lane) { return 16u * (lane / 2); }), of(2, 2));
  EXPECT_EQ(cost(load, 8, all_at(0)), of(1, 1));
  EXPECT_EQ(cost(load, 16, all_at(0)), of(2, 2));
  // Lanes n and n^2 alike.
  EXPECT_EQ(cost(load, 8, [](int lane) { return 8u * (lane / 4 * 2 + lane % 2); }), of(1, 1));
}

TEST(BankConflicts, OneUnpairedLaneAnywhereUndoesPairing) {
  const auto pairs_but_last = [](int lane) { return lane == 31 ? 8u * 20 : 8u * (lane / 2); };
  EXPECT_EQ(cost(load, 8, pairs_but_last), of(2, 2));
}

TEST(BankConflicts, AnInactivePartnerDoesNotUndoPairing) {
  const Lanes even = 0x55555555;
  EXPECT_EQ(cost(load, 8, stride(0, 4), even), of(1, 1));
  EXPECT_EQ(cost(store, 8, stride(0, 4), even), of(2, 2));
}

TEST(BankConflicts, PassesWithoutLanesCostNothing) {
  EXPECT_EQ(cost(store, 16, stride(0, 16), lanes(8, 15)), of(1, 1));
  EXPECT_EQ(cost(load, 4, stride(0, 4), 0), of(0, 0));
}

TEST(BankConflicts, AtomicsOnOneWordTakeTurns) {
  EXPECT_EQ(cost(atomic, 4, all_at(0)), of(32, 1));
  EXPECT_EQ(cost(atomic, 4, stride(0, 4)), of(1, 1));
  EXPECT_EQ(cost(atomic, 4, stride(0, 4), lanes(0, 4)), of(1, 1));
  EXPECT_EQ(cost(atomic, 4, [](int lane) { return 4u * (lane / 4); }), of(4, 1));
}

// The rules of banks.h, word for word and slowly.
bool paired_by_the_rule(Lanes active, const Addresses& at) {
  for (const int apart : {1, 2}) {
    bool alike = true;
    for (const int lane : machine::each_lane(active))
      if (machine::has_lane(active, lane ^ apart)) alike &= at[lane] == at[lane ^ apart];
    if (alike) return true;
  }
  return false;
}

SharedCost cost_by_the_rule(SharedOperation operation, unsigned bytes, Lanes active, const Addresses& at) {
  int width = bytes <= 4 ? 32 : bytes == 8 ? 16 : 8;
  if (operation == load && bytes >= 8 && paired_by_the_rule(active, at)) width *= 2;
  SharedCost result;
  for (int first = 0; first < warp_size; first += width) {
    std::map<std::uint64_t, std::set<std::uint64_t>> words;  // by bank
    std::map<std::uint64_t, unsigned> hits;
    for (int lane = first; lane < first + width; ++lane) {
      if (!machine::has_lane(active, lane)) continue;
      for (std::uint64_t byte = at[lane] / 4 * 4; byte < at[lane] + bytes; byte += 4) {
        words[byte / 4 % 32].insert(byte / 4);
        ++hits[byte / 4 % 32];
      }
    }
    if (words.empty()) continue;
    unsigned most = 0;
    for (const auto& [bank, distinct] : words)
      most = std::max(most, operation == atomic ? hits[bank] : static_cast<unsigned>(distinct.size()));
    ++result.passes;
    result.wavefronts += most;
  }
  return result;
}

TEST(BankConflicts, EqualTheRuleForAnyAddresses) {
  std::mt19937 random(1);
  for (int round = 0; round < 40000; ++round) {
    const unsigned bytes = 1u << random() % 5;
    const auto operation = static_cast<SharedOperation>(random() % (bytes <= 4 ? 3 : 2));
    const Lanes active = round % 3 == 0 ? all_lanes : random();
    const unsigned repeat = 1u << random() % 4;
    const unsigned apart = random() % 70;
    Addresses at;
    for (unsigned lane = 0; lane < warp_size; ++lane)
      at[lane] = bytes * (lane / repeat * apart + random() % 2 * (round % 2));
    const unsigned strays = round % 4 == 0 ? random() % 33 : 0;
    for (unsigned i = 0; i < strays; ++i) at[random() % warp_size] = bytes * (random() % 512);
    ASSERT_EQ(shared_cost(operation, bytes, active, at.data()), cost_by_the_rule(operation, bytes, active, at))
        << "round " << round;
  }
}

}  // namespace
}  // namespace testing
}  // namespace warpwright::observe
