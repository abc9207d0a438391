// warps.block_reduce: two levels of warps in place of a tree in shared memory.
//
// The stub is the classical way: all values in shared memory, and a barrier for each halving. But a warp sums 32 values
// by itself, in registers. So let every warp do that; then only one sum a warp is left, at most 32 of them, which is
// again work for a single warp. Shared memory hands over those, and one barrier suffices.
//
// A block may have any size from 1 to 1024: its last warp may have fewer than 32 lanes, and there may be one warp only.

#include "warps.h"

namespace {

// Each block sums as many values as it has threads, and its first thread writes the sum.
__global__ void sum_blocks(const float* in, float* sums, std::size_t n) {
  const unsigned t = threadIdx.x;
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + t;
  float sum = i < n ? in[i] : 0.0f;
  // SOLUTION: a warp of fewer than 32 lanes names those that it has, and its lanes read only from them; a lane that
  // would read beyond reads itself, and adds nothing. Both levels are the same steps. In the second, lanes beyond the
  // number of warps bring 0. The first warp always has as many lanes as there are warps: 32 where there are two or
  // more.
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
  if (lane == 0) sums_of_warps[warp] = sum;
  __syncthreads();
  if (warp == 0) sum = sum_of_warp(lane < all_warps ? sums_of_warps[lane] : 0.0f);
  // END
  if (t == 0) sums[blockIdx.x] = sum;
}

}  // namespace

void warps::block_reduce(const float* in, float* sums, std::size_t n, unsigned threads, cudaStream_t stream) {
  if (n == 0) return;
  sum_blocks<<<static_cast<unsigned>((n + threads - 1) / threads), threads, 0, stream>>>(in, sums, n);
}
