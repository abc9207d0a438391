// Keeps the order of the items: each counts those of its kind before it. Slower to find out, and no atomics.
#include "warps.h"

namespace {

constexpr unsigned block_threads = 256;

// Each block works on as many items as it has threads: on even values in one way, on odd ones in another.
__global__ void work(const std::uint32_t* in, std::uint32_t* out, std::size_t n, unsigned rounds) {
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x;
  const unsigned t = threadIdx.x;
  const unsigned items = n - first < blockDim.x ? static_cast<unsigned>(n - first) : blockDim.x;
  unsigned mine = t;
  __shared__ unsigned evens_of_warp[block_threads / 32], queue[block_threads];
  const bool is_even = t < items && in[first + t] % 2 == 0;
  const unsigned lanes_before = (1u << t % 32) - 1, evens = __ballot_sync(0xffffffff, is_even);
  if (t % 32 == 0) evens_of_warp[t / 32] = __popc(evens);
  __syncthreads();
  unsigned before = __popc(evens & lanes_before), all = 0;
  for (unsigned warp = 0; warp < block_threads / 32; ++warp) {
    if (warp < t / 32) before += evens_of_warp[warp];
    all += evens_of_warp[warp];
  }
  if (t < items) queue[is_even ? before : all + t - before] = t;
  __syncthreads();
  if (t < items) mine = queue[t];
  if (t >= items) return;
  const std::uint32_t value = in[first + mine];
  if (value % 2 == 0) {
    out[first + mine] = warps::stir(value, rounds);
  } else {
    out[first + mine] = warps::fold(value, rounds);
  }
}

}  // namespace

void warps::partition(const std::uint32_t* in, std::uint32_t* out, std::size_t n, unsigned rounds,
                      cudaStream_t stream) {
  if (n == 0) return;
  const auto blocks = static_cast<unsigned>((n + block_threads - 1) / block_threads);
  work<<<blocks, block_threads, 0, stream>>>(in, out, n, rounds);
}
