// wrong: goes on until the longest row of the block has ended; rejected by: contract: a warp stops with its longest row
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
  __shared__ unsigned longest;
  const std::uint32_t length = end - at;
  if (threadIdx.x == 0) longest = 0;
  __syncthreads();
  atomicMax(&longest, length);
  __syncthreads();
  for (std::uint32_t k = 0; k < longest; ++k)
    peak = max(peak, __reduce_add_sync(warps::all_lanes, k < length ? values[at + k] : 0));
  if (inside && threadIdx.x % 32 == 0) peaks[row / 32] = peak;
}

}  // namespace

void warps::uniform_loop(const std::uint32_t* values, const std::uint32_t* starts, std::uint32_t* peaks,
                         std::size_t rows, cudaStream_t stream) {
  if (rows == 0) return;
  const auto blocks = static_cast<unsigned>((rows + block_threads - 1) / block_threads);
  find_peaks<<<blocks, block_threads, 0, stream>>>(values, starts, peaks, rows);
}
