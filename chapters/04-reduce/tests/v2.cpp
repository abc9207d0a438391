// reduce.v2: no lane waits for another, neither idle beside it nor at its bank.
#include "sums.h"

using namespace warpwright;

TEST_F(Right, SumsEveryLength) { reduce::expect_every_length(reduce::v2); }

TEST_F(Right, SumsRealNumbers) { reduce::expect_real_numbers(reduce::v2); }

TEST_F(Right, KeepsNaNAndInfinity) { reduce::expect_nan_and_infinity(reduce::v2); }

TEST_F(Safely, TouchesNothingElse) { reduce::expect_own_memory_only(reduce::v2); }

TEST_F(Contract, NoTwoLanesWaitForOneBank) {
  expect_exactly(reduce::first_launch(reduce::v2), counters::bank_conflicts, 0,
                 "lanes that use 32 neighbouring words use 32 different banks");
}

TEST_F(Contract, AddsInATreeInSharedMemory) {
  const auto launch = reduce::first_launch(reduce::v2);
  reduce::expect_tree(launch, reduce::packed_additions(reduce::threads_of(launch)));
}

TEST_F(Contract, WholeWarpsSitOutTheEarlyRounds) { reduce::expect_whole_warps(reduce::first_launch(reduce::v2)); }

TEST_F(Contract, ReadsAndWritesNothingTwice) { reduce::expect_no_needless_traffic(reduce::first_launch(reduce::v2)); }

TEST_F(Contract, EveryWarpComesToEveryBarrier) {
  reduce::expect_whole_blocks_at_barriers(reduce::first_launch(reduce::v2));
}
