// wrong: takes a head of four where none is needed; rejected by: contract: an aligned array needs no head
#include <cstdint>

#include "vectors.h"

namespace {

constexpr unsigned block_threads = 256;

// Each thread scales up to 4 elements of the body; some scale one more of the head or the tail.
__global__ void scale(float* data, std::size_t n, float factor) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t offset = reinterpret_cast<std::uintptr_t>(data) / sizeof(float) % 4;
  std::size_t head = 4 - offset;
  if (head > n) head = n;
  const std::size_t groups = (n - head) / 4, tail = (n - head) % 4;
  if (i < groups) {
    float4* const group = reinterpret_cast<float4*>(data + head) + i;
    const float4 four = *group;
    *group = make_float4(factor * four.x, factor * four.y, factor * four.z, factor * four.w);
  }
  if (i < head) data[i] *= factor;
  if (i < tail) data[head + 4 * groups + i] *= factor;
}

}  // namespace

void vectors::unaligned(float* data, std::size_t n, float factor, cudaStream_t stream) {
  if (n == 0) return;
  const std::size_t threads = (n + 3) / 4 + 1;
  const auto blocks = static_cast<unsigned>((threads + block_threads - 1) / block_threads);
  scale<<<blocks, block_threads, 0, stream>>>(data, n, factor);
}
