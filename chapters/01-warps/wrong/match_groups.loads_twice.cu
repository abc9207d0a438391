// wrong: reads the key a second time, for the counter; rejected by: contract: a key is loaded once
#include "warps.h"

namespace {

constexpr unsigned block_threads = 256;

// Each thread counts one key.
__global__ void count_keys(const std::uint32_t* keys, std::uint32_t* counts, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const unsigned present = __ballot_sync(warps::all_lanes, i < n);
  if (i >= n) return;
  const unsigned lane = threadIdx.x % 32, same = __match_any_sync(present, keys[i]);
  if (lane + 1 == static_cast<unsigned>(__ffs(static_cast<int>(same)))) {
    atomicAdd(&counts[keys[i]], static_cast<unsigned>(__popc(same)));
  }
}

}  // namespace

void warps::match_groups(const std::uint32_t* keys, std::uint32_t* counts, std::size_t n, cudaStream_t stream) {
  if (n == 0) return;
  const auto blocks = static_cast<unsigned>((n + block_threads - 1) / block_threads);
  count_keys<<<blocks, block_threads, 0, stream>>>(keys, counts, n);
}
