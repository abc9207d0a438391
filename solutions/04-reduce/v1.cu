// reduce.v1: the same tree, with its additions packed into the first warps.
//
// Round by round the same pairs are added as in v0. Only who adds them changes: not the threads whose number is a
// multiple of 2 * step, but the first threads of the block, so that the warps behind them have nothing to do at all.

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
  for (unsigned step = 1; step < blockDim.x; step *= 2) {
    // SOLUTION: threads 0 to 128 / step - 1 add, so whole warps drop out from the first round on. Only the rounds that
    // have fewer than 32 additions split a warp: 6 divergent branches a block are left of v0's 48. The price:
    // neighbouring lanes are 2 * step words apart, and up to 8 of them wait for one bank (105 conflicts a block).
    const unsigned i = 2 * step * t;
    if (i < blockDim.x) tile[i] += tile[i + step];
    // END
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = tile[0];
}

}  // namespace

void reduce::v1(const float* in, float* out, float* workspace, std::size_t n, cudaStream_t stream) {
  in_passes(in, out, workspace, n, block_threads, stream,
            [=](const float* from, float* to, std::size_t count, unsigned blocks) {
              sum_tiles<<<blocks, block_threads, 0, stream>>>(from, to, count);
            });
}
