// wrong: adds the sums of the warps with atomics; rejected by: contract: the warps need no atomics
#include "warps.h"

namespace {

// Each block sums as many values as it has threads, and its first thread writes the sum.
__global__ void sum_blocks(const float* in, float* sums, std::size_t n) {
  const unsigned t = threadIdx.x;
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + t;
  float sum = i < n ? in[i] : 0.0f;
  __shared__ float sums_of_warps[32];
  const unsigned lane = t % 32, warp = t / 32, all_warps = (blockDim.x + 31) / 32;
  const unsigned present = min(32u, blockDim.x - 32 * warp), mask = warps::all_lanes >> (32 - present);
  const auto sum_of_warp = [&](float value) {
    for (unsigned distance = 16; distance > 0; distance /= 2) {
      const bool is_there = lane + distance < present;
      const float other = __shfl_sync(mask, value, static_cast<int>(is_there ? lane + distance : lane));
      value += is_there ? other : 0.0f;
    }
    return value;
  };
  sum = sum_of_warp(sum);
  if (t == 0) sums_of_warps[0] = 0;
  __syncthreads();
  if (lane == 0) atomicAdd(&sums_of_warps[0], sum);
  __syncthreads();
  if (warp == 0) sum = sum_of_warp(lane < all_warps && lane == 0 ? sums_of_warps[0] : 0.0f);
  if (t == 0) sums[blockIdx.x] = sum;
}

}  // namespace

void warps::block_reduce(const float* in, float* sums, std::size_t n, unsigned threads, cudaStream_t stream) {
  if (n == 0) return;
  sum_blocks<<<static_cast<unsigned>((n + threads - 1) / threads), threads, 0, stream>>>(in, sums, n);
}
