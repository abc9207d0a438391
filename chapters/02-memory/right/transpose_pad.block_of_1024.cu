// A thread for each element; five spare words do as well as one: the distance has to be odd.
#include "memory.h"

namespace {

// Each block of 32 x 32 threads transposes one tile, a thread an element. Tiles of a column are dealt out along y, as
// far as the grid goes.
__global__ void transpose_tiles(const float* in, float* out, std::size_t width, std::size_t height) {
  __shared__ float tile[32][37];
  const std::size_t left = std::size_t{blockIdx.x} * 32;
  const unsigned column = threadIdx.x, row = threadIdx.y;
  for (std::size_t top = std::size_t{blockIdx.y} * 32; top < height; top += std::size_t{gridDim.y} * 32) {
    if (left + column < width && top + row < height) tile[row][column] = in[(top + row) * width + left + column];
    __syncthreads();
    if (left + row < width && top + column < height) out[(left + row) * height + top + column] = tile[column][row];
    __syncthreads();
  }
}

}  // namespace

void memory::transpose_pad(const float* in, float* out, std::size_t width, std::size_t height, cudaStream_t stream) {
  if (width == 0 || height == 0) return;
  const std::size_t across = (width + 31) / 32, down = (height + 31) / 32;
  const dim3 grid(static_cast<unsigned>(across), static_cast<unsigned>(down < 65535 ? down : 65535));
  transpose_tiles<<<grid, dim3(32, 32), 0, stream>>>(in, out, width, height);
}
