// reduce.v4: the last warp is by itself, and its lanes still wait for one another.
#include "techniques.h"

using namespace warpwright;

TEST_F(Right, SumsEveryLength) { reduce::expect_every_length(reduce::v4); }

TEST_F(Right, SumsRealNumbers) { reduce::expect_real_numbers(reduce::v4); }

TEST_F(Right, KeepsNaNAndInfinity) { reduce::expect_nan_and_infinity(reduce::v4); }

TEST_F(Safely, TouchesNothingElse) { reduce::expect_own_memory_only(reduce::v4); }

TEST_F(Contract, NoBlockBarrierAmongTheLast64Values) { reduce::expect_last_warp(reduce::first_launch(reduce::v4)); }

TEST_F(Contract, LoadsTwoValuesAThread) { reduce::expect_two_loads_a_thread(reduce::first_launch(reduce::v4)); }

TEST_F(Contract, NoTwoLanesWaitForOneBank) {
  expect_exactly(reduce::first_launch(reduce::v4), counters::bank_conflicts, 0,
                 "lanes that use 32 neighbouring words use 32 different banks");
}

TEST_F(Contract, WholeWarpsSitOutTheEarlyRounds) { reduce::expect_whole_warps(reduce::first_launch(reduce::v4)); }

TEST_F(Contract, EveryWarpComesToEveryBarrier) {
  reduce::expect_whole_blocks_at_barriers(reduce::first_launch(reduce::v4));
}

TEST_F(Contract, EveryLaneComesToTheBarriersOfItsWarp) {
  reduce::expect_named_lanes_at_warp_barriers(reduce::first_launch(reduce::v4));
}
