// warps.block_reduce: two levels of warps in place of a tree in shared memory.
//
// The stub is the classical way: all values in shared memory, and a barrier for each halving. But a warp sums 32 values
// by itself, in registers. So let every warp do that; then only one sum a warp is left, at most 32 of them, which is
// again work for a single warp. Shared memory hands over those, and one barrier suffices.
//
// A block may have any size from 1 to 1024: its last warp may have fewer than 32 lanes, and there may be one warp only.
//
// fails now: contract: one barrier is enough

#include "warps.h"

namespace {

// Each block sums as many values as it has threads, and its first thread writes the sum.
__global__ void sum_blocks(const float* in, float* sums, std::size_t n) {
  const unsigned t = threadIdx.x;
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + t;
  float sum = i < n ? in[i] : 0.0f;
  // TODO: let each warp sum its values by shuffles, hand the sums over in shared memory, and let the first warp add
  // them.
  __shared__ float tile[1024];
  tile[t] = sum;
  for (unsigned left = blockDim.x; left > 1;) {
    const unsigned half = (left + 1) / 2;
    __syncthreads();
    if (t + half < left) tile[t] += tile[t + half];
    left = half;
  }
  sum = tile[t];
  // END
  if (t == 0) sums[blockIdx.x] = sum;
}

}  // namespace

void warps::block_reduce(const float* in, float* sums, std::size_t n, unsigned threads, cudaStream_t stream) {
  if (n == 0) return;
  sum_blocks<<<static_cast<unsigned>((n + threads - 1) / threads), threads, 0, stream>>>(in, sums, n);
}
