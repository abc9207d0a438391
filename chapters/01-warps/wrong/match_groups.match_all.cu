// wrong: adds for all where all agree, one by one elsewhere; rejected by: contract: one lane adds for each key
#include "warps.h"

namespace {

constexpr unsigned block_threads = 256;

// Each thread counts one key.
__global__ void count_keys(const std::uint32_t* keys, std::uint32_t* counts, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const unsigned present = __ballot_sync(warps::all_lanes, i < n);
  if (i >= n) return;
  const std::uint32_t key = keys[i];
  int agree;
  const unsigned lane = threadIdx.x % 32, all = __match_all_sync(present, key, &agree), same = agree ? all : 1u << lane;
  const bool leads = (same & ((1u << lane) - 1)) == 0;
  if (leads) atomicAdd(&counts[key], static_cast<unsigned>(__popc(same)));
}

}  // namespace

void warps::match_groups(const std::uint32_t* keys, std::uint32_t* counts, std::size_t n, cudaStream_t stream) {
  if (n == 0) return;
  const auto blocks = static_cast<unsigned>((n + block_threads - 1) / block_threads);
  count_keys<<<blocks, block_threads, 0, stream>>>(keys, counts, n);
}
