// reduce.v6: sums go from lane to lane, not through shared memory.
//
// The tree of v5 stores every partial sum, waits, and loads it again. A shuffle gives a lane the value in another
// lane's register, and waits by itself. Shared memory is then needed for one thing only: from each warp, its sum.
//
// fails now: contract: one barrier of the block is enough

#include "passes.h"

namespace {

constexpr unsigned block_threads = 256;

// TODO: let each warp sum in registers, with __shfl_down_sync. Shared memory then holds one sum from each warp, and
// warp 0 sums those.

// Writes the sum of in[2 * size * b] to in[2 * size * b + 2 * size - 1], as far as below n, to out[b], where b is the
// block's number. `size` is the number of the block's threads.
template <unsigned size>
__global__ void sum_tiles(const float* in, float* out, std::size_t n) {
  __shared__ float tile[size];
  const unsigned t = threadIdx.x;
  const std::size_t i = std::size_t{blockIdx.x} * (2 * size) + t;
  const float first = i < n ? in[i] : 0.0f;
  const float second = i + size < n ? in[i + size] : 0.0f;
  tile[t] = first + second;
  __syncthreads();
  for (unsigned step = size / 2; step > 32; step /= 2) {
    if (t < step) tile[t] += tile[t + step];
    __syncthreads();
  }
  if (t < 32) {
    for (unsigned step = 32; step > 0; step /= 2) {
      if (t < step) tile[t] += tile[t + step];
      __syncwarp();
    }
  }
  if (t == 0) out[blockIdx.x] = tile[0];
}
// END

}  // namespace

void reduce::v6(const float* in, float* out, float* workspace, std::size_t n, cudaStream_t stream) {
  in_passes(in, out, workspace, n, 2 * block_threads, stream,
            [=](const float* from, float* to, std::size_t count, unsigned blocks) {
              sum_tiles<block_threads><<<blocks, block_threads, 0, stream>>>(from, to, count);
            });
}
