// wrong: the array has its size already, and is given it once more; rejected by: contract: no shared memory lies idle
#include "passes.h"

namespace {

constexpr unsigned block_threads = 256;

__device__ float sum_of_warp(float value) {
  for (unsigned distance = 16; distance > 0; distance /= 2) value += __shfl_down_sync(0xffffffff, value, distance);
  return value;
}

// Writes the sum of in[2 * size * b] to in[2 * size * b + 2 * size - 1], as far as below n, to out[b], where b is the
// block's number. `size` is the number of the block's threads, a multiple of 32.
template <unsigned size>
__global__ void sum_tiles(const float* in, float* out, std::size_t n) {
  static_assert(size % 32 == 0, "whole warps only: the number of warps is rounded down");
  constexpr unsigned warps = size / 32;
  __shared__ float warp_sums[warps];  // 32 bytes for 256 threads, where v5 had 1,024
  const unsigned t = threadIdx.x;
  const std::size_t i = std::size_t{blockIdx.x} * (2 * size) + t;
  const float first = i < n ? in[i] : 0.0f;
  const float second = i + size < n ? in[i + size] : 0.0f;
  float sum = sum_of_warp(first + second);
  if (t % 32 == 0) warp_sums[t / 32] = sum;
  __syncthreads();
  if (t < 32) {
    sum = sum_of_warp(t < warps ? warp_sums[t] : 0.0f);  // all 32 lanes: the shuffle's mask names them
    if (t == 0) out[blockIdx.x] = sum;
  }
}

}  // namespace

void reduce::v6(const float* in, float* out, float* workspace, std::size_t n, cudaStream_t stream) {
  in_passes(in, out, workspace, n, 2 * block_threads, stream,
            [=](const float* from, float* to, std::size_t count, unsigned blocks) {
              sum_tiles<block_threads>
                  <<<blocks, block_threads, block_threads / 32 * sizeof(float), stream>>>(from, to, count);
            });
}
