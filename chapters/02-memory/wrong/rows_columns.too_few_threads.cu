// wrong: launches a thread for each row, not a warp; rejected by: was never written
#include "memory.h"

namespace {

constexpr unsigned block_threads = 256;
constexpr unsigned all_lanes = 0xffffffff;

// Each thread sums a column.
__global__ void sum_columns(const float* in, float* sums, std::size_t width, std::size_t height) {
  const std::size_t x = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (x >= width) return;
  float sum = 0;
  for (std::size_t y = 0; y < height; ++y) sum += in[y * width + x];
  sums[x] = sum;
}

__global__ void sum_rows(const float* in, float* sums, std::size_t width, std::size_t height) {
  const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t y = thread / 32;
  const unsigned lane = threadIdx.x % 32;
  if (y >= height) return;  // the whole warp
  float sum = 0;
  for (std::size_t x = lane; x < width; x += 32) sum += in[y * width + x];
  for (unsigned distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(all_lanes, sum, distance);
  if (lane == 0) sums[y] = sum;
}

unsigned blocks_for(std::size_t threads) {
  return static_cast<unsigned>((threads + block_threads - 1) / block_threads);
}

}  // namespace

void memory::rows_columns(const float* in, float* row_sums, float* column_sums, std::size_t width, std::size_t height,
                          cudaStream_t stream) {
  if (width != 0) sum_columns<<<blocks_for(width), block_threads, 0, stream>>>(in, column_sums, width, height);
  const std::size_t threads = height;
  if (height != 0) sum_rows<<<blocks_for(threads), block_threads, 0, stream>>>(in, row_sums, width, height);
}
