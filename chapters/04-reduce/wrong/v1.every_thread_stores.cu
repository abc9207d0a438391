// wrong: all threads of a block store the same sum; rejected by: contract: reads and writes nothing twice
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
    const unsigned i = 2 * step * t;
    if (i < blockDim.x) tile[i] += tile[i + step];
    __syncthreads();
  }
  out[blockIdx.x] = tile[0];
}

}  // namespace

void reduce::v1(const float* in, float* out, float* workspace, std::size_t n, cudaStream_t stream) {
  in_passes(in, out, workspace, n, block_threads, stream,
            [=](const float* from, float* to, std::size_t count, unsigned blocks) {
              sum_tiles<<<blocks, block_threads, 0, stream>>>(from, to, count);
            });
}
