// The first lane that keeps a value reserves, and warps that keep none ask for nothing.
#include <cmath>

#include "warps.h"

namespace {

constexpr unsigned block_threads = 256;

// Each thread looks at one value, and writes it to a place of its own if it is kept.
__global__ void filter(const float* in, float* out, std::uint32_t* kept, float least, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const float value = i < n ? in[i] : NAN;
  const bool keeps = value > least;
  const unsigned keeping = __ballot_sync(warps::all_lanes, keeps);
  if (keeping == 0) return;
  const int lane = static_cast<int>(threadIdx.x % 32), leader = __ffs(static_cast<int>(keeping)) - 1;
  int base = 0;
  if (lane == leader) base = static_cast<int>(atomicAdd(kept, __popc(keeping)));
  unsigned lanes_below;
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(lanes_below));
  const int place = __shfl_sync(warps::all_lanes, base, leader) + __popc(keeping & lanes_below);
  if (keeps) out[place] = value;
}

}  // namespace

void warps::ballot_filter(const float* in, float* out, std::uint32_t* kept, float least, std::size_t n,
                          cudaStream_t stream) {
  if (n == 0) return;
  const auto blocks = static_cast<unsigned>((n + block_threads - 1) / block_threads);
  filter<<<blocks, block_threads, 0, stream>>>(in, out, kept, least, n);
}
