#include <string>

#include "kernels.h"
#include "session_fixture.h"

namespace warpwright::cudart {
namespace {

using KernelAttributes = Session;
using Occupancy = Session;

TEST_F(KernelAttributes, AreTheProgramsOwn) {
  cudaFuncAttributes attributes;
  ASSERT_EQ(cudaFuncGetAttributes(&attributes, kernels::with_static_tile_function()), cudaSuccess);
  EXPECT_EQ(attributes.sharedSizeBytes, 40960u);
  EXPECT_EQ(attributes.maxThreadsPerBlock, 1024);
  EXPECT_EQ(attributes.maxDynamicSharedSizeBytes, 8192);
  EXPECT_EQ(attributes.ptxVersion, 90);
  const char* name = nullptr;
  ASSERT_EQ(cudaFuncGetName(&name, kernels::scale_function()), cudaSuccess);
  EXPECT_NE(std::string(name).find("scale_kernel"), std::string::npos);
}

TEST_F(KernelAttributes, RejectWhatIsNotSupported) {
  const void* kernel = kernels::scale_function();
  EXPECT_EQ(cudaFuncSetCacheConfig(kernel, cudaFuncCachePreferShared), cudaSuccess);
  EXPECT_EQ(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, 50), cudaSuccess);
  EXPECT_EQ(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, 101), cudaErrorInvalidValue);
  EXPECT_EQ(the_diagnosis().message, "cudaFuncSetAttribute: a carve-out of 101 per cent.");
  EXPECT_EQ(cudaFuncSetAttribute(kernel, cudaFuncAttributeRequiredClusterWidth, 2), cudaErrorNotSupported);
  EXPECT_EQ(the_diagnosis().hint, "Clusters of blocks are not simulated.");
  EXPECT_EQ(cudaFuncSetAttribute(kernel, static_cast<cudaFuncAttribute>(1000), 2), cudaErrorNotSupported);
  EXPECT_EQ(the_diagnosis().message, "cudaFuncSetAttribute: function attribute 1000 is not supported.");
}

int blocks(const void* kernel, int block_size, std::size_t shared_bytes) {
  int blocks = -1;
  EXPECT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, block_size, shared_bytes), cudaSuccess);
  return blocks;
}

TEST_F(Occupancy, IsLimitedByThreadsBlocksAndSharedMemory) {
  const void* kernel = kernels::scale_function();
  EXPECT_EQ(blocks(kernel, 1024, 0), 2);
  EXPECT_EQ(blocks(kernel, 256, 0), 8);
  EXPECT_EQ(blocks(kernel, 33, 0), 32);  // two warps each, so the number of blocks limits
  EXPECT_EQ(blocks(kernel, 96, 0), 21);  // 64 warps hold 21 blocks of 3
  EXPECT_EQ(blocks(kernel, 1, 0), 32);
  EXPECT_EQ(blocks(kernel, 32, 48 << 10), 4);        // 228 KiB hold 4 blocks of 49 KiB
  EXPECT_EQ(blocks(kernel, 32, (56 << 10) + 1), 3);  // rounded up to 128 bytes, just over a quarter
  EXPECT_EQ(blocks(kernel, 32, 56 << 10), 4);
  EXPECT_EQ(blocks(kernel, 1025, 0), 0);
  EXPECT_EQ(blocks(kernel, 32, 228 << 10), 0);
  EXPECT_EQ(blocks(kernels::with_static_tile_function(), 32, 0), 5);  // 41 KiB each
  EXPECT_EQ(blocks(kernels::with_static_tile_function(), 32, static_cast<std::size_t>(-1)), 0);
}

TEST_F(Occupancy, SaysHowMuchSharedMemoryIsLeft) {
  std::size_t bytes = 0;
  const void* kernel = kernels::scale_function();
  ASSERT_EQ(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, kernel, 4, 256), cudaSuccess);
  EXPECT_EQ(bytes, 56u << 10);
  EXPECT_EQ(blocks(kernel, 256, bytes), 4);
  ASSERT_EQ(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, kernel, 1, 256), cudaSuccess);
  EXPECT_EQ(bytes, 227u << 10);
}

TEST_F(Occupancy, RejectsABlockOfNoThreads) {
  int none = 0;
  EXPECT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&none, kernels::scale_function(), 0, 0, 0),
            cudaErrorInvalidValue);
  expect_said("cudaOccupancyMaxActiveBlocksPerMultiprocessor: a block of 0 threads.",
              "Ask about a block of 1 to 1024 threads.");
}

}  // namespace
}  // namespace warpwright::cudart
