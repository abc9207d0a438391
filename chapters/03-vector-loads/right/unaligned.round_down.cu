// Groups are counted from the multiple of 16 before the array; each thread scales what there is of its group.
#include <cstdint>

#include "vectors.h"

namespace {

constexpr unsigned block_threads = 128;

__global__ void scale(float* data, std::size_t n, unsigned before, float factor) {
  // Positions are counted from `before` floats in front of the array.
  const std::size_t first = 4 * (std::size_t{blockIdx.x} * blockDim.x + threadIdx.x);
  float* const base = data - before;
  if (first >= before && first + 4 <= before + n) {
    float4 four = *reinterpret_cast<const float4*>(base + first);
    four.x *= factor;
    four.y *= factor;
    four.z *= factor;
    four.w *= factor;
    *reinterpret_cast<float4*>(base + first) = four;
    return;
  }
  for (std::size_t k = first; k < first + 4; ++k) {
    if (k >= before && k < before + n) base[k] *= factor;
  }
}

}  // namespace

void vectors::unaligned(float* data, std::size_t n, float factor, cudaStream_t stream) {
  if (n == 0) return;
  const auto before = static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(data) % 16 / 4);
  const std::size_t threads = (n + before + 3) / 4;
  const auto blocks = static_cast<unsigned>((threads + block_threads - 1) / block_threads);
  scale<<<blocks, block_threads, 0, stream>>>(data, n, before, factor);
}
