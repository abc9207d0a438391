// A thread for each row after all: a tile of 32 x 32 is loaded side by side and read down.
#include "memory.h"

namespace {

constexpr unsigned side = 32;

__global__ void sum_columns(const float* in, float* sums, std::size_t width, std::size_t height) {
  const std::size_t x = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (x >= width) return;
  float sum = 0;
  for (std::size_t y = 0; y < height; ++y) sum += in[y * width + x];
  sums[x] = sum;
}

// Each block of one warp sums 32 rows.
__global__ void sum_rows(const float* in, float* sums, std::size_t width, std::size_t height) {
  __shared__ float tile[side][side + 1];
  const unsigned lane = threadIdx.x;
  const std::size_t top = std::size_t{blockIdx.x} * side;
  float sum = 0;
  for (std::size_t left = 0; left < width; left += side) {
    for (unsigned row = 0; row < side; ++row) {
      const bool inside = left + lane < width && top + row < height;
      tile[row][lane] = inside ? in[(top + row) * width + left + lane] : 0.0f;
    }
    __syncthreads();
    for (unsigned column = 0; column < side; ++column) sum += tile[lane][column];
    __syncthreads();
  }
  if (top + lane < height) sums[top + lane] = sum;
}

}  // namespace

void memory::rows_columns(const float* in, float* row_sums, float* column_sums, std::size_t width, std::size_t height,
                          cudaStream_t stream) {
  if (width != 0)
    sum_columns<<<static_cast<unsigned>((width + 63) / 64), 64, 0, stream>>>(in, column_sums, width, height);
  if (height != 0)
    sum_rows<<<static_cast<unsigned>((height + side - 1) / side), side, 0, stream>>>(in, row_sums, width, height);
}
