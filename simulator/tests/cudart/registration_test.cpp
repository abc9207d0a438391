// What nvcc's host code calls, called by hand.
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "session_fixture.h"

extern "C" {
void** __cudaRegisterFatBinary(void* wrapper);
void __cudaUnregisterFatBinary(void** handle);
void __cudaRegisterFunction(void** handle, const char* stub, char* device_stub, const char* name, int limit, uint3* tid,
                            uint3* bid, dim3* block, dim3* grid, int* warp_size);
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared_bytes, CUstream_st* stream);
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, std::size_t* shared_bytes, void* stream);
}

namespace warpwright::cudart {
namespace {

using Registration = Session;

/// A fat binary with one entry of uncompressed PTX, and the wrapper that nvcc would make for it.
class FatBinary {
 public:
  explicit FatBinary(std::string_view ptx) : bytes_(16 + 64 + (ptx.size() + 8) / 8 * 8) {
    put<std::uint32_t>(0, 0xba55ed50);
    put<std::uint16_t>(4, 1);
    put<std::uint16_t>(6, 16);
    put<std::uint64_t>(8, bytes_.size() - 16);
    put<std::uint16_t>(16, 1);
    put<std::uint32_t>(16 + 4, 64);
    put<std::uint64_t>(16 + 8, bytes_.size() - 16 - 64);
    put<std::uint32_t>(16 + 28, 90);
    std::memcpy(bytes_.data() + 80, ptx.data(), ptx.size());
    wrapper_.fat_binary = bytes_.data();
  }

  void* wrapper() { return &wrapper_; }

 private:
  template <typename Integer>
  void put(std::size_t at, Integer value) {
    std::memcpy(bytes_.data() + at, &value, sizeof value);
  }

  std::vector<std::byte> bytes_;
  struct {
    std::uint32_t magic = 0x466243b1;
    std::uint32_t version = 1;
    const std::byte* fat_binary = nullptr;
    void* unused = nullptr;
  } wrapper_;
};

const char stub[] = "the address of this text stands for the host's side of a kernel";

void** register_kernel(FatBinary& binary, const char* name) {
  void** handle = __cudaRegisterFatBinary(binary.wrapper());
  __cudaRegisterFunction(handle, stub, nullptr, name, -1, nullptr, nullptr, nullptr, nullptr, nullptr);
  return handle;
}

cudaError_t launch() { return cudaLaunchKernel(stub, 1, 1, nullptr, 0, nullptr); }

TEST_F(Registration, ReadsNothingUntilALaunch) {
  FatBinary binary("this is no PTX");
  void** handle = register_kernel(binary, "kernel");
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(launch(), cudaErrorInvalidPtx);
  const observe::Diagnosis diagnosis = the_diagnosis();
  EXPECT_EQ(diagnosis.kind, "invalid PTX");
  EXPECT_NE(diagnosis.message.find("kernel<<<(1,1,1), (1,1,1)>>>: this program's PTX cannot be read: PTX line 1: "),
            std::string::npos)
      << diagnosis.message;
  EXPECT_NE(diagnosis.hint.find("-gencode arch=compute_90,code=compute_90"), std::string::npos);
  __cudaUnregisterFatBinary(handle);
}

TEST_F(Registration, OfAKernelThatThePtxLacksFailsAtTheLaunch) {
  FatBinary binary(".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry other() { ret; }\n");
  void** handle = register_kernel(binary, "kernel");
  EXPECT_EQ(launch(), cudaErrorInvalidDeviceFunction);
  EXPECT_EQ(the_diagnosis().kind, "no such kernel");
  __cudaUnregisterFatBinary(handle);
}

TEST_F(Registration, EndsWhenTheObjectIsUnloaded) {
  FatBinary binary(".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry kernel() { ret; }\n");
  void** handle = register_kernel(binary, "kernel");
  EXPECT_EQ(launch(), cudaSuccess);
  __cudaUnregisterFatBinary(handle);
  EXPECT_EQ(launch(), cudaErrorInvalidResourceHandle);
  take_diagnoses();
  EXPECT_EQ(take_launches().front().program().kernel, "kernel");  // what was run stays known
}

TEST_F(Registration, OfSomethingElseFailsAtTheLaunch) {
  std::uint64_t nonsense[3] = {1, 2, 3};
  void** handle = __cudaRegisterFatBinary(nonsense);
  __cudaRegisterFunction(handle, stub, nullptr, "kernel", -1, nullptr, nullptr, nullptr, nullptr, nullptr);
  EXPECT_EQ(launch(), cudaErrorNoKernelImageForDevice);
  EXPECT_NE(the_diagnosis().message.find("no fat binary"), std::string::npos);
  __cudaUnregisterFatBinary(handle);
}

TEST_F(Registration, StacksConfigurations) {
  dim3 grid, block;
  std::size_t shared_bytes = 0;
  cudaStream_t stream = nullptr;
  __cudaPushCallConfiguration(1, 2, 3, nullptr);
  __cudaPushCallConfiguration(4, 5, 6, cudaStreamLegacy);
  EXPECT_EQ(__cudaPopCallConfiguration(&grid, &block, &shared_bytes, &stream), cudaSuccess);
  EXPECT_EQ(grid.x, 4u);
  EXPECT_EQ(shared_bytes, 6u);
  EXPECT_EQ(stream, cudaStreamLegacy);
  EXPECT_EQ(__cudaPopCallConfiguration(&grid, &block, &shared_bytes, &stream), cudaSuccess);
  EXPECT_EQ(block.x, 2u);
  EXPECT_EQ(__cudaPopCallConfiguration(&grid, &block, &shared_bytes, &stream), cudaErrorMissingConfiguration);
  EXPECT_EQ(cudaGetLastError(), cudaErrorMissingConfiguration);
}

}  // namespace
}  // namespace warpwright::cudart
