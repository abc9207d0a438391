// reduce.v1: the idle lanes are gone, and the bank conflicts are there to be seen.
#include "sums.h"

using namespace warpwright;

TEST_F(Right, SumsEveryLength) { reduce::expect_every_length(reduce::v1); }

TEST_F(Right, SumsRealNumbers) { reduce::expect_real_numbers(reduce::v1); }

TEST_F(Right, KeepsNaNAndInfinity) { reduce::expect_nan_and_infinity(reduce::v1); }

TEST_F(Safely, TouchesNothingElse) { reduce::expect_own_memory_only(reduce::v1); }

TEST_F(Contract, WholeWarpsSitOutTheEarlyRounds) { reduce::expect_whole_warps(reduce::first_launch(reduce::v1)); }

// The pairs are still v0's: this is what v2 mends. Neighbouring lanes are 2, 4, 8, ... words apart, which for 256
// threads makes the additions of the eight rounds 2-, 4-, 8-, 8-, 8-, 4-, 2- and 1-way conflicts.
TEST_F(Contract, AddsPairsThatLieFarApart) {
  const auto launch = reduce::first_launch(reduce::v1);
  const double conflicts = reduce::blocks_of(launch) * reduce::strided_conflicts(reduce::threads_of(launch));
  expect_exactly(
      launch, counters::store_conflicts, conflicts,
      "lanes that add at index 2 * step * t meet in the same banks; a tree without that flaw is a later exercise");
  expect_at_least(launch, counters::load_conflicts, conflicts, "an addition loads at least one word of its pair");
}

TEST_F(Contract, AddsInATreeInSharedMemory) {
  const auto launch = reduce::first_launch(reduce::v1);
  const unsigned threads = reduce::threads_of(launch);
  reduce::expect_tree(launch, reduce::packed_additions(threads), reduce::strided_conflicts(threads));
}

TEST_F(Contract, ReadsAndWritesNothingTwice) { reduce::expect_no_needless_traffic(reduce::first_launch(reduce::v1)); }

TEST_F(Contract, EveryWarpComesToEveryBarrier) {
  reduce::expect_whole_blocks_at_barriers(reduce::first_launch(reduce::v1));
}
