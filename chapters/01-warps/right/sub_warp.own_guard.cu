// Without the width: each lane finds out for itself whether the other lane is in its row.
#include "warps.h"

namespace {

constexpr unsigned block_threads = 256;

// Each warp works on 32 / width rows side by side, one lane for each value.
__global__ void scan_rows(const std::int32_t* in, std::int32_t* sums, std::int32_t* peaks, std::size_t n,
                          unsigned width) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::int32_t value = in[i < n ? i : 0];
  std::int32_t sum = value, peak = value;
  const unsigned place = threadIdx.x % width;
  for (unsigned distance = 1; distance < width; distance *= 2) {
    sum += __shfl_xor_sync(warps::all_lanes, sum, distance);
    const std::int32_t before = __shfl_up_sync(warps::all_lanes, peak, distance);
    peak = place >= distance ? max(peak, before) : peak;
  }
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
