// With cooperative groups: the tile is the warp, and blocks are small.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include "warps.h"

namespace cg = cooperative_groups;

namespace {

constexpr unsigned block_threads = 64;

__global__ void find_peaks(const std::uint32_t* values, const std::uint32_t* starts, std::uint32_t* peaks,
                           std::size_t rows) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const std::size_t row = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  std::uint32_t at = row < rows ? starts[row] : 0;
  const std::uint32_t end = row < rows ? starts[row + 1] : 0;
  std::uint32_t peak = 0;
  while (warp.any(at < end)) {
    const std::uint32_t value = at < end ? values[at++] : 0;
    peak = max(peak, cg::reduce(warp, value, cg::plus<std::uint32_t>()));
  }
  if (row < rows && warp.thread_rank() == 0) peaks[row / 32] = peak;
}

}  // namespace

void warps::uniform_loop(const std::uint32_t* values, const std::uint32_t* starts, std::uint32_t* peaks,
                         std::size_t rows, cudaStream_t stream) {
  if (rows == 0) return;
  const auto blocks = static_cast<unsigned>((rows + block_threads - 1) / block_threads);
  find_peaks<<<blocks, block_threads, 0, stream>>>(values, starts, peaks, rows);
}
