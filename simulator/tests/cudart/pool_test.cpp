#include <cstdint>

#include "session_fixture.h"

namespace warpwright::cudart {
namespace {

using Pool = Session;

TEST_F(Pool, OfTheDeviceServesAllocationsOfStreams) {
  cudaMemPool_t usual = nullptr, current = nullptr;
  ASSERT_EQ(cudaDeviceGetDefaultMemPool(&usual, 0), cudaSuccess);
  ASSERT_EQ(cudaDeviceGetMemPool(&current, 0), cudaSuccess);
  EXPECT_NE(usual, nullptr);
  EXPECT_EQ(usual, current);
  void* data = nullptr;
  ASSERT_EQ(cudaMallocFromPoolAsync(&data, 100, usual, nullptr), cudaSuccess);
  std::uint64_t used = 0;
  ASSERT_EQ(cudaMemPoolGetAttribute(usual, cudaMemPoolAttrUsedMemCurrent, &used), cudaSuccess);
  EXPECT_GE(used, 100u);
  EXPECT_EQ(cudaFreeAsync(data, nullptr), cudaSuccess);
  EXPECT_EQ(cudaMemPoolTrimTo(usual, 0), cudaSuccess);
  EXPECT_EQ(cudaMemPoolDestroy(usual), cudaErrorInvalidValue);
  expect_said("cudaMemPoolDestroy: the device's default memory pool cannot be destroyed.",
              "Destroy only pools that cudaMemPoolCreate made.");
}

TEST_F(Pool, KeepsItsAttributes) {
  cudaMemPoolProps properties = {};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location = {cudaMemLocationTypeDevice, 0};
  cudaMemPool_t pool = nullptr;
  ASSERT_EQ(cudaMemPoolCreate(&pool, &properties), cudaSuccess);
  std::uint64_t threshold = std::uint64_t{1} << 40, read = 0;
  ASSERT_EQ(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold), cudaSuccess);
  ASSERT_EQ(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &read), cudaSuccess);
  EXPECT_EQ(read, threshold);
  int reuse = -1;
  ASSERT_EQ(cudaMemPoolGetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &reuse), cudaSuccess);
  EXPECT_EQ(reuse, 1);
  int never = 0;
  ASSERT_EQ(cudaMemPoolSetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &never), cudaSuccess);
  ASSERT_EQ(cudaMemPoolGetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &reuse), cudaSuccess);
  EXPECT_EQ(reuse, 0);
  EXPECT_EQ(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &threshold), cudaErrorInvalidValue);
  EXPECT_EQ(the_diagnosis().message, "cudaMemPoolSetAttribute: that attribute of a memory pool can only be read.");
  ASSERT_EQ(cudaDeviceSetMemPool(0, pool), cudaSuccess);
  ASSERT_EQ(cudaMemPoolDestroy(pool), cudaSuccess);
  cudaMemPool_t current = nullptr, usual = nullptr;
  EXPECT_EQ(cudaDeviceGetMemPool(&current, 0), cudaSuccess);
  EXPECT_EQ(cudaDeviceGetDefaultMemPool(&usual, 0), cudaSuccess);
  EXPECT_EQ(current, usual) << "the one that was current is gone";
  EXPECT_EQ(cudaMemPoolTrimTo(pool, 0), cudaErrorInvalidValue);
  EXPECT_EQ(the_diagnosis().message, "cudaMemPoolTrimTo: the memory pool does not exist, or was destroyed.");
  cudaGetLastError();
}

}  // namespace
}  // namespace warpwright::cudart
