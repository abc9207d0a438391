// Eight named values and four sums, so that the additions do not wait for one another either.
#include "vectors.h"

namespace {

constexpr unsigned block_threads = 128;

// Each thread sums a column.
__global__ void sum_columns(const float* in, float* sums, std::size_t width, std::size_t height) {
  const std::size_t x = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (x >= width) return;
  float sum = 0;
  std::size_t y = 0;
  constexpr unsigned batch = 8;
  for (; y + batch <= height; y += batch) {
    const float* const from = in + y * width + x;
    const float a = from[0], b = from[width], c = from[2 * width], d = from[3 * width];
    const float e = from[4 * width], f = from[5 * width], g = from[6 * width], h = from[7 * width];
    sum += ((a + b) + (c + d)) + ((e + f) + (g + h));
  }
  for (; y < height; ++y) sum += in[y * width + x];
  sums[x] = sum;
}

}  // namespace

void vectors::in_flight(const float* in, float* sums, std::size_t width, std::size_t height, cudaStream_t stream) {
  if (width == 0) return;
  const auto blocks = static_cast<unsigned>((width + block_threads - 1) / block_threads);
  sum_columns<<<blocks, block_threads, 0, stream>>>(in, sums, width, height);
}
