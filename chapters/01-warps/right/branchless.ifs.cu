// Written with if and else, and no lane parts from another: both sides are so short that the compiler chooses values
// instead of branching.
#include "warps.h"

namespace {

constexpr unsigned block_threads = 256;

// Each thread moves one value towards 0.
__global__ void shrink(const float* in, float* out, float threshold, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float x = in[i];
  float magnitude = fabsf(x) - threshold;
  if (magnitude < 0) magnitude = 0;
  float result = magnitude;
  if (signbit(x)) result = -magnitude;
  out[i] = result;
}

}  // namespace

void warps::branchless(const float* in, float* out, float threshold, std::size_t n, cudaStream_t stream) {
  if (n == 0) return;
  const auto blocks = static_cast<unsigned>((n + block_threads - 1) / block_threads);
  shrink<<<blocks, block_threads, 0, stream>>>(in, out, threshold, n);
}
