// memory.count_sectors: the learner's rule against examples, against the simulated GPU's rule on random patterns, and
// against what an H200 counted.
#include <fmt/core.h>

#include "claims.h"
#include "memory.h"
#include "observe/sectors.h"
#include "patterns.h"
#include "words.h"

using namespace warpwright;

namespace {

void expect_sectors(const memory::Pattern& pattern, unsigned expected, const std::string& why) {
  const unsigned counted = memory::count_sectors(pattern.addresses.data(), pattern.active);
  if (counted == expected) return;
  expect(words_of(pattern),
         fmt::format("you count {}\nexpected {}, because {}", so_many(counted, "sector"), expected, why));
}

}  // namespace

TEST_F(Right, NeighbouringFloatsShareSectors) {
  expect_sectors(memory::stride(4, 4096, 4), 4, "8 floats fill a sector, and there are 32");
  expect_sectors(memory::stride(1, 4096, 1), 1, "32 bytes are one sector");
  expect_sectors(memory::stride(2, 4096, 2), 2, "64 bytes are two sectors");
  expect_sectors(memory::stride(8, 4096, 8), 8, "256 bytes are 8 sectors");
  expect_sectors(memory::stride(16, 4096, 16), 16, "512 bytes are 16 sectors");
}

TEST_F(Right, AShiftedStartTouchesOneSectorMore) {
  expect_sectors(memory::stride(4, 4096 + 4, 4), 5, "the floats reach into a fifth sector");
  expect_sectors(memory::stride(4, 4096 + 28, 4), 5, "the floats reach into a fifth sector");
  expect_sectors(memory::stride(16, 4096 + 16, 16), 17, "the first and the last sector are half used");
  expect_sectors(memory::stride(4, 4096 + 32, 4), 4, "a sector begins there: 32 bytes is all the alignment it takes");
}

TEST_F(Right, AStrideCostsUpToASectorALane) {
  expect_sectors(memory::stride(4, 4096, 8), 8, "every second float is wanted");
  expect_sectors(memory::stride(4, 4096, 16), 16, "every fourth float is wanted");
  expect_sectors(memory::stride(4, 4096, 12), 12, "384 bytes are touched here and there");
  for (const int apart : {32, 64, 128, 132, 4096})
    expect_sectors(memory::stride(4, 4096, apart), 32, "no two lanes share a sector");
}

TEST_F(Right, LanesInAnyOrderShareSectors) {
  expect_sectors(memory::stride(4, 4096 + 124, -4), 4, "backwards they are the same sectors");
  memory::Pattern pattern = memory::stride(4, 4096, 4);
  for (unsigned lane = 0; lane < 32; ++lane) pattern.addresses[lane] = 4096 + 4 * (lane * 13 % 32);
  expect_sectors(pattern, 4, "in another order they are the same sectors");
  expect_sectors(memory::stride(4, 4096 + 8, 0), 1, "all lanes want the same sector");
}

TEST_F(Right, SectorsFarApartAreDifferentOnes) {
  expect_sectors(memory::stride(4, 4096, std::int64_t{1} << 32), 32, "addresses have 64 bits");
  expect_sectors(memory::stride(4, 4096, std::int64_t{1} << 40), 32, "addresses have 64 bits");
}

TEST_F(Right, AgreesWithTheSimulatedGPUOnRandomPatterns) {
  Random random(1);
  for (int round = 0; round < 20000 && !HasFailure(); ++round) {
    const auto pattern = memory::random_pattern(random, std::uint64_t{1} << 32);
    expect_sectors(pattern, observe::sectors(pattern.active, pattern.addresses.data()),
                   "so many different numbers are among the active lanes' addresses / 32");
  }
}

TEST_F(Safely, IdleLanesCountNothingAndHideNothing) {
  expect_sectors(memory::stride(4, 4096, 4, 0x000000ff), 1, "8 lanes take part");
  expect_sectors(memory::stride(4, 4096, 4, 0x80000001), 2, "two lanes take part");
  expect_sectors(memory::stride(4, 4096, 0, 0x80000000), 1, "the last lane takes part, whoever else is there");
  expect_sectors(memory::stride(4, 4096, 4, 0x55555555), 4, "every second lane takes part, in 4 sectors");
  expect_sectors(memory::stride(4, 4096, 4, 0), 0, "no lane takes part");
}

TEST_F(Contract, CountsWhatAnH200Counted) {
  int tried = 0;
  for (const memory::Measured& row : memory::measured_patterns()) {
    if (row.kind != "global_load" && row.kind != "global_store") continue;
    expect_sectors(row.pattern, row.sectors, "that is what an H200 counted");
    ++tried;
  }
  EXPECT_EQ(tried, 143);
}
