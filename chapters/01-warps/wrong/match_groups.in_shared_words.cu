// wrong: adds up in words of the block that another thread still clears; rejected by: race
#include "warps.h"

namespace {

constexpr unsigned block_threads = 256;

// Each thread counts one key.
__global__ void count_keys(const std::uint32_t* keys, std::uint32_t* counts, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  __shared__ unsigned sums[64];
  if (threadIdx.x < 64) sums[threadIdx.x] = 0;
  if (i < n && keys[i] < 64) atomicAdd(&sums[keys[i]], 1u);
  __syncthreads();
  if (threadIdx.x < 64 && sums[threadIdx.x] != 0) atomicAdd(&counts[threadIdx.x], sums[threadIdx.x]);
}

}  // namespace

void warps::match_groups(const std::uint32_t* keys, std::uint32_t* counts, std::size_t n, cudaStream_t stream) {
  if (n == 0) return;
  const auto blocks = static_cast<unsigned>((n + block_threads - 1) / block_threads);
  count_keys<<<blocks, block_threads, 0, stream>>>(keys, counts, n);
}
