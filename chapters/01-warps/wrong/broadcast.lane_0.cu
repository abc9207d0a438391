// wrong: takes lane 0 for the leader; rejected by: right: measures every length
#include "warps.h"

namespace {

constexpr unsigned block_threads = 256;

// Each warp measures the 32 values of its group against the value of one of its lanes.
__global__ void measure(const float* in, const std::uint32_t* leaders, float* out, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const bool inside = i < n;
  const float value = in[inside ? i : 0];
  const unsigned leader = leaders[inside ? i / 32 : 0];
  const float against = __shfl_sync(warps::all_lanes, value, leader & 0u);
  if (inside) out[i] = value - against;
}

}  // namespace

void warps::broadcast(const float* in, const std::uint32_t* leaders, float* out, std::size_t n, cudaStream_t stream) {
  if (n == 0) return;
  const auto blocks = static_cast<unsigned>((n + block_threads - 1) / block_threads);
  measure<<<blocks, block_threads, 0, stream>>>(in, leaders, out, n);
}
