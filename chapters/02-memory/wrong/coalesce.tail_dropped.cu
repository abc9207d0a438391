// wrong: counts whole tiles only, so the last elements stay as they were; rejected by: was never written
#include "memory.h"

namespace {

constexpr unsigned block_threads = 256;
constexpr unsigned elements = 8;  // of one thread

// Each block scales a tile of 2048 elements, each thread 8 of them.
__global__ void scale(const float* in, float* out, float factor, std::size_t n) {
  const std::size_t tile = std::size_t{blockIdx.x} * blockDim.x * elements;
  for (unsigned k = 0; k < elements; ++k) {
    const std::size_t i = tile + k * blockDim.x + threadIdx.x;
    if (i < n) out[i] = factor * in[i];
  }
}

}  // namespace

void memory::coalesce(const float* in, float* out, float factor, std::size_t n, cudaStream_t stream) {
  if (n == 0) return;
  constexpr std::size_t tile = block_threads * elements;
  scale<<<static_cast<unsigned>(n < tile ? 1 : n / tile), block_threads, 0, stream>>>(in, out, factor, n);
}
