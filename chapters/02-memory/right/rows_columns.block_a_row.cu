// A block for each row, and a tree in shared memory.
#include "memory.h"

namespace {

constexpr unsigned block_threads = 128;

__global__ void sum_columns(const float* in, float* sums, std::size_t width, std::size_t height) {
  for (std::size_t x = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; x < width; x += gridDim.x * blockDim.x) {
    float sum = 0;
    for (std::size_t y = 0; y < height; ++y) sum += in[y * width + x];
    sums[x] = sum;
  }
}

__global__ void sum_rows(const float* in, float* sums, std::size_t width) {
  __shared__ float tile[block_threads];
  const float* const row = in + blockIdx.x * width;
  float sum = 0;
  for (std::size_t x = threadIdx.x; x < width; x += block_threads) sum += row[x];
  tile[threadIdx.x] = sum;
  __syncthreads();
  for (unsigned step = block_threads / 2; step > 0; step /= 2) {
    if (threadIdx.x < step) tile[threadIdx.x] += tile[threadIdx.x + step];
    __syncthreads();
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = tile[0];
}

}  // namespace

void memory::rows_columns(const float* in, float* row_sums, float* column_sums, std::size_t width, std::size_t height,
                          cudaStream_t stream) {
  if (width != 0) sum_columns<<<16, block_threads, 0, stream>>>(in, column_sums, width, height);
  if (height != 0) sum_rows<<<static_cast<unsigned>(height), block_threads, 0, stream>>>(in, row_sums, width);
}
