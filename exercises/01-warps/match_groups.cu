// warps.match_groups: lanes with the same key find each other.
//
// A histogram. Where keys repeat, lanes of a warp want to add to the same counter, and each atomic of theirs waits for
// the one before. __match_any_sync(mask, key) gives to each lane a word with a bit for every lane that has the same key
// as itself. So one lane of each such group can add for all of it.
//
// fails now: contract: one lane adds for each key of a warp

#include "warps.h"

namespace {

constexpr unsigned block_threads = 256;

// Each thread counts one key.
__global__ void count_keys(const std::uint32_t* keys, std::uint32_t* counts, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  // TODO: let one lane of those with the same key add for all of them.
  if (i < n) atomicAdd(&counts[keys[i]], 1u);
  // END
}

}  // namespace

void warps::match_groups(const std::uint32_t* keys, std::uint32_t* counts, std::size_t n, cudaStream_t stream) {
  if (n == 0) return;
  const auto blocks = static_cast<unsigned>((n + block_threads - 1) / block_threads);
  count_keys<<<blocks, block_threads, 0, stream>>>(keys, counts, n);
}
