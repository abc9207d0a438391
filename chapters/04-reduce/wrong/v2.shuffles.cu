// wrong: shuffles, so no conflicts for want of accesses; rejected by: contract: adds in a tree in shared memory
#include "passes.h"

namespace {

constexpr unsigned block_threads = 256;

// Writes the sum of in[256 * b] to in[256 * b + 255], as far as below n, to out[b], where b is the block's number.
__global__ void sum_tiles(const float* in, float* out, std::size_t n) {
  __shared__ float tile[block_threads];
  const unsigned t = threadIdx.x;
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x;
  float sum = first + t < n ? in[first + t] : 0.0f;
  for (unsigned distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(0xffffffff, sum, distance);
  if (t % 32 == 0) tile[t / 32] = sum;
  __syncthreads();
  if (t < 32) {
    sum = t < blockDim.x / 32 ? tile[t] : 0.0f;
    for (unsigned distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(0xffffffff, sum, distance);
  }
  if (t == 0) out[blockIdx.x] = sum;
}

}  // namespace

void reduce::v2(const float* in, float* out, float* workspace, std::size_t n, cudaStream_t stream) {
  in_passes(in, out, workspace, n, block_threads, stream,
            [=](const float* from, float* to, std::size_t count, unsigned blocks) {
              sum_tiles<<<blocks, block_threads, 0, stream>>>(from, to, count);
            });
}
