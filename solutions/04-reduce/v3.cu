// reduce.v3: two values on the way to every thread.
//
// In v2 half of a block's threads do nothing but load one value. Here a thread loads two, and adds them before the tree
// begins. A block sums twice as many values, so half as many blocks pay for their rounds and barriers.

#include "passes.h"

namespace {

constexpr unsigned block_threads = 256;
// SOLUTION: twice the values of v2, so half of its blocks, rounds and barriers.
constexpr unsigned tile_values = 2 * block_threads;
// END

// Writes the sum of in[tile_values * b] to in[tile_values * b + tile_values - 1], as far as below n, to out[b], where b
// is the block's number.
__global__ void sum_tiles(const float* in, float* out, std::size_t n) {
  __shared__ float tile[block_threads];
  const unsigned t = threadIdx.x;
  const std::size_t i = std::size_t{blockIdx.x} * tile_values + t;
  // SOLUTION: the second load does not depend on the first, so it is issued while that one is still on its way: twice
  // as many bytes are in flight. Each load has neighbouring lanes read neighbouring words, and each needs its own
  // guard: in a ragged tile a thread may have a first value and no second one.
  const float first = i < n ? in[i] : 0.0f;
  const float second = i + block_threads < n ? in[i + block_threads] : 0.0f;
  tile[t] = first + second;
  // END
  __syncthreads();
  for (unsigned step = blockDim.x / 2; step > 0; step /= 2) {
    if (t < step) tile[t] += tile[t + step];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = tile[0];
}

}  // namespace

void reduce::v3(const float* in, float* out, float* workspace, std::size_t n, cudaStream_t stream) {
  in_passes(in, out, workspace, n, tile_values, stream,
            [=](const float* from, float* to, std::size_t count, unsigned blocks) {
              sum_tiles<<<blocks, block_threads, 0, stream>>>(from, to, count);
            });
}
