// wrong: takes __ldg for a hint that data is used once; rejected by: contract: what streams is marked
#include "memory.h"

namespace {

constexpr unsigned block_threads = 256;

// Each thread looks one element up.
__global__ void look_up(const float* table, const std::uint32_t* indices, float* out, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  __stcs(out + i, table[__ldg(indices + i)]);
}

}  // namespace

void memory::cache_hints(const float* table, const std::uint32_t* indices, float* out, std::size_t n,
                         cudaStream_t stream) {
  if (n == 0) return;
  const auto blocks = static_cast<unsigned>((n + block_threads - 1) / block_threads);
  look_up<<<blocks, block_threads, 0, stream>>>(table, indices, out, n);
}
