// wrong: each warp writes a sum of its own, more than the workspace has room for; rejected by: safely: out of bounds
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
  const unsigned t = threadIdx.x;
  const std::size_t i = std::size_t{blockIdx.x} * (2 * size) + t;
  const float first = i < n ? in[i] : 0.0f;
  const float second = i + size < n ? in[i + size] : 0.0f;
  float sum = sum_of_warp(first + second);
  if (t % 32 == 0) out[std::size_t{blockIdx.x} * warps + t / 32] = sum;
}

}  // namespace

void reduce::v6(const float* in, float* out, float* workspace, std::size_t n, cudaStream_t stream) {
  float* halves[2] = {workspace, workspace + groups_of(64, n)};
  int pass = 0;
  while (n > 64) {
    const auto blocks = static_cast<unsigned>(groups_of(2 * block_threads, n));
    float* const to = halves[pass++ % 2];
    sum_tiles<block_threads><<<blocks, block_threads, 0, stream>>>(in, to, n);
    in = to;
    n = groups_of(64, n);
  }
  if (n == 0)
    cudaMemsetAsync(out, 0, sizeof *out, stream);
  else
    sum_tiles<32><<<1, 32, 0, stream>>>(in, out, n);
}
