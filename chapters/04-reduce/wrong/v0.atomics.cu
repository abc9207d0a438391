// wrong: every thread adds to one word by an atomic; rejected by: contract: adds in a tree in shared memory
#include "passes.h"

namespace {

constexpr unsigned block_threads = 256;

// Writes the sum of in[256 * b] to in[256 * b + 255], as far as below n, to out[b], where b is the block's number.
__global__ void sum_tiles(const float* in, float* out, std::size_t n) {
  __shared__ float sum;
  const unsigned t = threadIdx.x;
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + t;
  if (t == 0) sum = 0.0f;
  __syncthreads();
  if (i < n) atomicAdd(&sum, in[i]);
  __syncthreads();
  if (t == 0) out[blockIdx.x] = sum;
}

}  // namespace

void reduce::v0(const float* in, float* out, float* workspace, std::size_t n, cudaStream_t stream) {
  in_passes(in, out, workspace, n, block_threads, stream,
            [=](const float* from, float* to, std::size_t count, unsigned blocks) {
              sum_tiles<<<blocks, block_threads, 0, stream>>>(from, to, count);
            });
}
