// An asynchronous copy is committed, and nobody waits for it. The barrier behind it waits for threads, not for copies.
// expect: race at [use] with [copy], alone, block (0,0,0), saying "nobody has waited for it"
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

namespace {

template <bool mended>
__global__ void mirrored(const float* values, float* result) {
  __shared__ float tile[64];
  __pipeline_memcpy_async(&tile[threadIdx.x], &values[threadIdx.x], sizeof(float));  // [copy]
  __pipeline_commit();
  if constexpr (mended) __pipeline_wait_prior(0);
  __syncthreads();
  result[threadIdx.x] = tile[63 - threadIdx.x];  // [use]
}

}  // namespace

extern "C" void copy_never_waited(bool mended) {
  float* values = nullptr;
  float* result = nullptr;
  cudaMalloc(&values, 64 * sizeof(float));
  cudaMalloc(&result, 64 * sizeof(float));
  cudaMemset(values, 1, 64 * sizeof(float));
  const auto kernel = mended ? mirrored<true> : mirrored<false>;
  kernel<<<1, 64>>>(values, result);
  cudaFree(values);
  cudaFree(result);
}
