// A butterfly, so that every lane has the sum; four values a thread; a size that is known at the launch only, and every
// warp does the last rounds.
#include "passes.h"

namespace {

__device__ float butterfly(float value) {
#pragma unroll 1
  for (int distance = 1; distance < 32; distance += distance) {
    value += __shfl_xor_sync(0xffffffffu, value, distance);
  }
  return value;
}

__global__ void sum_tiles(const float* __restrict__ in, float* __restrict__ out, std::size_t n) {
  __shared__ float warp_sums[32];
  const unsigned lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  const std::size_t begin = std::size_t{blockIdx.x} * blockDim.x * 4 + threadIdx.x;
  float values[4];
#pragma unroll
  for (unsigned k = 0; k < 4; ++k) {
    const std::size_t at = begin + k * blockDim.x;
    values[k] = at < n ? in[at] : 0.0f;
  }
  const float mine = butterfly((values[0] + values[1]) + (values[2] + values[3]));
  if (lane == warp) warp_sums[warp] = mine;
  __syncthreads();
  const float sum = butterfly(lane < blockDim.x / 32 ? warp_sums[lane] : 0.0f);
  if (threadIdx.x == blockDim.x - 1) out[blockIdx.x] = sum;
}

}  // namespace

void reduce::v6(const float* in, float* out, float* workspace, std::size_t n, cudaStream_t stream) {
  constexpr unsigned size = 192;
  in_passes(in, out, workspace, n, 4 * size, stream,
            [=](const float* from, float* to, std::size_t count, unsigned blocks) {
              sum_tiles<<<blocks, size, 0, stream>>>(from, to, count);
            });
}
