// wrong: stops when the shortest row has ended; rejected by: right: finds the peak
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
  while (__all_sync(warps::all_lanes, at < end)) {
    const std::uint32_t value = at < end ? values[at++] : 0;
    peak = max(peak, __reduce_add_sync(warps::all_lanes, value));
  }
  if (inside && threadIdx.x % 32 == 0) peaks[row / 32] = peak;
}

}  // namespace

void warps::uniform_loop(const std::uint32_t* values, const std::uint32_t* starts, std::uint32_t* peaks,
                         std::size_t rows, cudaStream_t stream) {
  if (rows == 0) return;
  const auto blocks = static_cast<unsigned>((rows + block_threads - 1) / block_threads);
  find_peaks<<<blocks, block_threads, 0, stream>>>(values, starts, peaks, rows);
}
