// Small blocks in which every thread loads four values into an array, then adds them.
#include "passes.h"

namespace {

constexpr unsigned size = 128, each = 4;

__global__ void sum_tiles(const float* __restrict__ in, float* __restrict__ out, std::size_t n) {
  __shared__ float tile[size];
  const std::size_t mine = std::size_t{blockIdx.x} * size * each + threadIdx.x;
  float values[each];
#pragma unroll
  for (unsigned k = 0; k < each; ++k) values[k] = mine + k * size < n ? in[mine + k * size] : 0.0f;
  tile[threadIdx.x] = (values[0] + values[1]) + (values[2] + values[3]);
  for (unsigned half = size / 2; half != 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) tile[threadIdx.x] += tile[threadIdx.x + half];
  }
  if (threadIdx.x == 0) out[blockIdx.x] = tile[0];
}

}  // namespace

void reduce::v3(const float* in, float* out, float* workspace, std::size_t n, cudaStream_t stream) {
  in_passes(in, out, workspace, n, size * each, stream,
            [=](const float* from, float* to, std::size_t count, unsigned blocks) {
              sum_tiles<<<blocks, size, 0, stream>>>(from, to, count);
            });
}
