#include <cstring>
#include <numeric>
#include <vector>

#include "session_fixture.h"

namespace warpwright::cudart {
namespace {

using Copy = Session;

constexpr const char* order = "The destination comes first, then the source; for these pointers pass ";

TEST_F(Copy, GoesToTheDeviceAcrossItAndBack) {
  std::vector<int> in(256), out(256);
  std::iota(in.begin(), in.end(), 0);
  Buffer<int> first(256), second(256);
  EXPECT_EQ(cudaMemcpy(first.get(), in.data(), 1024, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(cudaMemcpyAsync(second.get(), first.get(), 1024, cudaMemcpyDeviceToDevice, nullptr), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(out.data(), second.get(), 1024, cudaMemcpyDefault), cudaSuccess);
  EXPECT_EQ(in, out);
  std::vector<int> third(256);
  EXPECT_EQ(cudaMemcpy(third.data(), in.data(), 1024, cudaMemcpyHostToHost), cudaSuccess);
  EXPECT_EQ(third, in);
}

TEST_F(Copy, OfNothingSucceedsWhateverThePointers) {
  EXPECT_EQ(cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(cudaMemset(nullptr, 0, 0), cudaSuccess);
}

TEST_F(Copy, NamesAHostPointerWhereTheDirectionSaysDevice) {
  Buffer<int> device(4);
  int host[4] = {};
  EXPECT_EQ(cudaMemcpy(host, host, 16, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  expect_said("cudaMemcpy: the source is a host pointer, but the direction says device to host.",
              std::string(order) + "cudaMemcpyHostToHost.");
  EXPECT_EQ(cudaMemcpy(host, device.get(), 16, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  expect_said(
      "cudaMemcpy: the source is a device pointer (an allocation of 16 bytes (cudaMalloc)), but the direction "
      "says host to device.",
      std::string(order) + "cudaMemcpyDeviceToHost.");
  EXPECT_EQ(cudaMemcpy(host, device.get(), 16, cudaMemcpyDeviceToDevice), cudaErrorInvalidValue);
  expect_said("cudaMemcpy: the destination is a host pointer, but the direction says device to device.",
              std::string(order) + "cudaMemcpyDeviceToHost.");
}

TEST_F(Copy, NamesThePointerThatIsCopiedInPlaceOfWhatItPointsTo) {
  Buffer<int> device(4);
  int* pointer = device.get();
  int host[4] = {};
  EXPECT_EQ(cudaMemcpy(&pointer, host, sizeof host, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  expect_said("cudaMemcpy: the destination is a host pointer, but the direction says host to device.",
              "It is the address of a pointer to device memory: pass the pointer itself, without &.");
}

TEST_F(Copy, FromHostToHostReachesADeviceAllTheSame) {
  Buffer<int> device(4);
  const int in[4] = {1, 2, 3, 4};
  int out[4] = {};
  EXPECT_EQ(cudaMemcpy(device.get(), in, 16, cudaMemcpyHostToHost), cudaSuccess);
  const observe::Diagnosis diagnosis = the_diagnosis();
  EXPECT_TRUE(diagnosis.is_warning);
  EXPECT_EQ(diagnosis.message,
            "cudaMemcpy: the destination is a device pointer (an allocation of 16 bytes (cudaMalloc)), but the "
            "direction says host to host.");
  EXPECT_EQ(diagnosis.hint, std::string(order) + "cudaMemcpyHostToDevice.");
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(out, device.get(), 16, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(out[3], 4);
}

TEST_F(Copy, RejectsADirectionThatIsNone) {
  int host = 0;
  EXPECT_EQ(cudaMemcpy(&host, &host, 4, static_cast<cudaMemcpyKind>(7)), cudaErrorInvalidMemcpyDirection);
  expect_said("cudaMemcpy: 7 is no direction.", "Pass a value of cudaMemcpyKind.");
}

TEST_F(Copy, NamesTheAllocationThatIsTooSmall) {
  Buffer<char> device(1024);
  std::vector<char> host(4096);
  EXPECT_EQ(cudaMemcpy(host.data(), device.get(), 4096, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  expect_said("cudaMemcpy: copies 4096 bytes, but the source is an allocation of 1024 bytes (cudaMalloc).",
              "Sizes are in bytes: multiply the number of elements by sizeof once.");
  EXPECT_EQ(cudaMemcpy(device.get() + 24, host.data(), 1001, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  expect_said(
      "cudaMemcpy: copies 1001 bytes, but the destination is 24 bytes into an allocation of 1024 bytes "
      "(cudaMalloc), of which 1000 bytes are left from there.",
      "Make the allocation larger, or the size smaller.");
  EXPECT_EQ(cudaMemcpy(device.get() + 24, host.data(), 1000, cudaMemcpyHostToDevice), cudaSuccess);
}

TEST_F(Copy, ThatIsRefusedMovesNothing) {
  Buffer<char> device(16);
  ASSERT_EQ(cudaMemset(device.get(), 1, 16), cudaSuccess);
  char host[32] = {};
  EXPECT_EQ(cudaMemcpy(device.get(), host, 32, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  take_diagnoses();
  ASSERT_EQ(cudaMemcpy(host, device.get(), 16, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(host[0], 1);
}

TEST_F(Copy, NamesWhatAWrongDeviceAddressIs) {
  int host = 0;
  void* freed = nullptr;
  ASSERT_EQ(cudaMalloc(&freed, 64), cudaSuccess);
  ASSERT_EQ(cudaFree(freed), cudaSuccess);
  const char* mend = "Pass a pointer into an allocation that has not been freed.";
  EXPECT_EQ(cudaMemcpy(&host, freed, 4, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  expect_said("cudaMemcpy: the source is an allocation of 64 bytes (cudaMalloc), which was freed.", mend);
  Buffer<char> device(64);
  EXPECT_EQ(cudaMemcpy(&host, device.get() + 72, 4, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  expect_said("cudaMemcpy: the source is 8 bytes past the end of an allocation of 64 bytes (cudaMalloc).", mend);
  EXPECT_EQ(cudaMemcpy(&host, device.get() - 8, 4, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  expect_said("cudaMemcpy: the source is 8 bytes before an allocation of 64 bytes (cudaMalloc).", mend);
  EXPECT_EQ(cudaMemcpy(nullptr, device.get(), 4, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  expect_said("cudaMemcpy: the destination is a null pointer.", "Check that its allocation succeeded.");
}

TEST_F(Copy, InTwoDimensionsSkipsWhatLiesBetweenTheRows) {
  const char in[] = "abcdefghi";
  char out[12] = "...........";
  Buffer<char> device(3 * 8);
  EXPECT_EQ(cudaMemcpy2D(device.get(), 8, in, 3, 3, 3, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(cudaMemcpy2DAsync(out, 4, device.get(), 8, 2, 3, cudaMemcpyDeviceToHost, nullptr), cudaSuccess);
  EXPECT_STREQ(out, "ab..de..gh.");
}

TEST_F(Copy, InTwoDimensionsStaysInsideAllocationsAndPitches) {
  char host[64] = {};
  Buffer<char> device(3 * 8 - 4);
  EXPECT_EQ(cudaMemcpy2D(device.get(), 8, host, 8, 4, 3, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(cudaMemcpy2D(device.get(), 8, host, 8, 5, 3, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  expect_said("cudaMemcpy2D: copies 21 bytes, but the destination is an allocation of 20 bytes (cudaMalloc).",
              "Make the allocation larger, or the size smaller.");
  EXPECT_EQ(cudaMemcpy2D(host, 8, device.get(), 8, 5, 3, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  expect_said("cudaMemcpy2D: copies 21 bytes, but the source is an allocation of 20 bytes (cudaMalloc).",
              "Make the allocation larger, or the size smaller.");
  EXPECT_EQ(cudaMemcpy2D(device.get(), 8, host, 8, 9, 2, cudaMemcpyHostToDevice), cudaErrorInvalidPitchValue);
  expect_said("cudaMemcpy2D: rows of 9 bytes do not fit pitches of 8 and 8 bytes.",
              "Width and pitches are in bytes, and a pitch is at least the width.");
}

TEST_F(Copy, HasASiblingThatSetsBytes) {
  Buffer<unsigned char> device(16);
  unsigned char host[16];
  ASSERT_EQ(cudaMemset(device.get(), 0xAB, 16), cudaSuccess);
  ASSERT_EQ(cudaMemsetAsync(device.get() + 4, 0x12, 4, nullptr), cudaSuccess);
  ASSERT_EQ(cudaMemset2D(device.get() + 8, 4, 0x34, 1, 2), cudaSuccess);
  ASSERT_EQ(cudaMemcpy(host, device.get(), 16, cudaMemcpyDeviceToHost), cudaSuccess);
  const unsigned char expected[16] = {0xAB, 0xAB, 0xAB, 0xAB, 0x12, 0x12, 0x12, 0x12,
                                      0x34, 0xAB, 0xAB, 0xAB, 0x34, 0xAB, 0xAB, 0xAB};
  EXPECT_EQ(std::memcmp(host, expected, 16), 0);
  EXPECT_EQ(cudaMemset(device.get(), 0, 17), cudaErrorInvalidValue);
  expect_said("cudaMemset: sets 17 bytes, but the destination is an allocation of 16 bytes (cudaMalloc).",
              "Make the allocation larger, or the size smaller.");
  EXPECT_EQ(cudaMemset(device.get(), -1, 16), cudaSuccess);
  EXPECT_TRUE(take_diagnoses().empty());
  EXPECT_EQ(cudaMemset(device.get(), 1000, 16), cudaSuccess);
  expect_said("cudaMemset: sets each byte to 232, which is all that a byte holds of 1000.",
              "Elements of other values are written by a kernel, or copied.");
  EXPECT_EQ(cudaMemset(host, 0, 4), cudaErrorInvalidValue);
  expect_said("cudaMemset: the destination is a host pointer.",
              "Pass device memory; host memory is set by std::memset.");
}

}  // namespace
}  // namespace warpwright::cudart
