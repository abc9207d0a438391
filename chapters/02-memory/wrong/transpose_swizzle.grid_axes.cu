// wrong: counts the tiles of a column for those of a row; rejected by: right: transposes every shape
#include "memory.h"

namespace {

constexpr unsigned side = 32;       // of a tile
constexpr unsigned block_rows = 8;  // of a tile that a block moves at a time

// Each block of 32 x 8 threads transposes one tile of 32 x 32 floats. Tiles are counted along the rows of `in`.
__global__ void transpose_tiles(const float* in, float* out, std::size_t width, std::size_t height,
                                unsigned tiles_a_row) {
  const std::size_t left = std::size_t{blockIdx.x % tiles_a_row} * side;
  const std::size_t top = std::size_t{blockIdx.x / tiles_a_row} * side;
  __shared__ float tile[side][side];
  for (unsigned row = threadIdx.y; row < side; row += block_rows) {
    const std::size_t x = left + threadIdx.x, y = top + row;
    if (x < width && y < height) tile[row][threadIdx.x ^ row] = in[y * width + x];
  }
  __syncthreads();
  for (unsigned row = threadIdx.y; row < side; row += block_rows) {
    const std::size_t x = left + row, y = top + threadIdx.x;
    if (x < width && y < height) out[x * height + y] = tile[threadIdx.x][row ^ threadIdx.x];
  }
}

}  // namespace

void memory::transpose_swizzle(const float* in, float* out, std::size_t width, std::size_t height,
                               cudaStream_t stream) {
  if (width == 0 || height == 0) return;
  const auto tiles_a_row = static_cast<unsigned>((width + side - 1) / side);
  const auto tiles_a_column = static_cast<unsigned>((height + side - 1) / side);
  transpose_tiles<<<tiles_a_row * tiles_a_column, dim3(side, block_rows), 0, stream>>>(in, out, width, height,
                                                                                       tiles_a_column);
}
