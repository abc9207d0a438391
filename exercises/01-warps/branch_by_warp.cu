// warps.branch_by_warp: a branch costs nothing as long as a whole warp takes one side.
//
// The even items are stirred, the odd ones folded; both take a loop. If neighbouring threads take neighbouring items,
// each warp holds both kinds: it runs the one loop with 16 of its lanes, and then the other with the other 16. Which
// thread takes which item is yours to say.
//
// fails now: contract: no warp takes both sides

#include "warps.h"

namespace {

constexpr unsigned block_threads = 256;

// Each thread works on one item: on the even ones in one way, on the odd ones in another.
__global__ void work(const std::uint32_t* in, std::uint32_t* out, std::size_t n, unsigned rounds) {
  const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  // TODO: choose the item so that all 32 threads of a warp have items of one kind.
  const std::size_t i = thread;
  // END
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
