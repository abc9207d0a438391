#include <cstdint>
#include <cstring>
#include <numeric>
#include <vector>

#include "kernels.h"
#include "session_fixture.h"

namespace warpwright::cudart {
namespace {

using Allocation = Session;

TEST_F(Allocation, ReturnsAlignedPoisonedMemoryThatIsTheDevices) {
  unsigned char* data = nullptr;
  ASSERT_EQ(cudaMalloc(reinterpret_cast<void**>(&data), 1000), cudaSuccess);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(data) % 256, 0u);
  unsigned char copy[1000];
  ASSERT_EQ(cudaMemcpy(copy, data, 1000, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(copy[0], 0xCD);
  EXPECT_EQ(copy[999], 0xCD);
  EXPECT_EQ(cudaFree(data), cudaSuccess);
}

TEST_F(Allocation, OfNothingIsANullPointerThatMayBeFreed) {
  void* data = &data;
  EXPECT_EQ(cudaMalloc(&data, 0), cudaSuccess);
  EXPECT_EQ(data, nullptr);
  EXPECT_EQ(cudaFree(data), cudaSuccess);
  EXPECT_EQ(cudaFreeHost(nullptr), cudaSuccess);
}

TEST_F(Allocation, NeedsAPlaceForItsResult) {
  EXPECT_EQ(cudaMalloc(nullptr, 4), cudaErrorInvalidValue);
  expect_said("cudaMalloc: devPtr is null, so the result has no place to go.", "Pass the address of a variable.");
}

TEST_F(Allocation, BeyondTheCardSaysWhatIsFree) {
  void* data = nullptr;
  EXPECT_EQ(cudaMalloc(&data, std::size_t{1} << 40), cudaErrorMemoryAllocation);
  EXPECT_EQ(data, nullptr);
  const observe::Diagnosis diagnosis = the_diagnosis();
  EXPECT_EQ(diagnosis.kind, "out of memory");
  EXPECT_NE(diagnosis.message.find("1099511627776 bytes asked for"), std::string::npos) << diagnosis.message;
  EXPECT_EQ(cudaGetLastError(), cudaErrorMemoryAllocation);
}

TEST_F(Allocation, ShowsInTheFreeMemory) {
  std::size_t before = 0, during = 0, after = 0, total = 0;
  ASSERT_EQ(cudaMemGetInfo(&before, &total), cudaSuccess);
  void* data = nullptr;
  ASSERT_EQ(cudaMallocAsync(&data, 4096, nullptr), cudaSuccess);
  ASSERT_EQ(cudaMemGetInfo(&during, &total), cudaSuccess);
  ASSERT_EQ(cudaFreeAsync(data, nullptr), cudaSuccess);
  ASSERT_EQ(cudaMemGetInfo(&after, &total), cudaSuccess);
  EXPECT_EQ(before - during, 4096u);
  EXPECT_EQ(after, before);
  EXPECT_GT(total, std::size_t{140} * 1000 * 1000 * 1000);
}

TEST_F(Allocation, IsFreedOnce) {
  void* data = nullptr;
  ASSERT_EQ(cudaMalloc(&data, 1024), cudaSuccess);
  ASSERT_EQ(cudaFree(data), cudaSuccess);
  EXPECT_EQ(cudaFree(data), cudaErrorInvalidValue);
  expect_said("cudaFree: the pointer to free is an allocation of 1024 bytes (cudaMalloc), which was freed.",
              "Free each pointer once, exactly as cudaMalloc returned it.");
}

TEST_F(Allocation, IsFreedByItsFirstAddress) {
  void* data = nullptr;
  ASSERT_EQ(cudaMalloc(&data, 1024), cudaSuccess);
  EXPECT_EQ(cudaFree(static_cast<char*>(data) + 8), cudaErrorInvalidValue);
  expect_said("cudaFree: the pointer to free is 8 bytes into an allocation of 1024 bytes (cudaMalloc).",
              "Free each pointer once, exactly as cudaMalloc returned it.");
  EXPECT_EQ(cudaFree(data), cudaSuccess);
}

TEST_F(Allocation, IsFreedByTheFunctionThatFitsIt) {
  void* device = nullptr;
  void* host = nullptr;
  ASSERT_EQ(cudaMalloc(&device, 64), cudaSuccess);
  ASSERT_EQ(cudaMallocHost(&host, 64), cudaSuccess);
  EXPECT_EQ(cudaFree(host), cudaErrorInvalidValue);
  expect_said("cudaFree: the pointer to free is an allocation of 64 bytes (cudaMallocHost).",
              "Free pinned memory with cudaFreeHost.");
  EXPECT_EQ(cudaFreeHost(device), cudaErrorInvalidValue);
  expect_said("cudaFreeHost: the pointer to free is an allocation of 64 bytes (cudaMalloc).",
              "Free device memory with cudaFree.");
  int local = 0;
  EXPECT_EQ(cudaFree(&local), cudaErrorInvalidValue);
  expect_said("cudaFree: the pointer to free is a host pointer.",
              "Free each pointer once, exactly as cudaMalloc returned it.");
  EXPECT_EQ(cudaFree(device), cudaSuccess);
  EXPECT_EQ(cudaFreeHost(host), cudaSuccess);
}

TEST_F(Allocation, OfPinnedAndManagedMemoryServesTheHost) {
  int* pinned = nullptr;
  int* managed = nullptr;
  ASSERT_EQ(cudaHostAlloc(reinterpret_cast<void**>(&pinned), sizeof(int), cudaHostAllocDefault), cudaSuccess);
  ASSERT_EQ(cudaMallocManaged(reinterpret_cast<void**>(&managed), sizeof(int)), cudaSuccess);
  *pinned = 5;
  ASSERT_EQ(cudaMemcpy(managed, pinned, sizeof(int), cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(*managed, 5);
  int local = 0;
  ASSERT_EQ(cudaMemcpy(&local, managed, sizeof(int), cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(local, 5);
  void* seen_by_kernels = nullptr;
  EXPECT_EQ(cudaHostGetDevicePointer(&seen_by_kernels, pinned, 0), cudaSuccess);
  EXPECT_EQ(seen_by_kernels, pinned);
  EXPECT_EQ(cudaFreeHost(pinned), cudaSuccess);
  EXPECT_EQ(cudaFree(managed), cudaSuccess);
}

/// Host memory and device memory, whose bytes lie apart in different ways, under one instruction.
struct Halves {
  Halves() {
    for (int** pointer : {&in, &out, &count}) cudaMallocHost(reinterpret_cast<void**>(pointer), 32 * sizeof(int));
    std::iota(in, in + 32, 0);
    EXPECT_EQ(cudaMemcpy(device_in.get(), in, 32 * sizeof(int), cudaMemcpyHostToDevice), cudaSuccess);
    EXPECT_EQ(cudaMemset(device_count.get(), 0, sizeof(int)), cudaSuccess);
    *count = 0;
  }
  ~Halves() {
    for (int* pointer : {in, out, count}) cudaFreeHost(pointer);
  }
  void copy(int blocks) {
    kernels::copy_between(blocks, device_in.get(), in, device_out.get(), out, device_count.get(), count);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    std::vector<int> even(32);
    EXPECT_EQ(cudaMemcpy(even.data(), device_out.get(), 32 * sizeof(int), cudaMemcpyDeviceToHost), cudaSuccess);
    for (int i = 0; i < 32; ++i) EXPECT_EQ(i % 2 == 0 ? even[i] : out[i], i);
    int counted = 0;
    EXPECT_EQ(cudaMemcpy(&counted, device_count.get(), sizeof counted, cudaMemcpyDeviceToHost), cudaSuccess);
    EXPECT_EQ(counted, 16 * blocks);
    EXPECT_EQ(*count, 16 * blocks);
  }

  Buffer<int> device_in{32}, device_out{32}, device_count{1};
  int *in = nullptr, *out = nullptr, *count = nullptr;
};

TEST_F(Allocation, OfTheDeviceAndOfTheHostServesTheLanesOfOneWarp) {
  Halves halves;
  halves.copy(1);
  const std::vector<observe::Report> launches = take_launches();
  ASSERT_EQ(launches.size(), 1u);
  EXPECT_TRUE(launches[0].diagnoses.empty()) << launches[0].diagnoses[0].message;
}

TEST_F(Allocation, OfBothIsComparedWithWhatIsWrittenThere) {
  Halves halves;
  halves.copy(2);
  const std::vector<observe::Report> launches = take_launches();
  ASSERT_EQ(launches.size(), 1u);
  ASSERT_EQ(launches[0].diagnoses.size(), 1u);
  EXPECT_EQ(launches[0].diagnoses[0].kind, "race");
  EXPECT_TRUE(launches[0].diagnoses[0].is_warning) << "both blocks write the same values";
}

TEST_F(Allocation, KnowsWhatKindOfMemoryAPointerIs) {
  void *device = nullptr, *pinned = nullptr, *managed = nullptr;
  int local = 0;
  cudaMalloc(&device, 64);
  cudaMallocHost(&pinned, 64);
  cudaMallocManaged(&managed, 64);
  const auto type_of = [](const void* pointer) {
    cudaPointerAttributes attributes;
    EXPECT_EQ(cudaPointerGetAttributes(&attributes, pointer), cudaSuccess);
    return attributes;
  };
  EXPECT_EQ(type_of(static_cast<char*>(device) + 63).type, cudaMemoryTypeDevice);
  EXPECT_EQ(type_of(device).hostPointer, nullptr);
  EXPECT_EQ(type_of(device).devicePointer, device);
  EXPECT_EQ(type_of(pinned).type, cudaMemoryTypeHost);
  EXPECT_EQ(type_of(pinned).hostPointer, pinned);
  EXPECT_EQ(type_of(managed).type, cudaMemoryTypeManaged);
  EXPECT_EQ(type_of(&local).type, cudaMemoryTypeUnregistered);
  EXPECT_EQ(type_of(&local).devicePointer, nullptr);
  EXPECT_EQ(type_of(static_cast<char*>(device) + 64).type, cudaMemoryTypeUnregistered);
  cudaFree(device);
  cudaFreeHost(pinned);
  cudaFree(managed);
}

TEST_F(Allocation, WithAPitchAlignsItsRows) {
  void* data = nullptr;
  std::size_t pitch = 0;
  ASSERT_EQ(cudaMallocPitch(&data, &pitch, 1000, 3), cudaSuccess);
  EXPECT_EQ(pitch, 1024u);
  EXPECT_EQ(cudaMemset(data, 0, 3 * 1024), cudaSuccess);
  EXPECT_EQ(cudaFree(data), cudaSuccess);
}

}  // namespace
}  // namespace warpwright::cudart
