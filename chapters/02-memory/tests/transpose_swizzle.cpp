// memory.transpose_swizzle: no spare words, and no conflicts.
#include "transposes.h"

using namespace warpwright;

TEST_F(Right, TransposesEveryShape) { memory::expect_every_shape(memory::transpose_swizzle); }

TEST_F(Right, TransposesLongAndNarrowMatrices) { memory::expect_long_shapes(memory::transpose_swizzle); }

TEST_F(Safely, TouchesNothingElse) { memory::expect_read_only_input(memory::transpose_swizzle); }

TEST_F(Contract, NoTwoLanesWaitForOneBank) {
  memory::expect_no_conflicts(memory::transpose_swizzle,
                              "rows that keep their elements in different orders put a column into 32 banks");
}

TEST_F(Contract, EverySectorIsUsedWhole) { memory::expect_whole_sectors_both_ways(memory::transpose_swizzle); }

TEST_F(Contract, EveryElementGoesThroughATile) { memory::expect_a_tile(memory::transpose_swizzle); }

TEST_F(Contract, TheTileHasNoSpareWords) {
  const std::size_t bytes = memory::shared_bytes(memory::launch_of(memory::transpose_swizzle));
  if (bytes % 1024 != 0)
    expect(fmt::format("a block has {} bytes of shared memory", thousands(bytes)),
           "that is more than the elements of its tile\nexpected a tile without padding, such as 32 x 32 floats");
}

TEST_F(Contract, EveryBlockHasItsShare) { memory::expect_even_shares(memory::transpose_swizzle); }
