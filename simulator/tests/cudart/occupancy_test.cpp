#include "cudart/occupancy.h"

#include <gtest/gtest.h>

namespace warpwright::cudart {
namespace {

int blocks(const char* card, int threads, int registers, std::size_t shared_kib) {
  return blocks_per_multiprocessor(*find_device(card), {threads, registers, shared_kib << 10});
}

TEST(Occupancies, FollowTheCard) {
  // Threads: 2048, 1536 and 1024 a multiprocessor.
  EXPECT_EQ(blocks("H200", 256, 32, 0), 8);
  EXPECT_EQ(blocks("A100", 256, 32, 0), 8);
  EXPECT_EQ(blocks("RTX 4090", 256, 32, 0), 6);
  EXPECT_EQ(blocks("L4", 1024, 32, 0), 1);
  EXPECT_EQ(blocks("T4", 256, 32, 0), 4);
  // Blocks: 32, 24 and 16.
  EXPECT_EQ(blocks("H100", 32, 32, 0), 32);
  EXPECT_EQ(blocks("L4", 32, 32, 0), 24);
  EXPECT_EQ(blocks("T4", 32, 32, 0), 16);
  // Shared memory: 228, 164, 100 and 64 KiB, of which a block takes 1 KiB more than it asks for, but not on T4.
  EXPECT_EQ(blocks("H200", 32, 32, 48), 4);
  EXPECT_EQ(blocks("A100", 32, 32, 48), 3);
  EXPECT_EQ(blocks("A100", 32, 32, 40), 4);
  EXPECT_EQ(blocks("RTX 4090", 32, 32, 49), 2);
  EXPECT_EQ(blocks("RTX 4090", 32, 32, 50), 1);
  EXPECT_EQ(blocks("T4", 32, 32, 32), 2);
  EXPECT_EQ(blocks("T4", 32, 32, 64), 1);
  // More than a block can have.
  EXPECT_EQ(blocks("H200", 32, 32, 228), 0);
  EXPECT_EQ(blocks("A100", 32, 32, 164), 0);
  EXPECT_EQ(blocks("L4", 32, 32, 100), 0);
  EXPECT_EQ(blocks("T4", 32, 32, 65), 0);
}

TEST(Occupancies, CountRegistersAsTheyAreHandedOut) {
  EXPECT_EQ(blocks("H200", 1024, 64, 0), 1);
  EXPECT_EQ(blocks("H200", 1024, 65, 0), 0) << "65 registers are 72, and 72 times 1024 are more than a block's";
  EXPECT_EQ(blocks("H200", 256, 64, 0), 4);
  EXPECT_EQ(blocks("H200", 256, 40, 0), 6) << "a quarter's 16384 registers hold 12 warps of 1280";
  EXPECT_EQ(blocks("H200", 96, 32, 0), 21) << "64 warps hold 21 blocks of 3";
  EXPECT_EQ(blocks("H200", 32, 255, 0), 8);
  EXPECT_EQ(blocks("H200", 0, 32, 0), 0);
  EXPECT_EQ(blocks("H200", 1025, 1, 0), 0);
}

TEST(Occupancies, ShareOutSharedMemory) {
  const BlockNeeds needs{256, 32, 0};
  EXPECT_EQ(shared_bytes_for(*find_device("H200"), needs, 4), 56u << 10);
  EXPECT_EQ(shared_bytes_for(*find_device("H200"), needs, 1), 227u << 10);
  EXPECT_EQ(shared_bytes_for(*find_device("T4"), needs, 3), (64u << 10) / 3 / 256 * 256);
  EXPECT_EQ(shared_bytes_for(*find_device("T4"), needs, 5), std::nullopt);
  EXPECT_EQ(shared_bytes_for(*find_device("T4"), needs, 0), std::nullopt);
}

}  // namespace
}  // namespace warpwright::cudart
