// wrong: a tree in shared memory; rejected by: contract: needs no shared memory
#include <cmath>

#include "warps.h"

namespace {

constexpr unsigned block_threads = 256;

// Each warp reduces the 32 values at its place; lane 0 writes the results.
__global__ void reduce_warps(const float* in, float* sums, float* minima, float* maxima, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const bool inside = i < n;
  float sum = inside ? in[i] : 0.0f;
  float minimum = inside ? in[i] : INFINITY;
  float maximum = inside ? in[i] : -INFINITY;
  __shared__ float tile[3][block_threads];
  const unsigned t = threadIdx.x;
  tile[0][t] = sum;
  tile[1][t] = minimum;
  tile[2][t] = maximum;
  for (unsigned distance = 16; distance > 0; distance /= 2) {
    __syncwarp();
    if (t % 32 < distance) {
      tile[0][t] += tile[0][t + distance];
      tile[1][t] = fminf(tile[1][t], tile[1][t + distance]);
      tile[2][t] = fmaxf(tile[2][t], tile[2][t + distance]);
    }
  }
  sum = tile[0][t];
  minimum = tile[1][t];
  maximum = tile[2][t];
  if (inside && threadIdx.x % 32 == 0) {
    sums[i / 32] = sum;
    minima[i / 32] = minimum;
    maxima[i / 32] = maximum;
  }
}

}  // namespace

void warps::warp_reduce(const float* in, float* sums, float* minima, float* maxima, std::size_t n,
                        cudaStream_t stream) {
  if (n == 0) return;
  const auto blocks = static_cast<unsigned>((n + block_threads - 1) / block_threads);
  reduce_warps<<<blocks, block_threads, 0, stream>>>(in, sums, minima, maxima, n);
}
