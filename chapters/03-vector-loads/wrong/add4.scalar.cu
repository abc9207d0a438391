// wrong: gives the width up; rejected by: contract: one instruction carries 16 bytes
#include "vectors.h"

namespace {

constexpr unsigned block_threads = 256;

// Each thread adds 4 elements.
__global__ void add(const float* a, const float* b, float* out, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t k = i; k < n; k += threads) out[k] = a[k] + b[k];
}

}  // namespace

void vectors::add4(const float* a, const float* b, float* out, std::size_t n, cudaStream_t stream) {
  if (n == 0) return;
  const std::size_t threads = (n + 3) / 4;
  const auto blocks = static_cast<unsigned>((threads + block_threads - 1) / block_threads);
  add<<<blocks, block_threads, 0, stream>>>(a, b, out, n);
}
