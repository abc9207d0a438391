// memory.coalesce: which lane takes which element.
//
// A thread that scales 8 elements seems to want 8 neighbours, as on a CPU, where they share a cache line. But it is the
// warp that loads: in each round of the loop, 32 lanes load at once, and memory moves the sectors that they touch.
//
// fails now: contract: every sector is used whole

#include "memory.h"

namespace {

constexpr unsigned block_threads = 256;
constexpr unsigned elements = 8;  // of one thread

// Each block scales a tile of 2048 elements, each thread 8 of them.
__global__ void scale(const float* in, float* out, float factor, std::size_t n) {
  const std::size_t tile = std::size_t{blockIdx.x} * blockDim.x * elements;
  // TODO: give the elements of a tile to other threads, so that a warp's lanes take neighbours in every round.
  for (unsigned k = 0; k < elements; ++k) {
    const std::size_t i = tile + threadIdx.x * elements + k;
    if (i < n) out[i] = factor * in[i];
  }
  // END
}

}  // namespace

void memory::coalesce(const float* in, float* out, float factor, std::size_t n, cudaStream_t stream) {
  if (n == 0) return;
  constexpr std::size_t tile = block_threads * elements;
  scale<<<static_cast<unsigned>((n + tile - 1) / tile), block_threads, 0, stream>>>(in, out, factor, n);
}
