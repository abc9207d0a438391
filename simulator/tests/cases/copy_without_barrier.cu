// Every thread waits for its own asynchronous copy, and reads another thread's: there the wait does not help, and a
// barrier is missing.
// expect: race at [use] with [copy], block (0,0,0), saying "no barrier lies between"
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

namespace {

template <bool mended>
__global__ void reversed(const float* values, float* result) {
  __shared__ float tile[64];
  __pipeline_memcpy_async(&tile[threadIdx.x], &values[threadIdx.x], sizeof(float));  // [copy]
  __pipeline_commit();
  __pipeline_wait_prior(0);
  if constexpr (mended) __syncthreads();
  result[threadIdx.x] = tile[63 - threadIdx.x];  // [use]
}

}  // namespace

extern "C" void copy_without_barrier(bool mended) {
  float* values = nullptr;
  float* result = nullptr;
  cudaMalloc(&values, 64 * sizeof(float));
  cudaMalloc(&result, 64 * sizeof(float));
  cudaMemset(values, 0, 64 * sizeof(float));
  const auto kernel = mended ? reversed<true> : reversed<false>;
  kernel<<<1, 64>>>(values, result);
  cudaFree(values);
  cudaFree(result);
}
