// wrong: written out by hand, and the barriers forgotten; rejected by: safely: race
#include "passes.h"

namespace {

constexpr unsigned block_threads = 256;

// Writes the sum of in[2 * size * b] to in[2 * size * b + 2 * size - 1], as far as below n, to out[b], where b is the
// block's number. `size` is the number of the block's threads, a power of two from 64 on.
template <unsigned size>
__global__ void sum_tiles(const float* in, float* out, std::size_t n) {
  __shared__ float tile[size];
  const unsigned t = threadIdx.x;
  const std::size_t i = std::size_t{blockIdx.x} * (2 * size) + t;
  const float first = i < n ? in[i] : 0.0f;
  const float second = i + size < n ? in[i + size] : 0.0f;
  tile[t] = first + second;
  __syncthreads();
  if (size >= 256 && t < 128) tile[t] += tile[t + 128];
  if (size >= 128 && t < 64) tile[t] += tile[t + 64];
  __syncthreads();
  if (t < 32) {
    for (unsigned step = 32; step > 0; step /= 2) {
      if (t < step) tile[t] += tile[t + step];
      __syncwarp();
    }
  }
  if (t == 0) out[blockIdx.x] = tile[0];
}

}  // namespace

void reduce::v5(const float* in, float* out, float* workspace, std::size_t n, cudaStream_t stream) {
  in_passes(in, out, workspace, n, 2 * block_threads, stream,
            [=](const float* from, float* to, std::size_t count, unsigned blocks) {
              sum_tiles<block_threads><<<blocks, block_threads, 0, stream>>>(from, to, count);
            });
}
