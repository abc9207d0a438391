// warps.sub_warp: a warp as several small ones.
//
// Rows of 8 values in a warp of 32 lanes: four rows side by side. The last argument of a shuffle, the width, cuts the
// warp into parts of 1, 2, 4, 8, 16 or 32 lanes, and no lane reads beyond its part: where up or down would leave it, a
// lane gets its own value back. Each row is to be summed, and each value to get the largest one of its row so far.
//
// fails now: right: sums rows of every width

#include "warps.h"

namespace {

constexpr unsigned block_threads = 256;

// Each warp works on 32 / width rows side by side, one lane for each value.
__global__ void scan_rows(const std::int32_t* in, std::int32_t* sums, std::int32_t* peaks, std::size_t n,
                          unsigned width) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::int32_t value = in[i < n ? i : 0];
  std::int32_t sum = value, peak = value;
  // TODO: bring the row's sum to the first of its lanes, and to each lane the maximum up to and including its value.
  // END
  if (i >= n) return;
  peaks[i] = peak;
  if (i % width == 0) sums[i / width] = sum;
}

}  // namespace

void warps::sub_warp(const std::int32_t* in, std::int32_t* sums, std::int32_t* peaks, std::size_t rows, unsigned width,
                     cudaStream_t stream) {
  if (rows == 0) return;
  const std::size_t n = rows * width;
  const auto blocks = static_cast<unsigned>((n + block_threads - 1) / block_threads);
  scan_rows<<<blocks, block_threads, 0, stream>>>(in, sums, peaks, n, width);
}
