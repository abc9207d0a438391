// Every warp adds the sums of all warps, so that each thread has the result; the butterfly, with guards.
#include "warps.h"

namespace {

// Each block sums as many values as it has threads, and its first thread writes the sum.
__global__ void sum_blocks(const float* in, float* sums, std::size_t n) {
  const unsigned t = threadIdx.x;
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + t;
  float sum = i < n ? in[i] : 0.0f;
  __shared__ float sums_of_warps[32];
  const unsigned lane = t % 32, all_warps = (blockDim.x + 31) / 32;
  const unsigned present = min(32u, blockDim.x - (t - lane)), mask = warps::all_lanes >> (32 - present);
  for (unsigned bit = 1; bit < 32; bit *= 2) {
    const bool is_there = (lane ^ bit) < present;
    const float other = __shfl_sync(mask, sum, static_cast<int>(is_there ? lane ^ bit : lane));
    if (is_there) sum += other;
  }
  if (lane == 0) sums_of_warps[t / 32] = sum;
  __syncthreads();
  sum = 0;
  for (unsigned warp = 0; warp < all_warps; ++warp) sum += sums_of_warps[warp];
  if (t == 0) sums[blockIdx.x] = sum;
}

}  // namespace

void warps::block_reduce(const float* in, float* sums, std::size_t n, unsigned threads, cudaStream_t stream) {
  if (n == 0) return;
  sum_blocks<<<static_cast<unsigned>((n + threads - 1) / threads), threads, 0, stream>>>(in, sums, n);
}
