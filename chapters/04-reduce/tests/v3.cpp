// reduce.v3: half of the blocks, and two loads on their way to every thread.
#include "techniques.h"

using namespace warpwright;

TEST_F(Right, SumsEveryLength) { reduce::expect_every_length(reduce::v3); }

TEST_F(Right, SumsRealNumbers) { reduce::expect_real_numbers(reduce::v3); }

TEST_F(Right, KeepsNaNAndInfinity) { reduce::expect_nan_and_infinity(reduce::v3); }

TEST_F(Safely, TouchesNothingElse) { reduce::expect_own_memory_only(reduce::v3); }

TEST_F(Contract, HalfTheBlocksDo) { reduce::expect_half_the_blocks(reduce::first_launch(reduce::v3)); }

TEST_F(Contract, LoadsTwoValuesBeforeItAdds) { reduce::expect_values_in_flight(reduce::first_launch(reduce::v3)); }

TEST_F(Contract, ReadsAndWritesNothingTwice) { reduce::expect_no_needless_traffic(reduce::first_launch(reduce::v3)); }

TEST_F(Contract, NoTwoLanesWaitForOneBank) {
  expect_exactly(reduce::first_launch(reduce::v3), counters::bank_conflicts, 0,
                 "lanes that use 32 neighbouring words use 32 different banks");
}

TEST_F(Contract, AddsInATreeInSharedMemory) {
  const auto launch = reduce::first_launch(reduce::v3);
  reduce::expect_tree(launch, reduce::packed_additions(reduce::threads_of(launch)));
}

TEST_F(Contract, WholeWarpsSitOutTheEarlyRounds) { reduce::expect_whole_warps(reduce::first_launch(reduce::v3)); }

TEST_F(Contract, EveryWarpComesToEveryBarrier) {
  reduce::expect_whole_blocks_at_barriers(reduce::first_launch(reduce::v3));
}
