// warps.match_groups: lanes with the same key find each other.
//
// A histogram. Where keys repeat, lanes of a warp want to add to the same counter, and each atomic of theirs waits for
// the one before. __match_any_sync(mask, key) gives to each lane a word with a bit for every lane that has the same key
// as itself. So one lane of each such group can add for all of it.

#include "warps.h"

namespace {

constexpr unsigned block_threads = 256;

// Each thread counts one key.
__global__ void count_keys(const std::uint32_t* keys, std::uint32_t* counts, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  // SOLUTION: the mask names just the lanes that have a key, which a ballot of all of them tells. In each group of
  // equal keys the lane with no other before it leads, and adds as many as the group's word has bits.
  const unsigned present = __ballot_sync(warps::all_lanes, i < n);
  if (i >= n) return;
  const std::uint32_t key = keys[i];
  const unsigned same = __match_any_sync(present, key), lane = threadIdx.x % 32;
  const bool leads = (same & ((1u << lane) - 1)) == 0;
  if (leads) atomicAdd(&counts[key], static_cast<unsigned>(__popc(same)));
  // END
}

}  // namespace

void warps::match_groups(const std::uint32_t* keys, std::uint32_t* counts, std::size_t n, cudaStream_t stream) {
  if (n == 0) return;
  const auto blocks = static_cast<unsigned>((n + block_threads - 1) / block_threads);
  count_keys<<<blocks, block_threads, 0, stream>>>(keys, counts, n);
}
