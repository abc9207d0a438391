// All lanes match; those beyond n bring a key that no array of counters has room for.
#include "warps.h"

namespace {

constexpr unsigned block_threads = 256;

// Each thread counts one key.
__global__ void count_keys(const std::uint32_t* keys, std::uint32_t* counts, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const bool inside = i < n;
  const unsigned long long key = inside ? keys[i] : ~0ull;
  const unsigned same = __match_any_sync(warps::all_lanes, key);
  const int leader = 31 - __clz(static_cast<int>(same));
  if (inside && static_cast<int>(threadIdx.x % 32) == leader)
    atomicAdd(counts + key, static_cast<unsigned>(__popc(same)));
}

}  // namespace

void warps::match_groups(const std::uint32_t* keys, std::uint32_t* counts, std::size_t n, cudaStream_t stream) {
  if (n == 0) return;
  const auto blocks = static_cast<unsigned>((n + block_threads - 1) / block_threads);
  count_keys<<<blocks, block_threads, 0, stream>>>(keys, counts, n);
}
