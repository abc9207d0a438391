#include <vector>

#include "session_fixture.h"

namespace warpwright::cudart {
namespace {

using Volume = Session;

TEST_F(Volume, IsCopiedAndSetPlaneByPlane) {
  constexpr std::size_t width = 5, height = 3, depth = 2;
  cudaPitchedPtr device = {};
  ASSERT_EQ(cudaMalloc3D(&device, cudaExtent{width, height, depth}), cudaSuccess);
  EXPECT_EQ(device.pitch, 512u);
  EXPECT_EQ(device.ysize, height);
  ASSERT_EQ(cudaMemset3D(device, 0, cudaExtent{width, height, depth}), cudaSuccess);

  std::vector<unsigned char> host(width * height * depth);
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<unsigned char>(i + 1);
  cudaMemcpy3DParms to = {};
  to.srcPtr = cudaPitchedPtr{host.data(), width, width, height};
  to.dstPtr = device;
  to.extent = cudaExtent{width, height, depth};
  to.kind = cudaMemcpyHostToDevice;
  ASSERT_EQ(cudaMemcpy3D(&to), cudaSuccess);

  // One corner of it: the last column of the last two rows of the second plane.
  unsigned char corner[2] = {};
  cudaMemcpy3DParms from = {};
  from.srcPtr = device;
  from.srcPos = cudaPos{width - 1, 1, 1};
  from.dstPtr = cudaPitchedPtr{corner, 1, 1, 2};
  from.extent = cudaExtent{1, 2, 1};
  from.kind = cudaMemcpyDeviceToHost;
  ASSERT_EQ(cudaMemcpy3DAsync(&from, nullptr), cudaSuccess);
  EXPECT_EQ(corner[0], host[1 * width * height + 1 * width + width - 1]);
  EXPECT_EQ(corner[1], host[1 * width * height + 2 * width + width - 1]);

  from.extent = cudaExtent{1, 3, 1};
  from.srcPos = cudaPos{0, 1, 1};
  EXPECT_EQ(cudaMemcpy3D(&from), cudaErrorInvalidValue) << "a row too many";
  EXPECT_EQ(the_diagnosis().kind, "out of bounds");
  cudaGetLastError();
  EXPECT_EQ(cudaFree(device.ptr), cudaSuccess);
}

TEST_F(Volume, OfAnArrayIsRefused) {
  cudaMemcpy3DParms copy = {};
  copy.srcArray = reinterpret_cast<cudaArray_t>(&copy);
  EXPECT_EQ(cudaMemcpy3D(&copy), cudaErrorNotSupported);
  expect_said("cudaMemcpy3D: CUDA arrays, the memory of textures, are not supported.",
              "Use a pitched pointer (srcPtr, dstPtr).");
}

TEST_F(Volume, IsCopiedBetweenDevicesOfWhichThereIsOne) {
  Buffer<int> a(4), b(4);
  const int numbers[] = {1, 2, 3, 4};
  ASSERT_EQ(cudaMemcpy(a.get(), numbers, 16, cudaMemcpyHostToDevice), cudaSuccess);
  ASSERT_EQ(cudaMemcpyPeer(b.get(), 0, a.get(), 0, 16), cudaSuccess);
  int third = 0;
  ASSERT_EQ(cudaMemcpy(&third, b.get() + 2, 4, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(third, 3);
  EXPECT_EQ(cudaMemcpyPeer(b.get(), 1, a.get(), 0, 16), cudaErrorInvalidDevice);
  EXPECT_EQ(the_diagnosis().message, "cudaMemcpyPeer: there is no device 1: the simulator has one, number 0.");
  cudaGetLastError();
}

}  // namespace
}  // namespace warpwright::cudart
