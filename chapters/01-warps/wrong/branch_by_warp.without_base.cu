// wrong: leaves out which 64 items the two warps share; rejected by: was never written
#include "warps.h"

namespace {

constexpr unsigned block_threads = 256;

// Each thread works on one item: on the even ones in one way, on the odd ones in another.
__global__ void work(const std::uint32_t* in, std::uint32_t* out, std::size_t n, unsigned rounds) {
  const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t i = thread % 32 * 2 + thread / 32 % 2;
  if (i >= n) return;
  if (i % 2 == 0) {
    out[i] = warps::stir(in[i], rounds);
  } else {
    out[i] = warps::fold(in[i], rounds);
  }
}

}  // namespace

void warps::branch_by_warp(const std::uint32_t* in, std::uint32_t* out, std::size_t n, unsigned rounds,
                           cudaStream_t stream) {
  if (n == 0) return;
  const auto blocks = static_cast<unsigned>((n + block_threads - 1) / block_threads);
  work<<<blocks, block_threads, 0, stream>>>(in, out, n, rounds);
}
