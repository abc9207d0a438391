// warps.partition: bring items of a kind together, then work on them.
//
// Even values are stirred, odd ones folded, as before, but now nobody knows where the even ones are. A block can find
// out: its threads put the numbers of even items at the front of a queue in shared memory and those of odd items at its
// back. Then each takes an item from the queue, and at most one warp finds both kinds.
//
// fails now: contract: at most one warp of a block does both kinds

#include "warps.h"

namespace {

constexpr unsigned block_threads = 256;

// Each block works on as many items as it has threads: on even values in one way, on odd ones in another.
__global__ void work(const std::uint32_t* in, std::uint32_t* out, std::size_t n, unsigned rounds) {
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x;
  const unsigned t = threadIdx.x;
  const auto items = static_cast<unsigned>(min(n - first, std::size_t{blockDim.x}));
  // TODO: put the block's items in a queue, even values in front, odd ones behind, and let thread t take place t.
  unsigned mine = t;
  // END
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
