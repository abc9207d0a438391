// warps.uniform_loop: nobody leaves a loop in which the others need them.
//
// 32 lanes walk along rows of different lengths, and at each step __reduce_add_sync(mask, value) gives to every lane
// the sum of what the lanes in `mask` bring. It waits for those of them that have not exited. But a lane whose row ends
// leaves the loop, and with it the kernel: lane 0, which is to write the peak, may be gone before the highest sum.
//
// fails now: right: finds the peak of every number of rows

#include "warps.h"

namespace {

constexpr unsigned block_threads = 256;

// Each lane walks along a row of its own, or an empty one if there are no more; lane 0 of each warp writes the peak of
// the warp's 32 rows.
__global__ void find_peaks(const std::uint32_t* values, const std::uint32_t* starts, std::uint32_t* peaks,
                           std::size_t rows) {
  const std::size_t row = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const bool inside = row < rows;
  std::uint32_t at = starts[inside ? row : rows];
  const std::uint32_t end = starts[inside ? row + 1 : rows];
  std::uint32_t peak = 0;
  // TODO: keep every lane in the loop until the warp's longest row has ended.
  for (; at < end; ++at) peak = max(peak, __reduce_add_sync(warps::all_lanes, values[at]));
  // END
  if (inside && threadIdx.x % 32 == 0) peaks[row / 32] = peak;
}

}  // namespace

void warps::uniform_loop(const std::uint32_t* values, const std::uint32_t* starts, std::uint32_t* peaks,
                         std::size_t rows, cudaStream_t stream) {
  if (rows == 0) return;
  const auto blocks = static_cast<unsigned>((rows + block_threads - 1) / block_threads);
  find_peaks<<<blocks, block_threads, 0, stream>>>(values, starts, peaks, rows);
}
