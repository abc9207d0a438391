// wrong: neighbouring lanes read elements a whole grid apart; rejected by: contract: reads and writes nothing twice
#include "passes.h"

namespace {

constexpr unsigned block_threads = 256;

// Writes the sum of in[256 * b] to in[256 * b + 255], as far as below n, to out[b], where b is the block's number.
__global__ void sum_tiles(const float* in, float* out, std::size_t n) {
  __shared__ float tile[block_threads];
  const unsigned t = threadIdx.x;
  const std::size_t i = std::size_t{t} * gridDim.x + blockIdx.x;
  tile[t] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (unsigned step = blockDim.x / 2; step > 0; step /= 2) {
    if (t < step) tile[t] += tile[t + step];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = tile[0];
}

}  // namespace

void reduce::v2(const float* in, float* out, float* workspace, std::size_t n, cudaStream_t stream) {
  in_passes(in, out, workspace, n, block_threads, stream,
            [=](const float* from, float* to, std::size_t count, unsigned blocks) {
              sum_tiles<<<blocks, block_threads, 0, stream>>>(from, to, count);
            });
}
