// Copies whose loads lie far apart, off the beginning of a sector, in another order, or anywhere. Their stores lie side
// by side, so that whatever differs is the loads'.
#include "comparisons.h"

namespace {

constexpr unsigned block_threads = 256;

__global__ void strided(const float* in, float* out, std::size_t n, std::size_t stride, std::size_t offset) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i * stride + offset];
}

template <memory::Pattern pattern>
__global__ void placed(const float* in, float* out, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[memory::place(pattern, i, n)];
}

unsigned blocks_for(std::size_t n) { return static_cast<unsigned>((n + block_threads - 1) / block_threads); }

}  // namespace

void memory::copy_strided(const float* in, float* out, std::size_t n, std::size_t stride, std::size_t offset,
                          cudaStream_t stream) {
  if (n != 0) strided<<<blocks_for(n), block_threads, 0, stream>>>(in, out, n, stride, offset);
}

void memory::copy_placed(Pattern pattern, const float* in, float* out, std::size_t n, cudaStream_t stream) {
  if (n == 0) return;
  switch (pattern) {
    case Pattern::mixed:
      placed<Pattern::mixed><<<blocks_for(n), block_threads, 0, stream>>>(in, out, n);
      break;
    case Pattern::shared:
      placed<Pattern::shared><<<blocks_for(n), block_threads, 0, stream>>>(in, out, n);
      break;
    case Pattern::scattered:
      placed<Pattern::scattered><<<blocks_for(n), block_threads, 0, stream>>>(in, out, n);
      break;
  }
}
