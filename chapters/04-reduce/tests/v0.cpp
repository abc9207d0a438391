// reduce.v0: the tree is right, and its flaw is there to be seen.
#include "sums.h"

using namespace warpwright;

TEST_F(Right, SumsEveryLength) { reduce::expect_every_length(reduce::v0); }

TEST_F(Right, SumsRealNumbers) { reduce::expect_real_numbers(reduce::v0); }

TEST_F(Right, KeepsNaNAndInfinity) { reduce::expect_nan_and_infinity(reduce::v0); }

TEST_F(Safely, TouchesNothingElse) { reduce::expect_own_memory_only(reduce::v0); }

TEST_F(Contract, AddsInATreeInSharedMemory) {
  const auto launch = reduce::first_launch(reduce::v0);
  reduce::expect_tree(launch, reduce::interleaved_additions(reduce::threads_of(launch)));
}

// The exercise is the interleaved tree: this is what v1 mends. Rounds with step = 1, 2, 4, 8 and 16 leave idle lanes
// between the adding ones in every warp of the block.
TEST_F(Contract, EveryWarpSplitsInTheEarlyRounds) {
  const auto launch = reduce::first_launch(reduce::v0);
  expect_at_least(
      launch, counters::divergent_branches,
      5 * reduce::warps_of(reduce::threads_of(launch)) * reduce::blocks_of(launch),
      "in an interleaved tree some lanes of every warp add, and some do not, in each of the first 5 rounds; a "
      "tree without that flaw is a later exercise");
}

TEST_F(Contract, NoTwoLanesWaitForOneBank) {
  expect_exactly(reduce::first_launch(reduce::v0), counters::bank_conflicts, 0,
                 "a thread adds to the word of its own number, so that no two lanes of a warp meet in a bank");
}

TEST_F(Contract, ReadsAndWritesNothingTwice) { reduce::expect_no_needless_traffic(reduce::first_launch(reduce::v0)); }

TEST_F(Contract, EveryWarpComesToEveryBarrier) {
  reduce::expect_whole_blocks_at_barriers(reduce::first_launch(reduce::v0));
}
