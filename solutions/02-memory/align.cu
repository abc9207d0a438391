// memory.align: where a row begins.
//
// A warp's 32 floats fill 4 sectors, if the first of them begins a sector. In a matrix whose rows follow one another
// without a gap, one row may begin at such a place and the next one not; and a kernel that reads two rows at once
// cannot have both right. So rows are laid out with a pitch, the distance from one to the next, that leaves a gap where
// it must.

#include "memory.h"

namespace {

constexpr unsigned block_threads = 256;

// Each warp writes up to 32 differences of a row: of row w / warps_a_row if w is the number of the warp in the grid.
__global__ void subtract_rows(const float* in, float* out, std::size_t width, std::size_t rows, std::size_t pitch) {
  const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t warps_a_row = (width + 31) / 32;
  const std::size_t y = thread / 32 / warps_a_row, x = thread / 32 % warps_a_row * 32 + thread % 32;
  if (y < rows && x < width) out[y * pitch + x] = in[(y + 1) * pitch + x] - in[y * pitch + x];
}

}  // namespace

std::size_t memory::align_pitch(std::size_t width) {
  // SOLUTION: the next multiple of 8 floats, of 32 bytes, of a sector. Then all rows begin a sector, and a warp that
  // begins 0, 32, 64, ... floats further does too: 4 sectors a request instead of 5.
  return (width + 7) / 8 * 8;
  // END
}

void memory::align(const float* in, float* out, std::size_t width, std::size_t height, cudaStream_t stream) {
  if (width == 0 || height < 2) return;
  const std::size_t rows = height - 1, threads = (width + 31) / 32 * 32 * rows;
  const auto blocks = static_cast<unsigned>((threads + block_threads - 1) / block_threads);
  subtract_rows<<<blocks, block_threads, 0, stream>>>(in, out, width, rows, align_pitch(width));
}
