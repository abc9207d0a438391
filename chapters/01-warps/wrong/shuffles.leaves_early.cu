// wrong: lanes beyond n return before the shuffles; rejected by: has exited
#include "warps.h"

namespace {

constexpr unsigned block_threads = 256;

// Each lane looks at four others of its warp.
__global__ void look_around(const std::int32_t* in, warps::Sight* sights, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const std::int32_t value = i < n ? in[i] : 0;
  const int lane = static_cast<int>(threadIdx.x % 32);
  warps::Sight sight;
  sight.mirrored = __shfl_sync(warps::all_lanes, value, 31 - lane);
  sight.before = __shfl_up_sync(warps::all_lanes, value, 1);
  sight.after = __shfl_down_sync(warps::all_lanes, value, 1);
  sight.paired = __shfl_xor_sync(warps::all_lanes, value, 1);
  if (i < n) sights[i] = sight;
}

}  // namespace

void warps::shuffles(const std::int32_t* in, Sight* sights, std::size_t n, cudaStream_t stream) {
  if (n == 0) return;
  const auto blocks = static_cast<unsigned>((n + block_threads - 1) / block_threads);
  look_around<<<blocks, block_threads, 0, stream>>>(in, sights, n);
}
