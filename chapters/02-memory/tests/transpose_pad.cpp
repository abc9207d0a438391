// memory.transpose_pad: spare words, and no conflicts.
#include "transposes.h"

using namespace warpwright;

TEST_F(Right, TransposesEveryShape) { memory::expect_every_shape(memory::transpose_pad); }

TEST_F(Right, TransposesLongAndNarrowMatrices) { memory::expect_long_shapes(memory::transpose_pad); }

TEST_F(Safely, TouchesNothingElse) { memory::expect_read_only_input(memory::transpose_pad); }

TEST_F(Contract, NoTwoLanesWaitForOneBank) {
  memory::expect_no_conflicts(memory::transpose_pad,
                              "rows that are an odd number of words apart put the words of a column into 32 banks");
}

TEST_F(Contract, EverySectorIsUsedWhole) { memory::expect_whole_sectors_both_ways(memory::transpose_pad); }

TEST_F(Contract, EveryElementGoesThroughATile) { memory::expect_a_tile(memory::transpose_pad); }

TEST_F(Contract, TheTileHasSpareWords) {
  const std::size_t bytes = memory::shared_bytes(memory::launch_of(memory::transpose_pad));
  if (bytes % 1024 == 0)
    expect(fmt::format("a block has {} bytes of shared memory", thousands(bytes)),
           "that is a tile without spare words\nexpected room behind its rows: padding is what this exercise is about");
}

TEST_F(Contract, EveryBlockHasItsShare) { memory::expect_even_shares(memory::transpose_pad); }
