// Two stages of asynchronous copies: at the last round no newer group is under way, and waiting for all but one waits
// for nothing. The barrier behind it does not wait for copies.
// expect: race at [use] with [copy], block (0,0,0), saying "nobody has waited for it"
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

namespace {

template <bool mended>
__global__ void sum_of_tiles(const int* values, int* sums, int tiles) {
  __shared__ int stage[2][64];
  __pipeline_memcpy_async(&stage[0][threadIdx.x], &values[threadIdx.x], sizeof(int));
  __pipeline_commit();
  int sum = 0;
  for (int tile = 0; tile < tiles; ++tile) {
    const int next = tile + 1;
    if (next < tiles)
      __pipeline_memcpy_async(&stage[next % 2][threadIdx.x], &values[next * 64 + threadIdx.x], 4);  // [copy]
    if (mended || next < tiles) __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    sum += stage[tile % 2][63 - threadIdx.x];  // [use]
    __syncthreads();
  }
  sums[threadIdx.x] = sum;
}

}  // namespace

extern "C" void copy_not_waited(bool mended) {
  constexpr int tiles = 4;
  int* values = nullptr;
  int* sums = nullptr;
  cudaMalloc(&values, tiles * 64 * sizeof(int));
  cudaMalloc(&sums, 64 * sizeof(int));
  cudaMemset(values, 1, tiles * 64 * sizeof(int));
  const auto kernel = mended ? sum_of_tiles<true> : sum_of_tiles<false>;
  kernel<<<1, 64>>>(values, sums, tiles);
  cudaFree(values);
  cudaFree(sums);
}
