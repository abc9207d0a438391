// The same pitch by bits; blocks of two dimensions, which walk down the rows.
#include "memory.h"

namespace {

__global__ void subtract_rows(const float* in, float* out, std::size_t width, std::size_t rows, std::size_t pitch) {
  const std::size_t x = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (x >= width) return;
  for (std::size_t y = std::size_t{blockIdx.y} * blockDim.y + threadIdx.y; y < rows; y += gridDim.y * blockDim.y) {
    const float* here = in + y * pitch + x;
    out[y * pitch + x] = here[pitch] - here[0];
  }
}

}  // namespace

std::size_t memory::align_pitch(std::size_t width) { return (width + 7) & ~std::size_t{7}; }

void memory::align(const float* in, float* out, std::size_t width, std::size_t height, cudaStream_t stream) {
  if (width == 0 || height < 2) return;
  const dim3 block(32, 4);
  const dim3 grid(static_cast<unsigned>((width + 31) / 32),
                  static_cast<unsigned>(height < 1000 ? (height + 2) / 4 : 250));
  subtract_rows<<<grid, block, 0, stream>>>(in, out, width, height - 1, align_pitch(width));
}
