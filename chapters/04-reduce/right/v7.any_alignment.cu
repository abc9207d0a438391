// Takes a head of up to three floats where the input does not begin on 16 bytes; two waves; cooperative groups.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <cstdint>

#include "reduce.h"

namespace {

namespace cg = cooperative_groups;

__global__ void sum_all(const float* in, float* out, std::size_t n) {
  __shared__ float warp_sums[32];
  const cg::grid_group grid = cg::this_grid();
  const cg::thread_block block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  const std::size_t me = grid.thread_rank();
  const std::size_t misplaced = (reinterpret_cast<std::uintptr_t>(in) & 15) / sizeof(float);
  std::size_t head = misplaced == 0 ? 0 : 4 - misplaced;
  if (head > n) head = n;
  const float4* const body = reinterpret_cast<const float4*>(in + head);
  const std::size_t count = (n - head) / 4;
  float sum = 0;
  for (std::size_t i = me; i < count; i += grid.num_threads()) {
    const float4 v = body[i];
    sum += v.x + v.y + v.z + v.w;
  }
  if (me < head) sum += in[me];
  const std::size_t tail = head + 4 * count + me;
  if (tail < n) sum += in[tail];
  sum = cg::reduce(warp, sum, cg::plus<float>());
  if (warp.thread_rank() == 0) warp_sums[warp.meta_group_rank()] = sum;
  block.sync();
  if (warp.meta_group_rank() == 0) {
    sum = warp.thread_rank() < warp.meta_group_size() ? warp_sums[warp.thread_rank()] : 0.0f;
    sum = cg::reduce(warp, sum, cg::plus<float>());
    if (block.thread_rank() == 0) out[blockIdx.x] = sum;
  }
}

}  // namespace

void reduce::v7(const float* in, float* out, float* workspace, std::size_t n, unsigned block_threads,
                cudaStream_t stream) {
  int multiprocessors = 0, threads = 0;
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
  cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerMultiProcessor, 0);
  const auto waves = static_cast<std::size_t>(2 * multiprocessors * (threads / static_cast<int>(block_threads)));
  // Few enough for the workspace, however small n is.
  std::size_t blocks = groups_of(8 * block_threads, n);
  if (blocks > waves) blocks = waves;
  if (blocks <= 1) {
    sum_all<<<1, block_threads, 0, stream>>>(in, out, n);
  } else {
    sum_all<<<static_cast<unsigned>(blocks), block_threads, 0, stream>>>(in, workspace, n);
    sum_all<<<1, block_threads, 0, stream>>>(workspace, out, blocks);
  }
}
