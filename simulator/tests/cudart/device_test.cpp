#include <cstring>

#include "session_fixture.h"

namespace warpwright::cudart {
namespace {

using Card = Session;

int attribute(cudaDeviceAttr which) {
  int value = -1;
  EXPECT_EQ(cudaDeviceGetAttribute(&value, which, 0), cudaSuccess);
  return value;
}

TEST_F(Card, IsOneH200) {
  int count = 0, device = -1;
  EXPECT_EQ(cudaGetDeviceCount(&count), cudaSuccess);
  EXPECT_EQ(count, 1);
  EXPECT_EQ(cudaGetDevice(&device), cudaSuccess);
  EXPECT_EQ(device, 0);
  EXPECT_EQ(cudaSetDevice(0), cudaSuccess);
  EXPECT_EQ(cudaSetDevice(1), cudaErrorInvalidDevice);
  expect_said("cudaSetDevice: there is no device 1: the simulator has one, number 0.",
              "Ask cudaGetDeviceCount for the number of devices.");

  cudaDeviceProp properties;
  ASSERT_EQ(cudaGetDeviceProperties(&properties, 0), cudaSuccess);
  EXPECT_STREQ(properties.name, "NVIDIA H200 (simulated)");
  EXPECT_EQ(properties.major, 9);
  EXPECT_EQ(properties.multiProcessorCount, 132);
  EXPECT_EQ(properties.l2CacheSize, 60 << 20);
  EXPECT_EQ(properties.sharedMemPerMultiprocessor, 228u << 10);
  EXPECT_EQ(properties.maxGridSize[0], 2147483647);
  EXPECT_EQ(properties.maxGridSize[1], 65535);
  EXPECT_EQ(properties.maxThreadsDim[2], 64);
}

TEST_F(Card, SaysTheSameInAttributesAndProperties) {
  cudaDeviceProp properties;
  ASSERT_EQ(cudaGetDeviceProperties(&properties, 0), cudaSuccess);
  EXPECT_EQ(attribute(cudaDevAttrMultiProcessorCount), properties.multiProcessorCount);
  EXPECT_EQ(attribute(cudaDevAttrMaxThreadsPerBlock), properties.maxThreadsPerBlock);
  EXPECT_EQ(attribute(cudaDevAttrMaxThreadsPerMultiProcessor), properties.maxThreadsPerMultiProcessor);
  EXPECT_EQ(attribute(cudaDevAttrMaxSharedMemoryPerBlock), static_cast<int>(properties.sharedMemPerBlock));
  EXPECT_EQ(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin), static_cast<int>(properties.sharedMemPerBlockOptin));
  EXPECT_EQ(attribute(cudaDevAttrMaxRegistersPerBlock), properties.regsPerBlock);
  EXPECT_EQ(attribute(cudaDevAttrWarpSize), properties.warpSize);
  EXPECT_EQ(attribute(cudaDevAttrComputeCapabilityMajor), properties.major);
  EXPECT_EQ(attribute(cudaDevAttrGlobalMemoryBusWidth), 6016);
  EXPECT_EQ(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin), 227 << 10);
}

TEST_F(Card, LacksWhatTheSimulatorLacks) {
  EXPECT_EQ(attribute(cudaDevAttrClusterLaunch), 0);
  EXPECT_EQ(attribute(cudaDevAttrSparseCudaArraySupported), 0);
}

TEST_F(Card, RejectsWhatIsNoAttribute) {
  int value = 0;
  EXPECT_EQ(cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(200), 0), cudaErrorInvalidValue);
  expect_said("cudaDeviceGetAttribute: 200 is no attribute.", "Pass a value of cudaDeviceAttr.");
}

/// As C allows. The preset `asan` sees whether such a number is read as what it is not.
TEST_F(Card, RejectsNumbersThatNoEnumeratorCanHave) {
  const int far = 1000;
  int value = 0;
  EXPECT_EQ(cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(far), 0), cudaErrorInvalidValue);
  EXPECT_EQ(the_diagnosis().message, "cudaDeviceGetAttribute: 1000 is no attribute.");
  std::size_t limit = 0;
  EXPECT_EQ(cudaDeviceSetLimit(static_cast<cudaLimit>(far), limit), cudaErrorUnsupportedLimit);
  EXPECT_EQ(the_diagnosis().message, "cudaDeviceSetLimit: limit 1000 is not supported.");
  EXPECT_EQ(cudaDeviceGetLimit(&limit, static_cast<cudaLimit>(far)), cudaErrorUnsupportedLimit);
  EXPECT_EQ(the_diagnosis().message, "cudaDeviceGetLimit: limit 1000 is not supported.");
  cudaMemPool_t pool = nullptr;
  ASSERT_EQ(cudaDeviceGetDefaultMemPool(&pool, 0), cudaSuccess);
  EXPECT_EQ(cudaMemPoolSetAttribute(pool, static_cast<cudaMemPoolAttr>(far), &limit), cudaErrorInvalidValue);
  EXPECT_EQ(the_diagnosis().message, "cudaMemPoolSetAttribute: 1000 is no attribute of a memory pool.");
  EXPECT_EQ(cudaMemPoolGetAttribute(pool, static_cast<cudaMemPoolAttr>(far), &limit), cudaErrorInvalidValue);
  EXPECT_EQ(the_diagnosis().message, "cudaMemPoolGetAttribute: 1000 is no attribute of a memory pool.");
}

TEST_F(Card, RemembersItsLimitsUntilItIsReset) {
  std::size_t value = 0;
  EXPECT_EQ(cudaDeviceGetLimit(&value, cudaLimitStackSize), cudaSuccess);
  EXPECT_EQ(value, 1024u);
  EXPECT_EQ(cudaDeviceSetLimit(cudaLimitStackSize, 4096), cudaSuccess);
  EXPECT_EQ(cudaDeviceGetLimit(&value, cudaLimitStackSize), cudaSuccess);
  EXPECT_EQ(value, 4096u);
  EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
  EXPECT_EQ(cudaDeviceGetLimit(&value, cudaLimitStackSize), cudaSuccess);
  EXPECT_EQ(value, 1024u);
  EXPECT_EQ(cudaDeviceGetLimit(&value, cudaLimitDevRuntimeSyncDepth), cudaErrorUnsupportedLimit);
  take_diagnoses();
}

TEST_F(Card, FreesEverythingWhenItIsReset) {
  void* data = nullptr;
  ASSERT_EQ(cudaMalloc(&data, 1000), cudaSuccess);
  ASSERT_EQ(cudaDeviceReset(), cudaSuccess);
  std::size_t free_bytes = 0, total = 0;
  ASSERT_EQ(cudaMemGetInfo(&free_bytes, &total), cudaSuccess);
  EXPECT_EQ(free_bytes, total);
  EXPECT_EQ(cudaFree(data), cudaErrorInvalidValue);
  take_diagnoses();
}

TEST_F(Card, HasTheToolkitsVersion) {
  int driver = 0, runtime = 0;
  EXPECT_EQ(cudaDriverGetVersion(&driver), cudaSuccess);
  EXPECT_EQ(cudaRuntimeGetVersion(&runtime), cudaSuccess);
  EXPECT_EQ(driver, CUDART_VERSION);
  EXPECT_EQ(runtime, CUDART_VERSION);
}

}  // namespace
}  // namespace warpwright::cudart
