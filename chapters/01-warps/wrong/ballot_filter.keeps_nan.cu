// wrong: keeps what is not below the limit, NaN included; rejected by: right: keeps
#include <cmath>

#include "warps.h"

namespace {

constexpr unsigned block_threads = 256;

// Each thread looks at one value, and writes it to a place of its own if it is kept.
__global__ void filter(const float* in, float* out, std::uint32_t* kept, float least, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const float value = i < n ? in[i] : NAN;
  const bool keeps = i < n && !(value <= least);
  const unsigned lane = threadIdx.x % 32, keeping = __ballot_sync(warps::all_lanes, keeps);
  unsigned base = 0;
  if (lane == 0) base = atomicAdd(kept, static_cast<unsigned>(__popc(keeping)));
  base = __shfl_sync(warps::all_lanes, base, 0);
  const unsigned before = static_cast<unsigned>(__popc(keeping & ((1u << lane) - 1)));
  const unsigned place = base + before;
  if (keeps) out[place] = value;
}

}  // namespace

void warps::ballot_filter(const float* in, float* out, std::uint32_t* kept, float least, std::size_t n,
                          cudaStream_t stream) {
  if (n == 0) return;
  const auto blocks = static_cast<unsigned>((n + block_threads - 1) / block_threads);
  filter<<<blocks, block_threads, 0, stream>>>(in, out, kept, least, n);
}
