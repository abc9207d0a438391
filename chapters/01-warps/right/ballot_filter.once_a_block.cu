// One step further: the block reserves for all of its warps.
#include <cmath>

#include "warps.h"

namespace {

constexpr unsigned block_threads = 256;

// Each thread looks at one value, and writes it to a place of its own if it is kept.
__global__ void filter(const float* in, float* out, std::uint32_t* kept, float least, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const float value = i < n ? in[i] : NAN;
  const bool keeps = value > least;
  __shared__ unsigned counts[block_threads / 32], base;
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const unsigned keeping = __ballot_sync(warps::all_lanes, keeps);
  if (lane == 0) counts[warp] = static_cast<unsigned>(__popc(keeping));
  __syncthreads();
  if (threadIdx.x == 0) {
    unsigned all = 0;
    for (unsigned count : counts) all += count;
    base = atomicAdd(kept, all);
  }
  __syncthreads();
  unsigned place = base + static_cast<unsigned>(__popc(keeping & ((1u << lane) - 1)));
  for (unsigned other = 0; other < warp; ++other) place += counts[other];
  if (keeps) out[place] = value;
}

}  // namespace

void warps::ballot_filter(const float* in, float* out, std::uint32_t* kept, float least, std::size_t n,
                          cudaStream_t stream) {
  if (n == 0) return;
  const auto blocks = static_cast<unsigned>((n + block_threads - 1) / block_threads);
  filter<<<blocks, block_threads, 0, stream>>>(in, out, kept, least, n);
}
