// Half as many threads, each with an even and an odd item, one after the other: nothing is left to choose.
#include "warps.h"

namespace {

constexpr unsigned block_threads = 128;

__global__ void work(const std::uint32_t* in, std::uint32_t* out, std::size_t n, unsigned rounds) {
  const std::size_t even = 2 * (std::size_t{blockIdx.x} * blockDim.x + threadIdx.x);
  if (even < n) out[even] = warps::stir(in[even], rounds);
  if (even + 1 < n) out[even + 1] = warps::fold(in[even + 1], rounds);
}

}  // namespace

void warps::branch_by_warp(const std::uint32_t* in, std::uint32_t* out, std::size_t n, unsigned rounds,
                           cudaStream_t stream) {
  if (n == 0) return;
  const auto blocks = static_cast<unsigned>((n + 2 * block_threads - 1) / (2 * block_threads));
  work<<<blocks, block_threads, 0, stream>>>(in, out, n, rounds);
}
