// memory.cache_hints: what is used once should not push out what is used again.
//
// Loads and stores can tell the caches how long their data will be of use. `indices` and `out` stream through: each
// element is used once. The table is used over and over, and should be what the caches keep.
//
// fails now: contract: what streams is marked

#include "memory.h"

namespace {

constexpr unsigned block_threads = 256;

// Each thread looks one element up.
__global__ void look_up(const float* table, const std::uint32_t* indices, float* out, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  // TODO: tell the caches that an index and a result are used once; let the table stay.
  out[i] = table[indices[i]];
  // END
}

}  // namespace

void memory::cache_hints(const float* table, const std::uint32_t* indices, float* out, std::size_t n,
                         cudaStream_t stream) {
  if (n == 0) return;
  const auto blocks = static_cast<unsigned>((n + block_threads - 1) / block_threads);
  look_up<<<blocks, block_threads, 0, stream>>>(table, indices, out, n);
}
