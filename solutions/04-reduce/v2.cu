// reduce.v2: the same number of additions, of words that lie side by side.
//
// A sum may be taken in any order, so any two values may make a pair. Chosen well, the pairs of a round are such that
// neighbouring lanes use neighbouring words, on both sides of the addition.

#include "passes.h"

namespace {

constexpr unsigned block_threads = 256;

// Writes the sum of in[256 * b] to in[256 * b + 255], as far as below n, to out[b], where b is the block's number.
__global__ void sum_tiles(const float* in, float* out, std::size_t n) {
  __shared__ float tile[block_threads];
  const unsigned t = threadIdx.x;
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x;
  tile[t] = first + t < n ? in[first + t] : 0.0f;
  __syncthreads();
  // SOLUTION: the second half of the tile is added to the first, then the second quarter to the first, and so on. A
  // warp's operands lie in 32 consecutive words, one in each bank: 0 conflicts in every round. The number of divergent
  // branches is v1's, 6 a block: a round with fewer than 32 additions splits a warp, whatever the order.
  for (unsigned step = blockDim.x / 2; step > 0; step /= 2) {
    if (t < step) tile[t] += tile[t + step];
    __syncthreads();
  }
  // END
  if (t == 0) out[blockIdx.x] = tile[0];
}

}  // namespace

void reduce::v2(const float* in, float* out, float* workspace, std::size_t n, cudaStream_t stream) {
  in_passes(in, out, workspace, n, block_threads, stream,
            [=](const float* from, float* to, std::size_t count, unsigned blocks) {
              sum_tiles<<<blocks, block_threads, 0, stream>>>(from, to, count);
            });
}
