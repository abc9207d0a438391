// reduce.generic: least, greatest and dot product, by one kernel.
//
// Nothing in v6 is about sums but one operator and one number: `+`, and the 0 that stands for what is not there. Any
// operation will do for which grouping does not matter, if it has a value that changes nothing. And what is reduced
// need not lie in memory: it can be made on the way, such as the products of a dot product.
//
// fails now: right: finds the least of every length

#include <cmath>

#include "passes.h"
#include "reduce.h"

namespace {

constexpr unsigned block_threads = 256;
constexpr unsigned warps = block_threads / 32;
constexpr unsigned tile_values = 2 * block_threads;

// TODO: make a template of this: of the operation, with the value that changes nothing, and of what an element is. What
// a kernel calls is marked __device__, the operator() of a struct too. fminf, fmaxf and INFINITY are at hand there;
// std::min and std::numeric_limits are the host's.
__device__ float sum_of_warp(float value) {
  for (unsigned distance = 16; distance > 0; distance /= 2) value += __shfl_down_sync(0xffffffff, value, distance);
  return value;
}

// Writes the sum of the block's tile of values, as far as they are below n, to out[b], where b is the block's number.
__global__ void sum_tiles(const float* in, float* out, std::size_t n) {
  __shared__ float warp_sums[warps];
  const unsigned t = threadIdx.x;
  const std::size_t i = std::size_t{blockIdx.x} * tile_values + t;
  const float first = i < n ? in[i] : 0.0f;
  const float second = i + block_threads < n ? in[i + block_threads] : 0.0f;
  float sum = sum_of_warp(first + second);
  if (t % 32 == 0) warp_sums[t / 32] = sum;
  __syncthreads();
  if (t < 32) {
    sum = sum_of_warp(t < warps ? warp_sums[t] : 0.0f);
    if (t == 0) out[blockIdx.x] = sum;
  }
}

void sum(const float* in, float* out, float* workspace, std::size_t n, cudaStream_t stream) {
  const auto tiles = n == 0 ? 1 : static_cast<unsigned>(reduce::groups_of(tile_values, n));
  sum_tiles<<<tiles, block_threads, 0, stream>>>(in, tiles == 1 ? out : workspace, n);
  if (tiles == 1) return;
  const auto launch = [&](const float* from, float* to, std::size_t count, unsigned blocks) {
    sum_tiles<<<blocks, block_threads, 0, stream>>>(from, to, count);
  };
  reduce::in_passes(workspace, out, workspace + tiles, tiles, tile_values, stream, launch);
}
// END

}  // namespace

void reduce::minimum(const float* in, float* out, float* workspace, std::size_t n, cudaStream_t stream) {
  // TODO: the least, not the sum.
  sum(in, out, workspace, n, stream);
  // END
}

void reduce::maximum(const float* in, float* out, float* workspace, std::size_t n, cudaStream_t stream) {
  // TODO: the greatest.
  sum(in, out, workspace, n, stream);
  // END
}

void reduce::dot(const float* x, const float* y, float* out, float* workspace, std::size_t n, cudaStream_t stream) {
  // TODO: the sum of the products.
  sum(x, out, workspace, n, stream);
  // END
}
