// Blocks of one warp, in which only the lanes below n go on, and are named.
#include "warps.h"

namespace {

__global__ void measure(const float* in, const std::uint32_t* leaders, float* out, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * warpSize + threadIdx.x;
  const unsigned lanes = __ballot_sync(0xffffffff, i < n);
  if (i >= n) return;
  const float value = in[i];
  out[i] = value - __shfl_sync(lanes, value, static_cast<int>(leaders[blockIdx.x]));
}

}  // namespace

void warps::broadcast(const float* in, const std::uint32_t* leaders, float* out, std::size_t n, cudaStream_t stream) {
  if (n != 0) measure<<<static_cast<unsigned>(warps_of(n)), 32, 0, stream>>>(in, leaders, out, n);
}
