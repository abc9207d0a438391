// reduce.v6: sums in registers; shared memory and a barrier only between warps.
#include "techniques.h"

using namespace warpwright;

TEST_F(Right, SumsEveryLength) { reduce::expect_every_length(reduce::v6); }

TEST_F(Right, SumsRealNumbers) { reduce::expect_real_numbers(reduce::v6); }

TEST_F(Right, KeepsNaNAndInfinity) { reduce::expect_nan_and_infinity(reduce::v6); }

TEST_F(Safely, TouchesNothingElse) { reduce::expect_own_memory_only(reduce::v6); }

TEST_F(Contract, OneBarrierOfTheBlockIsEnough) { reduce::expect_one_barrier(reduce::first_launch(reduce::v6)); }

TEST_F(Contract, SharedMemoryHoldsOneSumFromEachWarp) {
  reduce::expect_little_shared_memory(reduce::first_launch(reduce::v6));
}

TEST_F(Contract, LanesPassSumsOnByShuffles) { reduce::expect_shuffles(reduce::first_launch(reduce::v6)); }

TEST_F(Contract, LoadsTwoValuesAThread) { reduce::expect_two_loads_a_thread(reduce::first_launch(reduce::v6)); }

TEST_F(Contract, EveryWarpComesToEveryBarrier) {
  reduce::expect_whole_blocks_at_barriers(reduce::first_launch(reduce::v6));
}
