// wrong: places the odd items one place too far back; rejected by: uninitialised
#include "warps.h"

namespace {

constexpr unsigned block_threads = 256;

// Each block works on as many items as it has threads: on even values in one way, on odd ones in another.
__global__ void work(const std::uint32_t* in, std::uint32_t* out, std::size_t n, unsigned rounds) {
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x;
  const unsigned t = threadIdx.x;
  const unsigned items = n - first < blockDim.x ? static_cast<unsigned>(n - first) : blockDim.x;
  unsigned mine = t;
  __shared__ unsigned even, odd, queue[block_threads + 1];
  if (t == 0) even = odd = 0;
  __syncthreads();
  if (t < items) {
    const bool is_even = in[first + t] % 2 == 0;
    const unsigned before = atomicAdd(is_even ? &even : &odd, 1u);
    queue[is_even ? before : items - before] = t;
  }
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
