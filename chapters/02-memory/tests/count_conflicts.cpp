// memory.count_conflicts: the learner's rule against examples, against the simulated GPU's rule on random patterns, and
// against what an H200 counted.
#include <fmt/core.h>

#include "claims.h"
#include "memory.h"
#include "observe/banks.h"
#include "patterns.h"
#include "words.h"

using namespace warpwright;
using memory::Operation;

namespace {

void expect_cost(Operation operation, const memory::Pattern& pattern, unsigned wavefronts, unsigned conflicts,
                 const std::string& why) {
  const memory::BankCost counted =
      memory::count_conflicts(operation, pattern.bytes, pattern.addresses.data(), pattern.active);
  if (counted.wavefronts == wavefronts && counted.conflicts == conflicts) return;
  expect(
      (operation == Operation::load ? "load of " : "store of ") + words_of(pattern),
      fmt::format("you count {}, of which {}\nexpected {} and {}, because {}", so_many(counted.wavefronts, "wavefront"),
                  counted.conflicts == 1 ? "1 is a conflict" : fmt::format("{} are conflicts", counted.conflicts),
                  wavefronts, conflicts, why));
}

void expect_cost_of_both(const memory::Pattern& pattern, unsigned wavefronts, unsigned conflicts,
                         const std::string& why) {
  for (const Operation operation : {Operation::load, Operation::store})
    expect_cost(operation, pattern, wavefronts, conflicts, why);
}

/// Lanes of 8 or 16 bytes, two of which share each address: neighbours if `apart` is 1.
memory::Pattern paired(unsigned bytes, unsigned apart) {
  memory::Pattern pattern = memory::stride(bytes, 4096, bytes);
  for (unsigned lane = 0; lane < 32; ++lane) pattern.addresses[lane] = pattern.addresses[lane & ~apart];
  return pattern;
}

}  // namespace

TEST_F(Right, NeighbouringWordsLieInDifferentBanks) {
  expect_cost_of_both(memory::stride(4, 4096, 4), 1, 0, "32 words in a row are one in each bank");
  expect_cost_of_both(memory::stride(4, 4096 + 20, 4), 1, 0, "wherever they begin");
  expect_cost_of_both(memory::stride(4, 4096 + 124, -4), 1, 0, "backwards too");
}

TEST_F(Right, DifferentWordsOfOneBankTakeTurns) {
  for (const unsigned apart : {2u, 4u, 8u, 16u, 32u, 64u}) {
    const unsigned ways = apart > 32 ? 32 : apart;
    expect_cost_of_both(memory::stride(4, 4096, 4 * apart), ways, ways - 1,
                        fmt::format("{} words apart, {} lanes meet in each bank that is used", apart, ways));
  }
  for (const unsigned apart : {3u, 5u, 31u, 33u})
    expect_cost_of_both(memory::stride(4, 4096, 4 * apart), 1, 0, "an odd distance meets every bank once");
  memory::Pattern three = memory::stride(4, 4096, 4);
  three.addresses[1] = 4096 + 128;
  three.addresses[2] = 4096 + 256;
  expect_cost_of_both(three, 3, 2, "bank 0 serves three words, and the busiest bank decides");
}

TEST_F(Right, LanesWithOneWordAreServedTogether) {
  expect_cost_of_both(memory::stride(4, 4096, 0), 1, 0, "all lanes want one word");
  memory::Pattern two = memory::stride(4, 4096, 0);
  for (unsigned lane = 0; lane < 32; lane += 2) two.addresses[lane] += 128;
  expect_cost_of_both(two, 2, 1, "there are two words, both in bank 0");
  memory::Pattern eight = memory::stride(4, 4096, 0);
  for (unsigned lane = 0; lane < 32; ++lane) eight.addresses[lane] += lane / 4 * 4;
  expect_cost_of_both(eight, 1, 0, "8 words, each for 4 lanes, lie in 8 banks");
}

TEST_F(Right, NarrowLanesShareWords) {
  expect_cost_of_both(memory::stride(1, 4096, 1), 1, 0, "4 lanes of 1 byte share a word");
  expect_cost_of_both(memory::stride(2, 4096, 2), 1, 0, "2 lanes of 2 bytes share a word");
  expect_cost_of_both(memory::stride(1, 4096, 128), 32, 31, "a byte costs its word, and all words lie in one bank");
}

TEST_F(Right, WideStoresTakeSeveralPasses) {
  expect_cost(Operation::store, memory::stride(8, 4096, 8), 2, 0, "16 lanes of 8 bytes fill 128 bytes");
  expect_cost(Operation::store, memory::stride(16, 4096, 16), 4, 0, "8 lanes of 16 bytes fill 128 bytes");
  expect_cost(Operation::store, memory::stride(8, 4096, 16), 4, 2, "in each pass two lanes meet in a bank");
  expect_cost(Operation::store, memory::stride(16, 4096, 16, 0x000000ff), 1, 0, "three of the four passes are empty");
  expect_cost(Operation::store, paired(8, 1), 2, 0, "pairs do not help a store");
}

TEST_F(Right, WideLoadsTakeSeveralPassesToo) {
  expect_cost(Operation::load, memory::stride(8, 4096, 8), 2, 0, "16 lanes of 8 bytes fill 128 bytes");
  expect_cost(Operation::load, memory::stride(16, 4096, 16), 4, 0, "8 lanes of 16 bytes fill 128 bytes");
}

TEST_F(Right, PairedLanesOfAWideLoadShareAPass) {
  for (const unsigned apart : {1u, 2u}) {
    expect_cost(Operation::load, paired(8, apart), 2, 1,
                "the lanes are paired, so that one pass serves all 32: half of the banks, with two words each");
    expect_cost(Operation::load, paired(16, apart), 4, 2, "the lanes are paired, so that a pass serves 16");
  }
  expect_cost(Operation::load, memory::stride(8, 4096, 0), 1, 0, "all lanes have their partner's address");
  expect_cost(Operation::load, memory::stride(16, 4096, 0), 2, 0, "all lanes have their partner's address");
  expect_cost(Operation::load, paired(8, 4), 2, 0, "lanes n and n ^ 4 do not make a pair");
}

TEST_F(Right, AnIdlePartnerBreaksNoPair) {
  expect_cost(Operation::load, memory::stride(8, 4096, 4, 0x55555555), 1, 0,
              "no partner is active, so that one pass serves the 16 lanes");
}

TEST_F(Right, AgreesWithTheSimulatedGPUOnRandomPatterns) {
  Random random(2);
  for (int round = 0; round < 20000 && !HasFailure(); ++round) {
    const auto pattern = memory::random_pattern(random, std::uint64_t{1} << 16);
    const bool load = random.below(2) == 0;
    const auto cost = observe::shared_cost(load ? observe::SharedOperation::load : observe::SharedOperation::store,
                                           pattern.bytes, pattern.active, pattern.addresses.data());
    expect_cost(load ? Operation::load : Operation::store, pattern, cost.wavefronts, cost.conflicts(),
                "that is what the rule gives, pass by pass");
  }
}

TEST_F(Safely, IdleLanesCountNothingAndHideNothing) {
  expect_cost_of_both(memory::stride(4, 4096, 128, 0x00000011), 2, 1, "two lanes take part, both in bank 0");
  expect_cost_of_both(memory::stride(4, 4096, 128, 0x80000000), 1, 0, "one lane takes part");
  expect_cost_of_both(memory::stride(4, 4096, 0, 0x80000000), 1, 0, "one lane takes part, whoever else is there");
}

TEST_F(Contract, CountsWhatAnH200Counted) {
  int tried = 0;
  for (const memory::Measured& row : memory::measured_patterns()) {
    if (row.kind != "shared_load" && row.kind != "shared_store") continue;
    expect_cost(row.kind == "shared_load" ? Operation::load : Operation::store, row.pattern, row.wavefronts,
                row.conflicts, "that is what an H200 counted");
    ++tried;
  }
  EXPECT_EQ(tried, 379);
}
