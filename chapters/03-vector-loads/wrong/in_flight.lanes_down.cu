// wrong: lets lanes take rows of a column: more in flight, and every sector eight times; rejected by: contract
#include "vectors.h"

namespace {

__global__ void sum_columns(const float* in, float* sums, std::size_t width, std::size_t height) {
  const std::size_t x = blockIdx.x;
  float sum = 0;
  for (std::size_t y = threadIdx.x; y < height; y += 32) sum += in[y * width + x];
  for (unsigned distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(0xffffffff, sum, distance);
  if (threadIdx.x == 0) sums[x] = sum;
}

}  // namespace

void vectors::in_flight(const float* in, float* sums, std::size_t width, std::size_t height, cudaStream_t stream) {
  if (width != 0) sum_columns<<<static_cast<unsigned>(width), 32, 0, stream>>>(in, sums, width, height);
}
