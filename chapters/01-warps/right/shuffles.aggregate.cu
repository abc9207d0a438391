// The lane from the hardware, blocks of one warp, and 31 - lane as ~lane: a shuffle takes the lane modulo 32.
#include "warps.h"

namespace {

__global__ void look_around(const std::int32_t* in, warps::Sight* sights, std::size_t n) {
  unsigned lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  const std::size_t i = std::size_t{blockIdx.x} * 32 + lane;
  const std::int32_t value = i < n ? in[i] : 0;
  const warps::Sight sight = {__shfl_sync(warps::all_lanes, value, ~lane), __shfl_up_sync(warps::all_lanes, value, 1),
                              __shfl_down_sync(warps::all_lanes, value, 1),
                              __shfl_xor_sync(warps::all_lanes, value, 1)};
  if (i < n) sights[i] = sight;
}

}  // namespace

void warps::shuffles(const std::int32_t* in, Sight* sights, std::size_t n, cudaStream_t stream) {
  if (n != 0) look_around<<<static_cast<unsigned>(warps_of(n)), 32, 0, stream>>>(in, sights, n);
}
