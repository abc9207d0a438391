// Launches a multiple of 32 threads instead, so that every lane exists; those without a value bring 0.
#include "warps.h"

namespace {

__device__ float warp_sum(float value) {
  for (unsigned distance = 16; distance > 0; distance /= 2)
    value += __shfl_down_sync(warps::all_lanes, value, distance);
  return value;
}

__global__ void sum_blocks(const float* in, float* sums, std::size_t n, unsigned values) {
  __shared__ float sums_of_warps[32];
  const unsigned t = threadIdx.x;
  const std::size_t i = std::size_t{blockIdx.x} * values + t;
  const float sum = warp_sum(t < values && i < n ? in[i] : 0.0f);
  if (t % 32 == 0) sums_of_warps[t / 32] = sum;
  __syncthreads();
  if (t >= 32) return;
  const float all = warp_sum(t < blockDim.x / 32 ? sums_of_warps[t] : 0.0f);
  if (t == 0) sums[blockIdx.x] = all;
}

}  // namespace

void warps::block_reduce(const float* in, float* sums, std::size_t n, unsigned threads, cudaStream_t stream) {
  if (n == 0) return;
  const auto blocks = static_cast<unsigned>((n + threads - 1) / threads);
  sum_blocks<<<blocks, (threads + 31) / 32 * 32, 0, stream>>>(in, sums, n, threads);
}
