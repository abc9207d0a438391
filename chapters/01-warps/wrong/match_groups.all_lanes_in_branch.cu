// wrong: names all lanes where only those below n come; rejected by: safely: match mask
#include "warps.h"

namespace {

constexpr unsigned block_threads = 256;

// Each thread counts one key.
__global__ void count_keys(const std::uint32_t* keys, std::uint32_t* counts, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  std::uint32_t key = 0;
  unsigned same = 0;
  const bool inside = i < n;
  if (inside) key = keys[i], same = __match_any_sync(warps::all_lanes, key);
  __syncwarp();
  if (!inside) return;
  const unsigned lane = threadIdx.x % 32;
  const bool leads = (same & ((1u << lane) - 1)) == 0;
  if (leads) atomicAdd(&counts[key], static_cast<unsigned>(__popc(same)));
}

}  // namespace

void warps::match_groups(const std::uint32_t* keys, std::uint32_t* counts, std::size_t n, cudaStream_t stream) {
  if (n == 0) return;
  const auto blocks = static_cast<unsigned>((n + block_threads - 1) / block_threads);
  count_keys<<<blocks, block_threads, 0, stream>>>(keys, counts, n);
}
