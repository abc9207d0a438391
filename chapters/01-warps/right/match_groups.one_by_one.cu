// Without match: the first lane left names its key, and a ballot finds all that have it.
#include "warps.h"

namespace {

constexpr unsigned block_threads = 256;

// Each thread counts one key.
__global__ void count_keys(const std::uint32_t* keys, std::uint32_t* counts, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  unsigned left = __ballot_sync(warps::all_lanes, i < n);
  const std::uint32_t key = i < n ? keys[i] : 0;
  const unsigned mine = 1u << threadIdx.x % 32;
  while (left != 0) {
    const int first = __ffs(static_cast<int>(left)) - 1;
    const std::uint32_t wanted = __shfl_sync(warps::all_lanes, key, first);
    const unsigned same = __ballot_sync(warps::all_lanes, (left & mine) != 0 && key == wanted);
    if (mine == 1u << first) atomicAdd(&counts[key], static_cast<unsigned>(__popc(same)));
    left &= ~same;
  }
}

}  // namespace

void warps::match_groups(const std::uint32_t* keys, std::uint32_t* counts, std::size_t n, cudaStream_t stream) {
  if (n == 0) return;
  const auto blocks = static_cast<unsigned>((n + block_threads - 1) / block_threads);
  count_keys<<<blocks, block_threads, 0, stream>>>(keys, counts, n);
}
