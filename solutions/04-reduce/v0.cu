// reduce.v0: a tree of additions in shared memory.
//
// Each block sums a tile of 256 values, in rounds with step = 1, 2, 4, ..., 128: where t is a multiple of 2 * step,
// thread t adds the value that lies `step` further on to its own.

#include "passes.h"

namespace {

constexpr unsigned block_threads = 256;

// Writes the sum of in[256 * b] to in[256 * b + 255], as far as below n, to out[b], where b is the block's number.
__global__ void sum_tiles(const float* in, float* out, std::size_t n) {
  // SOLUTION: the shared memory's words are used one after the other, so no two lanes ever meet in a bank (0 bank
  // conflicts). But the working threads are spread over all warps: until step = 16, every warp has some lanes that add
  // and others that wait. Counted: 48 divergent branches a block, 40 of them in those five rounds.
  __shared__ float tile[block_threads];
  const unsigned t = threadIdx.x;
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + t;
  tile[t] = i < n ? in[i] : 0.0f;
  __syncthreads();  // other warps' values are about to be read
  for (unsigned step = 1; step < blockDim.x; step *= 2) {
    if (t % (2 * step) == 0) tile[t] += tile[t + step];
    __syncthreads();  // outside the if: every thread of the block has to arrive
  }
  if (t == 0) out[blockIdx.x] = tile[0];
  // END
}

}  // namespace

void reduce::v0(const float* in, float* out, float* workspace, std::size_t n, cudaStream_t stream) {
  in_passes(in, out, workspace, n, block_threads, stream,
            [=](const float* from, float* to, std::size_t count, unsigned blocks) {
              sum_tiles<<<blocks, block_threads, 0, stream>>>(from, to, count);
            });
}
