// wrong: warps that add nothing go through the last rounds; rejected by: contract: no block barrier among
#include "passes.h"

namespace {

constexpr unsigned block_threads = 256;
constexpr unsigned tile_values = 2 * block_threads;

// Writes the sum of in[tile_values * b] to in[tile_values * b + tile_values - 1], as far as below n, to out[b], where b
// is the block's number.
__global__ void sum_tiles(const float* in, float* out, std::size_t n) {
  __shared__ float tile[block_threads];
  const unsigned t = threadIdx.x;
  const std::size_t i = std::size_t{blockIdx.x} * tile_values + t;
  const float first = i < n ? in[i] : 0.0f;
  const float second = i + block_threads < n ? in[i + block_threads] : 0.0f;
  tile[t] = first + second;
  __syncthreads();
  for (unsigned step = blockDim.x / 2; step > 32; step /= 2) {
    if (t < step) tile[t] += tile[t + step];
    __syncthreads();
  }
  for (unsigned step = 32; step > 0; step /= 2) {
    if (t < step) tile[t] += tile[t + step];
    __syncwarp();
  }
  if (t == 0) out[blockIdx.x] = tile[0];
}

}  // namespace

void reduce::v4(const float* in, float* out, float* workspace, std::size_t n, cudaStream_t stream) {
  in_passes(in, out, workspace, n, tile_values, stream,
            [=](const float* from, float* to, std::size_t count, unsigned blocks) {
              sum_tiles<<<blocks, block_threads, 0, stream>>>(from, to, count);
            });
}
