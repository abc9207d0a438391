// wrong: makes each load wait for the one before; rejected by: contract: thirty two bytes of a lane are in flight
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
    float values[batch];
    for (unsigned k = 0; k < batch; ++k) {
      const bool never = k > 0 && values[k - 1] > 3e38f;
      values[k] = never ? sum : in[(y + k) * width + x];
    }
    for (unsigned k = 0; k < batch; ++k) sum += values[k];
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
