// Blocks of 1,024 threads whose size the compiler knows; the launcher calls itself for the partial sums.
#include "reduce.h"

namespace {

constexpr unsigned size = 1024;

__global__ void sum_tiles(const float* in, float* out, std::size_t n) {
  __shared__ float tile[size];
  const std::size_t i = blockIdx.x * std::size_t{size} + threadIdx.x;
  tile[threadIdx.x] = (i < n) ? in[i] : 0.0f;
  __syncthreads();
#pragma unroll 1
  for (unsigned stride = 2; stride <= size; stride *= 2) {
    const unsigned left = threadIdx.x * stride, right = left + stride / 2;
    if (right < size) {
      const float a = tile[left];
      const float b = tile[right];
      tile[left] = a + b;
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = tile[0];
}

}  // namespace

void reduce::v1(const float* in, float* out, float* workspace, std::size_t n, cudaStream_t stream) {
  if (n == 0) {
    cudaMemsetAsync(out, 0, sizeof *out, stream);
  } else if (n <= size) {
    sum_tiles<<<1, size, 0, stream>>>(in, out, n);
  } else {
    const unsigned blocks = static_cast<unsigned>(groups_of(size, n));
    sum_tiles<<<blocks, size, 0, stream>>>(in, workspace, n);
    v1(workspace, out, workspace + blocks, blocks, stream);
  }
}
