// wrong: lanes beyond n return before the shuffles that name them; rejected by: which has exited
#include <cmath>

#include "warps.h"

namespace {

constexpr unsigned block_threads = 256;

// Each warp reduces the 32 values at its place; lane 0 writes the results.
__global__ void reduce_warps(const float* in, float* sums, float* minima, float* maxima, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const bool inside = true;
  float sum = inside ? in[i] : 0.0f;
  float minimum = inside ? in[i] : INFINITY;
  float maximum = inside ? in[i] : -INFINITY;
  for (unsigned distance = 16; distance > 0; distance /= 2) {
    sum += __shfl_down_sync(warps::all_lanes, sum, distance);
    minimum = fminf(minimum, __shfl_down_sync(warps::all_lanes, minimum, distance));
    maximum = fmaxf(maximum, __shfl_down_sync(warps::all_lanes, maximum, distance));
  }
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
