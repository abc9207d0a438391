// What is not simulated, what there is one of, and what only CUDA 12 calls so.
#include <cstring>
#include <vector>

#include "kernels.h"
#include "session_fixture.h"

// Without a prototype in CUDA 13's header.
extern "C" cudaError_t cudaGetDeviceProperties_v2(void* properties, int device);

namespace warpwright::cudart {
namespace {

using Refusal = Session;

TEST_F(Refusal, NamesTheFeature) {
  cudaGraph_t graph = nullptr;
  EXPECT_EQ(cudaGraphCreate(&graph, 0), cudaErrorNotSupported);
  expect_said("cudaGraphCreate: not simulated: graphs of work and the capture of streams.",
              "Call the functions and launch the kernels directly.");
  EXPECT_EQ(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal), cudaErrorNotSupported);
  EXPECT_EQ(the_diagnosis().kind, "unsupported feature");
  cudaArray_t array = nullptr;
  const cudaChannelFormatDesc floats = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
  EXPECT_EQ(floats.x, 32);
  EXPECT_EQ(cudaMallocArray(&array, &floats, 8, 8, 0), cudaErrorNotSupported);
  expect_said("cudaMallocArray: not simulated: textures, surfaces and CUDA arrays.", "Use plain or pitched memory.");
}

TEST_F(Refusal, OfTheDriversFunctionsIsAnAnswer) {
  void* function = &function;
  cudaDriverEntryPointQueryResult result = cudaDriverEntryPointSuccess;
  EXPECT_EQ(cudaGetDriverEntryPointByVersion("cuInit", &function, 13000, 0, &result), cudaSuccess);
  EXPECT_EQ(function, nullptr);
  EXPECT_EQ(result, cudaDriverEntryPointSymbolNotFound);
  EXPECT_EQ(cudaGetDriverEntryPointByVersion("cuInit", &function, 13000, 0, nullptr), cudaErrorSymbolNotFound);
  EXPECT_EQ(the_diagnosis().message,
            "cudaGetDriverEntryPointByVersion: the driver's function cuInit is not there: the simulated GPU has the "
            "runtime API alone.");
  cudaGetLastError();
}

TEST_F(Refusal, OfASecondCard) {
  int can = 1;
  EXPECT_EQ(cudaDeviceCanAccessPeer(&can, 0, 0), cudaSuccess);
  EXPECT_EQ(can, 0);
  EXPECT_EQ(cudaDeviceEnablePeerAccess(1, 0), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaDeviceEnablePeerAccess(0, 0), cudaErrorInvalidDevice);
  EXPECT_EQ(take_diagnoses().size(), 2u);
  char id[16] = {};
  EXPECT_EQ(cudaDeviceGetPCIBusId(id, sizeof id, 0), cudaSuccess);
  int device = -1;
  EXPECT_EQ(cudaDeviceGetByPCIBusId(&device, id), cudaSuccess);
  EXPECT_EQ(device, 0);
  EXPECT_EQ(cudaDeviceGetPCIBusId(id, 4, 0), cudaErrorInvalidValue);
  take_diagnoses();
  cudaGetLastError();
}

TEST_F(Refusal, IsNoneForCuda12) {
  std::vector<unsigned char> bytes(1032 + 8, 0xab);
  ASSERT_EQ(cudaGetDeviceProperties_v2(bytes.data(), 0), cudaSuccess);
  cudaDeviceProp now;
  ASSERT_EQ(cudaGetDeviceProperties(&now, 0), cudaSuccess);
  const auto number = [&](std::size_t at) {
    int value = 0;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
  };
  EXPECT_STREQ(reinterpret_cast<const char*>(bytes.data()), now.name);
  EXPECT_EQ(number(320), 1024) << "maxThreadsPerBlock";
  EXPECT_EQ(number(324 + 8), 64) << "maxThreadsDim[2]";
  EXPECT_EQ(number(360), 9) << "major";
  EXPECT_EQ(number(388), 132) << "multiProcessorCount";
  EXPECT_EQ(number(348), 1'980'000) << "clockRate";
  EXPECT_EQ(number(696), 227 << 10) << "sharedMemPerBlockOptin";
  EXPECT_EQ(number(744), 1) << "memoryPoolsSupported";
  EXPECT_EQ(bytes[1031], 0);
  EXPECT_EQ(bytes[1032], 0xab) << "and no byte more";
}

using Cooperative = Session;

TEST_F(Cooperative, LaunchHasRoomForAllOfItsBlocksAtATime) {
  Buffer<float> device(1);
  float* data = device.get();
  float factor = 1.0f;
  int n = 1;
  void* arguments[] = {&data, &factor, &n};
  const void* kernel = kernels::scale_function();
  const float one = 1.0f;
  ASSERT_EQ(cudaMemcpy(data, &one, 4, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(cudaLaunchCooperativeKernel(kernel, 132 * 2, 1024, arguments, 0, nullptr), cudaSuccess);
  EXPECT_EQ(cudaLaunchCooperativeKernel(kernel, 132 * 2 + 1, 1024, arguments, 0, nullptr),
            cudaErrorCooperativeLaunchTooLarge);
  expect_said(
      "scale_kernel<<<(265,1,1), (1024,1,1)>>>: a cooperative launch of 265 blocks, and the NVIDIA H200 holds 264 of "
      "them at a time, 2 on each of 132 multiprocessors.",
      "Launch no more blocks than cudaOccupancyMaxActiveBlocksPerMultiprocessor times the number of multiprocessors, "
      "and let each do more in a loop.");

  cudaLaunchAttribute cooperative = {};
  cooperative.id = cudaLaunchAttributeCooperative;
  cooperative.val.cooperative = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(265);
  config.blockDim = dim3(1024);
  config.attrs = &cooperative;
  config.numAttrs = 1;
  EXPECT_EQ(cudaLaunchKernelExC(&config, kernel, arguments), cudaErrorCooperativeLaunchTooLarge);
  cooperative.val.cooperative = 0;
  EXPECT_EQ(cudaLaunchKernelExC(&config, kernel, arguments), cudaSuccess);
  take_diagnoses();
  cudaGetLastError();
}

TEST_F(Cooperative, BlocksOfAnotherLaunchMeetOnlyIfTheCardHoldsThemAll) {
  settings().step_budget = 1 << 16;
  settings().sanitizers = settings().counters = false;
  Buffer<int> counter(1);
  ASSERT_EQ(cudaMemset(counter.get(), 0, sizeof(int)), cudaSuccess);
  kernels::meet(264, counter.get());
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  ASSERT_EQ(cudaMemset(counter.get(), 0, sizeof(int)), cudaSuccess);
  kernels::meet(265, counter.get());
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorLaunchTimeout) << "the last one starts when another has ended";
}

using Registered = Session;

TEST_F(Registered, HostMemoryIsReachedByKernelsUntilItIsNot) {
  std::vector<float> host(64, 3.0f);
  ASSERT_EQ(cudaHostRegister(host.data(), host.size() * sizeof(float), cudaHostRegisterDefault), cudaSuccess);
  void* device = nullptr;
  ASSERT_EQ(cudaHostGetDevicePointer(&device, host.data(), 0), cudaSuccess);
  EXPECT_EQ(device, host.data());
  cudaPointerAttributes attributes;
  ASSERT_EQ(cudaPointerGetAttributes(&attributes, host.data() + 5), cudaSuccess);
  EXPECT_EQ(attributes.type, cudaMemoryTypeHost);
  kernels::scale(1, 64, 0, host.data(), 2.0f, 64);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(host[63], 6.0f);

  EXPECT_EQ(cudaHostRegister(host.data() + 10, 4, 0), cudaErrorHostMemoryAlreadyRegistered);
  EXPECT_EQ(cudaFreeHost(host.data()), cudaErrorInvalidValue);
  EXPECT_EQ(cudaHostUnregister(host.data() + 1), cudaErrorHostMemoryNotRegistered);
  EXPECT_EQ(take_diagnoses().size(), 3u);
  cudaGetLastError();
  ASSERT_EQ(cudaHostUnregister(host.data()), cudaSuccess);
  kernels::scale(1, 64, 0, host.data(), 2.0f, 64);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  EXPECT_EQ(host[0], 6.0f);
}

using Managed = Session;

TEST_F(Managed, MemoryTakesAdviceAndOtherMemoryDoesNot) {
  void* data = nullptr;
  ASSERT_EQ(cudaMallocManaged(&data, 1000, cudaMemAttachGlobal), cudaSuccess);
  const cudaMemLocation device = {cudaMemLocationTypeDevice, 0};
  EXPECT_EQ(cudaMemPrefetchAsync(data, 1000, device, 0, nullptr), cudaSuccess);
  EXPECT_EQ(cudaMemAdvise(data, 1000, cudaMemAdviseSetReadMostly, device), cudaSuccess);
  EXPECT_EQ(cudaMemPrefetchAsync(data, 1001, device, 0, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(the_diagnosis().message,
            "cudaMemPrefetchAsync: the range of 1001 bytes is not managed memory: it starts at an allocation of 1000 "
            "bytes (cudaMallocManaged).");
  EXPECT_EQ(cudaMemAdvise(data, 10, static_cast<cudaMemoryAdvise>(9), device), cudaErrorInvalidValue);
  Buffer<int> other(1);
  EXPECT_EQ(cudaMemAdvise(other.get(), 4, cudaMemAdviseSetReadMostly, device), cudaErrorInvalidValue);
  EXPECT_EQ(take_diagnoses().size(), 2u);
  cudaGetLastError();
  EXPECT_EQ(cudaFree(data), cudaSuccess);
}

}  // namespace
}  // namespace warpwright::cudart
