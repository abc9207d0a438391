// memory.transpose_tile: through a tile, coalesced on both sides.
#include "transposes.h"

using namespace warpwright;

TEST_F(Right, TransposesEveryShape) { memory::expect_every_shape(memory::transpose_tile); }

TEST_F(Right, TransposesLongAndNarrowMatrices) { memory::expect_long_shapes(memory::transpose_tile); }

TEST_F(Safely, TouchesNothingElse) { memory::expect_read_only_input(memory::transpose_tile); }

TEST_F(Contract, EverySectorIsUsedWhole) { memory::expect_whole_sectors_both_ways(memory::transpose_tile); }

TEST_F(Contract, EveryElementGoesThroughATile) { memory::expect_a_tile(memory::transpose_tile); }

TEST_F(Contract, EveryBlockHasItsShare) { memory::expect_even_shares(memory::transpose_tile); }
