#include "cudart/launch.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "kernels.h"
#include "session_fixture.h"

namespace warpwright::cudart {
namespace {

using Launch = Session;

TEST_F(Launch, RunsTheKernelAndLeavesOneReport) {
  std::vector<float> data(1000);
  std::iota(data.begin(), data.end(), 0.0f);
  Buffer<float> device(1000);
  ASSERT_EQ(cudaMemcpy(device.get(), data.data(), 4000, cudaMemcpyHostToDevice), cudaSuccess);
  kernels::scale(4, 256, 128, device.get(), 3.0f, 1000);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  std::vector<float> out(1000);
  ASSERT_EQ(cudaMemcpy(out.data(), device.get(), 4000, cudaMemcpyDeviceToHost), cudaSuccess);
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(out[i], 3.0f * static_cast<float>(i));

  const std::vector<observe::Report> launches = take_launches();
  ASSERT_EQ(launches.size(), 1u);
  EXPECT_EQ(launches[0].kernel, "scale_kernel");
  EXPECT_EQ(launches[0].grid, (machine::Dim3{4, 1, 1}));
  EXPECT_EQ(launches[0].block, (machine::Dim3{256, 1, 1}));
  EXPECT_EQ(launches[0].dynamic_shared_bytes, 128u);
  EXPECT_TRUE(launches[0].diagnoses.empty());
  EXPECT_TRUE(take_launches().empty());
}

TEST_F(Launch, PutsEveryArgumentWhereTheKernelReadsIt) {
  Buffer<double> device(6);
  kernels::store_arguments('a', {'b', 2.5, {1, 2, 3}}, -4, 1e300, device.get());
  ASSERT_EQ(cudaGetLastError(), cudaSuccess);
  double out[6];
  ASSERT_EQ(cudaMemcpy(out, device.get(), sizeof out, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(out[0], 'a');
  EXPECT_EQ(out[1], 'b');
  EXPECT_EQ(out[2], 2.5);
  EXPECT_EQ(out[3], 3);
  EXPECT_EQ(out[4], -4);
  EXPECT_EQ(out[5], 1e300);
}

TEST_F(Launch, WorksInAnyStreamThatExists) {
  Buffer<float> device(1);
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaMemset(device.get(), 0, 4), cudaSuccess);
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  kernels::scale(1, 1, 0, device.get(), 1.0f, 1, stream);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  ASSERT_EQ(cudaStreamDestroy(stream), cudaSuccess);
  kernels::scale(1, 1, 0, device.get(), 1.0f, 1, stream);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(the_diagnosis().message,
            "scale_kernel<<<(1,1,1), (1,1,1)>>>: the stream does not exist, or was destroyed.");
}

struct Refusal {
  dim3 grid, block;
  std::size_t shared_bytes;
  cudaError_t code;
  const char* message;
  const char* hint;
};

class LaunchLimits : public Session, public testing::WithParamInterface<Refusal> {};

TEST_P(LaunchLimits, AreNamedWithWhatMendsThem) {
  const Refusal& refusal = GetParam();
  kernels::scale(refusal.grid, refusal.block, refusal.shared_bytes, nullptr, 1.0f, 0);
  EXPECT_EQ(cudaPeekAtLastError(), refusal.code);
  const observe::Diagnosis diagnosis = the_diagnosis();
  EXPECT_EQ(diagnosis.kind, "launch configuration");
  EXPECT_EQ(diagnosis.kernel, "scale_kernel");
  EXPECT_EQ(diagnosis.message, refusal.message);
  EXPECT_EQ(diagnosis.hint, refusal.hint);
  EXPECT_TRUE(take_launches().empty());  // nothing ran
  EXPECT_EQ(cudaGetLastError(), refusal.code);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);  // and nothing broke
}

constexpr const char* fewer_threads = "Use smaller blocks, and more of them.";

INSTANTIATE_TEST_SUITE_P(
    Grid, LaunchLimits,
    testing::Values(
        Refusal{0, 256, 0, cudaErrorInvalidValue,
                "scale_kernel<<<(0,1,1), (256,1,1)>>>: a grid needs at least one block, and gridDim.x is 0.",
                "Return early when there is nothing to do."},
        Refusal{dim3(1, 1, 0), 256, 0, cudaErrorInvalidValue,
                "scale_kernel<<<(1,1,0), (256,1,1)>>>: a grid needs at least one block, and gridDim.z is 0.",
                "Return early when there is nothing to do."},
        Refusal{dim3(1, 65536), 256, 0, cudaErrorInvalidValue,
                "scale_kernel<<<(1,65536,1), (256,1,1)>>>: gridDim.y is 65536, and the NVIDIA H200 allows 65535.",
                "Put the larger extent in x, or let each block do more in a loop."},
        Refusal{dim3(1, 1, 65536), 256, 0, cudaErrorInvalidValue,
                "scale_kernel<<<(1,1,65536), (256,1,1)>>>: gridDim.z is 65536, and the NVIDIA H200 allows 65535.",
                "Put the larger extent in x, or let each block do more in a loop."},
        Refusal{
            static_cast<unsigned>(-1), 256, 0, cudaErrorInvalidValue,
            "scale_kernel<<<(4294967295,1,1), (256,1,1)>>>: gridDim.x is 4294967295, which is -1 as an int, and the "
            "NVIDIA H200 allows 2147483647.",
            "A negative number was converted: check how the size is computed."}));

INSTANTIATE_TEST_SUITE_P(
    Block, LaunchLimits,
    testing::Values(
        Refusal{1, 0, 0, cudaErrorInvalidValue,
                "scale_kernel<<<(1,1,1), (0,1,1)>>>: a block needs at least one thread, and blockDim.x is 0.",
                "Unused dimensions of a block are 1."},
        Refusal{1, 1025, 0, cudaErrorInvalidValue,
                "scale_kernel<<<(1,1,1), (1025,1,1)>>>: blockDim.x is 1025, and the NVIDIA H200 allows 1024.",
                fewer_threads},
        Refusal{1, dim3(1, 1, 65), 0, cudaErrorInvalidValue,
                "scale_kernel<<<(1,1,1), (1,1,65)>>>: blockDim.z is 65, and the NVIDIA H200 allows 64.", fewer_threads},
        Refusal{1, dim3(64, 32), 0, cudaErrorInvalidValue,
                "scale_kernel<<<(1,1,1), (64,32,1)>>>: a block of 64 x 32 = 2048 threads, and the NVIDIA H200 allows "
                "1024.",
                fewer_threads},
        Refusal{1, dim3(32, 32, 2), 0, cudaErrorInvalidValue,
                "scale_kernel<<<(1,1,1), (32,32,2)>>>: a block of 32 x 32 x 2 = 2048 threads, and the NVIDIA H200 "
                "allows 1024.",
                fewer_threads}));

INSTANTIATE_TEST_SUITE_P(
    SharedMemory, LaunchLimits,
    testing::Values(
        Refusal{
            1, 256, 49153, cudaErrorInvalidValue,
            "scale_kernel<<<(1,1,1), (256,1,1), 49153>>>: 49153 bytes of shared memory a block, and without a "
            "special request a block gets 49152.",
            "Request it before the launch: cudaFuncSetAttribute(scale_kernel, "
            "cudaFuncAttributeMaxDynamicSharedMemorySize, 49153). The NVIDIA H200 allows up to 232448 bytes in all."},
        Refusal{
            1, 256, 232449, cudaErrorInvalidValue,
            "scale_kernel<<<(1,1,1), (256,1,1), 232449>>>: 232449 bytes of shared memory a block, and the NVIDIA H200 "
            "has no more than 232448.",
            "Use a smaller tile."}));

TEST_F(Launch, AcceptsEveryLimitItself) {
  kernels::scale(1, 1024, 49152, nullptr, 1.0f, 0);
  kernels::scale(1, dim3(1, 1024), 0, nullptr, 1.0f, 0);
  kernels::scale(1, dim3(16, 1, 64), 0, nullptr, 1.0f, 0);
  kernels::scale(dim3(1, 65535), 1, 0, nullptr, 1.0f, 0);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  EXPECT_EQ(take_launches().size(), 4u);
}

TEST_F(Launch, HoldsAKernelToItsLaunchBounds) {
  kernels::bounded(64);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  kernels::bounded(65);
  EXPECT_EQ(cudaPeekAtLastError(), cudaErrorInvalidValue);
  expect_said(
      "bounded_kernel<<<(1,1,1), (65,1,1)>>>: a block of 65 threads, and the kernel's __launch_bounds__ promise "
      "at most 64.",
      "Launch smaller blocks, or raise the bound.");
}

TEST_F(Launch, CountsStaticSharedMemoryToo) {
  Buffer<float> out(32);
  kernels::with_static_tile(8192, out.get());
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  kernels::with_static_tile(8193, out.get());
  expect_said(
      "static_tile_kernel<<<(1,1,1), (32,1,1), 8193>>>: 49153 bytes of shared memory (40960 static, 8193 dynamic) "
      "a block, and without a special request a block gets 49152.",
      "Request it before the launch: cudaFuncSetAttribute(static_tile_kernel, "
      "cudaFuncAttributeMaxDynamicSharedMemorySize, 8193). The NVIDIA H200 allows up to 232448 bytes in all.");
}

TEST_F(Launch, RejectsAKernelThatDeclaresTooMuchSharedMemory) {
  kernels::with_too_large_tile();
  EXPECT_EQ(cudaPeekAtLastError(), cudaErrorInvalidPtx);
  expect_said(
      "too_large_tile_kernel<<<(1,1,1), (1,1,1)>>>: the kernel declares 50000 bytes of shared memory, and 49152 "
      "can be declared with a size.",
      "Declare the array `extern __shared__` and give its size at the launch.");
}

TEST_F(Launch, GetsMoreSharedMemoryOnRequest) {
  Buffer<float> out(32);
  const void* kernel = kernels::with_static_tile_function();
  ASSERT_EQ(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 232448 - 40960), cudaSuccess);
  kernels::with_static_tile(232448 - 40960, out.get());
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  float first = 0;
  ASSERT_EQ(cudaMemcpy(&first, out.get(), 4, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(first, 32.0f);

  EXPECT_EQ(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 232449 - 40960),
            cudaErrorInvalidValue);
  expect_said(
      "cudaFuncSetAttribute: 191489 bytes of dynamic shared memory for static_tile_kernel, and the NVIDIA H200 "
      "allows 191488 beside its static arrays.",
      "Use a smaller tile.");
  ASSERT_EQ(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 8192), cudaSuccess);
}

TEST_F(Launch, ThroughAStructureIsTheSame) {
  Buffer<float> device(1);
  const float two = 2.0f;
  ASSERT_EQ(cudaMemcpy(device.get(), &two, 4, cudaMemcpyHostToDevice), cudaSuccess);
  float* data = device.get();
  float factor = 4.0f;
  int n = 1;
  void* arguments[] = {&data, &factor, &n};
  cudaLaunchConfig_t config = {};
  config.gridDim = config.blockDim = dim3(1);
  EXPECT_EQ(cudaLaunchKernelExC(&config, kernels::scale_function(), arguments), cudaSuccess);
  cudaKernel_t handle = nullptr;
  ASSERT_EQ(cudaGetKernel(&handle, kernels::scale_function()), cudaSuccess);
  EXPECT_EQ(cudaLaunchKernel(handle, 1, 1, arguments, 0, nullptr), cudaSuccess);
  float out = 0;
  ASSERT_EQ(cudaMemcpy(&out, device.get(), 4, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(out, 32.0f);

  cudaLaunchAttribute cluster = {};
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim = {2, 1, 1};
  config.attrs = &cluster;
  config.numAttrs = 1;
  EXPECT_EQ(cudaLaunchKernelExC(&config, kernels::scale_function(), arguments), cudaErrorNotSupported);
  expect_said("cudaLaunchKernelExC: clusters of blocks are not supported.", "Launch without a cluster dimension.");
}

TEST_F(Launch, NeedsTheAddressOfEveryArgument) {
  EXPECT_EQ(cudaLaunchKernel(kernels::scale_function(), 1, 1, nullptr, 0, nullptr), cudaErrorInvalidValue);
  expect_said(
      "scale_kernel<<<(1,1,1), (1,1,1)>>>: the kernel has 3 parameters, and the address of argument 1 is missing.",
      "Pass an array with the address of every argument.");
}

TEST_F(Launch, NeedsAKernel) {
  int local = 0;
  EXPECT_EQ(cudaLaunchKernel(&local, 1, 1, nullptr, 0, nullptr), cudaErrorInvalidResourceHandle);
  expect_said("cudaLaunchKernel: the function is no kernel of this program: it is an unknown address.",
              "Pass the __global__ function itself, compiled by nvcc into this program.");
}

TEST_F(Launch, IsSharedByTheHostThreadsThatAreAskedFor) {
  machine::Program program;
  machine::Launch launch;
  launch.program = &program;
  launch.grid = {1000, 1, 1};
  EXPECT_EQ(host_threads_for(launch), std::max(1u, std::thread::hardware_concurrency()));
  settings().host_threads = 3;
  EXPECT_EQ(host_threads_for(launch), 3u);
  setenv("WARPWRIGHT_HOST_THREADS", "5", 1);
  EXPECT_EQ(host_threads_for(launch), 5u);
  setenv("WARPWRIGHT_HOST_THREADS", "many", 1);
  EXPECT_EQ(host_threads_for(launch), 3u);
  unsetenv("WARPWRIGHT_HOST_THREADS");
  settings().host_threads = 0;
  launch.grid = {2, 1, 1};  // too few blocks to share
  EXPECT_EQ(host_threads_for(launch), 1u);
}

TEST_F(Launch, RunsOnOneHostThreadWhenTheOrderOfBlocksMayShow) {
  machine::Program program;
  program.order_dependent = true;
  machine::Launch launch;
  launch.program = &program;
  launch.grid = {1000, 1, 1};
  settings().host_threads = 3;
  EXPECT_EQ(host_threads_for(launch), 1u);

  Buffer<int> counter(1);
  ASSERT_EQ(cudaMemset(counter.get(), 0, 4), cudaSuccess);
  kernels::count(500, counter.get());
  int count = 0;
  ASSERT_EQ(cudaMemcpy(&count, counter.get(), 4, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(count, 500 * 32);  // no atomic was lost
}

TEST_F(Launch, CountsTheSameWithAnyNumberOfHostThreads) {
  constexpr int n = 100'000;
  Buffer<float> device(n);
  ASSERT_EQ(cudaMemset(device.get(), 0, n * sizeof(float)), cudaSuccess);
  for (const unsigned threads : {1u, 2u, 4u}) {
    settings().host_threads = threads;
    kernels::scale((n + 255) / 256, 256, 0, device.get(), 1.0f, n);
  }
  const std::vector<observe::Report> launches = take_launches();
  ASSERT_EQ(launches.size(), 3u);
  EXPECT_FALSE(launches[0].metrics.empty());
  EXPECT_EQ(launches[1].metrics, launches[0].metrics);
  EXPECT_EQ(launches[2].metrics, launches[0].metrics);
}

TEST_F(Launch, SaysWhatASettingSwitchesOff) {
  Buffer<float> device(1);
  ASSERT_EQ(cudaMemset(device.get(), 0, 4), cudaSuccess);
  settings().counters = false;
  kernels::scale(1, 1, 0, device.get(), 1.0f, 1);
  settings().counters = true;
  kernels::scale(1, 1, 0, device.get(), 1.0f, 1);
  const std::vector<observe::Report> launches = take_launches();
  ASSERT_EQ(launches.size(), 2u);
  EXPECT_TRUE(launches[0].metrics.empty());
  EXPECT_FALSE(launches[1].metrics.empty());
}

// --- Objects compiled in other ways ---

TEST_F(Launch, FindsPtxThatNvccCompressed) {
  Buffer<int> out(1);
  kernels::compressed(out.get());
  ASSERT_EQ(cudaGetLastError(), cudaSuccess);
  int value = 0;
  ASSERT_EQ(cudaMemcpy(&value, out.get(), 4, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(value, 42);
}

TEST_F(Launch, OfAnObjectWithoutPtxSaysHowToCompileIt) {
  Buffer<int> out(1);
  kernels::without_ptx(out.get());
  EXPECT_EQ(cudaPeekAtLastError(), cudaErrorNoKernelImageForDevice);
  const observe::Diagnosis diagnosis = the_diagnosis();
  EXPECT_EQ(diagnosis.kind, "no PTX");
  EXPECT_EQ(diagnosis.kernel, "without_ptx_kernel");
  EXPECT_NE(diagnosis.message.find("without_ptx_kernel<<<(1,1,1), (1,1,1)>>>: "), std::string::npos);
  EXPECT_NE(diagnosis.message.find("sm_90"), std::string::npos) << diagnosis.message;
  EXPECT_NE(diagnosis.message.find("-gencode arch=compute_90,code=compute_90"), std::string::npos) << diagnosis.message;
  EXPECT_EQ(cudaGetLastError(), cudaErrorNoKernelImageForDevice);
  EXPECT_EQ(cudaFree(nullptr), cudaSuccess);  // other work goes on
}

TEST_F(Launch, CallsFunctionsByTheTableOfItsObject) {
  Buffer<int> out(1);
  for (const int which : {0, 1}) {
    ASSERT_EQ(cudaMemcpy(out.get(), &which, sizeof which, cudaMemcpyHostToDevice), cudaSuccess);
    kernels::with_function_table(out.get());
    int value = 0;
    ASSERT_EQ(cudaMemcpy(&value, out.get(), sizeof value, cudaMemcpyDeviceToHost), cudaSuccess);
    EXPECT_EQ(value, which == 0 ? 2 : 3);
  }
}

TEST_F(Launch, OfAnUnsupportedInstructionStopsThatKernelOnly) {
  kernels::unsupported();
  EXPECT_EQ(cudaGetLastError(), cudaErrorNotSupported);
  const observe::Diagnosis diagnosis = the_diagnosis();
  EXPECT_EQ(diagnosis.kind, "unsupported instruction");
  EXPECT_NE(diagnosis.message.find("`barrier.cluster.arrive`"), std::string::npos) << diagnosis.message;
  EXPECT_NE(diagnosis.message.find("unsupported.cu:6"), std::string::npos) << diagnosis.message;

  Buffer<int> beside(1);
  kernels::beside_unsupported(beside.get());
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  int value = 0;
  ASSERT_EQ(cudaMemcpy(&value, beside.get(), 4, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(value, 43);
}

/// The block that ran last of 30.
int last_of_thirty() {
  Buffer<int> out(1);
  kernels::last_block(30, out.get());
  int last = -1;
  EXPECT_EQ(cudaMemcpy(&last, out.get(), sizeof last, cudaMemcpyDeviceToHost), cudaSuccess);
  return last;
}

TEST_F(Launch, RunsInTheOrderOfTheSettingsSeedOrOfTheEnvironments) {
  EXPECT_EQ(last_of_thirty(), 29);
  std::set<int> seen;
  std::vector<int> by_seed;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    settings().schedule = seed;
    by_seed.push_back(last_of_thirty());
    seen.insert(by_seed.back());
    EXPECT_EQ(last_of_thirty(), by_seed.back());
  }
  EXPECT_GE(seen.size(), 3u);
  settings().schedule = std::nullopt;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    setenv("WARPWRIGHT_SCHEDULE", std::to_string(seed).c_str(), 1);
    EXPECT_EQ(last_of_thirty(), by_seed[seed]);
  }
  unsetenv("WARPWRIGHT_SCHEDULE");
  EXPECT_EQ(last_of_thirty(), 29);
}

}  // namespace
}  // namespace warpwright::cudart
