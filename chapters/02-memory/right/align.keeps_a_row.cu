// A thread walks down its column and keeps the row above in a register: each element is loaded once.
#include "memory.h"

namespace {

constexpr unsigned rows_a_thread = 16;

__global__ void subtract_rows(const float* in, float* out, std::size_t width, std::size_t rows, std::size_t pitch,
                              std::size_t blocks_a_row) {
  const std::size_t x = blockIdx.x % blocks_a_row * blockDim.x + threadIdx.x;
  const std::size_t first = blockIdx.x / blocks_a_row * rows_a_thread;
  if (x >= width) return;
  float above = in[first * pitch + x];
  for (std::size_t y = first; y < first + rows_a_thread && y < rows; ++y) {
    const float below = in[(y + 1) * pitch + x];
    out[y * pitch + x] = below - above;
    above = below;
  }
}

}  // namespace

std::size_t memory::align_pitch(std::size_t width) {
  const std::size_t beyond = width % 8;
  return beyond == 0 ? width : width + 8 - beyond;
}

void memory::align(const float* in, float* out, std::size_t width, std::size_t height, cudaStream_t stream) {
  if (width == 0 || height < 2) return;
  const std::size_t blocks_a_row = (width + 63) / 64, blocks = (height - 2) / rows_a_thread + 1;
  subtract_rows<<<static_cast<unsigned>(blocks_a_row * blocks), 64, 0, stream>>>(in, out, width, height - 1,
                                                                                 align_pitch(width), blocks_a_row);
}
