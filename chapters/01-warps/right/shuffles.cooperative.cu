// With cooperative groups: the tile knows its mask.
#include <cooperative_groups.h>

#include "warps.h"

namespace cg = cooperative_groups;

namespace {

constexpr unsigned block_threads = 96;

__global__ void look_around(const std::int32_t* in, warps::Sight* sights, std::size_t n) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::int32_t value = i < n ? in[i] : 0;
  warps::Sight sight;
  sight.mirrored = warp.shfl(value, 31 - warp.thread_rank());
  sight.before = warp.shfl_up(value, 1);
  sight.after = warp.shfl_down(value, 1);
  sight.paired = warp.shfl_xor(value, 1);
  if (i < n) sights[i] = sight;
}

}  // namespace

void warps::shuffles(const std::int32_t* in, Sight* sights, std::size_t n, cudaStream_t stream) {
  if (n == 0) return;
  const auto blocks = static_cast<unsigned>((n + block_threads - 1) / block_threads);
  look_around<<<blocks, block_threads, 0, stream>>>(in, sights, n);
}
