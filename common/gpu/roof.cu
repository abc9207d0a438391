#include "roof.h"

namespace warpwright {
namespace {

constexpr unsigned block_threads = 256;

// Four independent 16-byte loads are in flight in each thread before the first value is used.
__global__ void read_floats(const float4* data, std::size_t count, float* sink) {
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  float sum = 0;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += 4 * stride) {
    float4 part[4] = {};
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      if (i + k * stride < count) part[k] = data[i + k * stride];
    }
#pragma unroll
    for (int k = 0; k < 4; ++k) sum += part[k].x + part[k].y + part[k].z + part[k].w;
  }
  if (sum == 1.2345e38f) *sink = sum;
}

}  // namespace

void read_only(const void* data, std::size_t bytes, float* sink, cudaStream_t stream) {
  int device = 0, multiprocessors = 1;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  const std::size_t count = bytes / sizeof(float4);
  const std::size_t needed = (count + 4 * block_threads - 1) / (4 * block_threads);
  const std::size_t most = static_cast<std::size_t>(multiprocessors) * 8;
  const unsigned blocks = static_cast<unsigned>(needed < 1 ? 1 : needed < most ? needed : most);
  read_floats<<<blocks, block_threads, 0, stream>>>(static_cast<const float4*>(data), count, sink);
}

}  // namespace warpwright
