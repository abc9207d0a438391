// reduce.v5: the compiler has written the rounds out.
#include "techniques.h"

using namespace warpwright;

TEST_F(Right, SumsEveryLength) { reduce::expect_every_length(reduce::v5); }

TEST_F(Right, SumsRealNumbers) { reduce::expect_real_numbers(reduce::v5); }

TEST_F(Right, KeepsNaNAndInfinity) { reduce::expect_nan_and_infinity(reduce::v5); }

TEST_F(Safely, TouchesNothingElse) { reduce::expect_own_memory_only(reduce::v5); }

TEST_F(Contract, NoWarpExecutesAnInstructionTwice) {
  const auto launch = reduce::first_launch(reduce::v5);
  const double warps = launch.metrics.at(std::string(observe::metric::launched_warps));
  for (const auto& [pc, instruction] : launch.instructions) {
    const double executed = instruction.metrics.at(std::string(observe::metric::warp_instructions));
    if (executed <= warps) continue;
    fail({.file = instruction.file,
          .line = instruction.line,
          .text = "expected at most " + count_text(warps) + " executions of " + instruction.text +
                  ", one for each warp; counted " + count_text(executed) +
                  "\nbecause a compiler that knows the number of rounds writes them one after the other, without a "
                  "loop: give it a size that is constant when the kernel is compiled"});
    return;
  }
}

TEST_F(Contract, ExecutesFewerInstructionsThanV4) {
  const auto launch = reduce::first_launch(reduce::v5);
  expect_at_most(launch, counters::instructions, reduce::v4_instructions(reduce::contract_n) - 1,
                 "that is what v4 executes for as many values, less one; what only counts rounds is to be gone");
}

TEST_F(Contract, NoBlockBarrierAmongTheLast64Values) { reduce::expect_last_warp(reduce::first_launch(reduce::v5)); }

TEST_F(Contract, LoadsTwoValuesAThread) { reduce::expect_two_loads_a_thread(reduce::first_launch(reduce::v5)); }

TEST_F(Contract, NoTwoLanesWaitForOneBank) {
  expect_exactly(reduce::first_launch(reduce::v5), counters::bank_conflicts, 0,
                 "lanes that use 32 neighbouring words use 32 different banks");
}

TEST_F(Contract, WholeWarpsSitOutTheEarlyRounds) { reduce::expect_whole_warps(reduce::first_launch(reduce::v5)); }

TEST_F(Contract, EveryWarpComesToEveryBarrier) {
  reduce::expect_whole_blocks_at_barriers(reduce::first_launch(reduce::v5));
}

TEST_F(Contract, EveryLaneComesToTheBarriersOfItsWarp) {
  reduce::expect_named_lanes_at_warp_barriers(reduce::first_launch(reduce::v5));
}
