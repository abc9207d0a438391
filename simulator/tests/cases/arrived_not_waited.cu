// An arrival at a barrier in shared memory is not yet a wait for it: between the two, nothing of the other threads may
// be read.
// expect: race at [early use] with [write], block (0,0,0)
#include <cuda_runtime.h>

#include <cuda/barrier>
#include <utility>

namespace {

template <bool mended>
__global__ void both_ways(const int* values, int* result) {
  __shared__ int tile[64];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  if (threadIdx.x == 0) init(&barrier, 64);
  __syncthreads();
  tile[threadIdx.x] = values[threadIdx.x];  // [write]
  auto arrival = barrier.arrive();
  int other = 0;
  if constexpr (!mended) other = tile[63 - threadIdx.x];  // [early use]
  barrier.wait(std::move(arrival));
  if constexpr (mended) other = tile[63 - threadIdx.x];
  result[threadIdx.x] = values[threadIdx.x] - other;
}

}  // namespace

extern "C" void arrived_not_waited(bool mended) {
  int* values = nullptr;
  int* result = nullptr;
  cudaMalloc(&values, 64 * sizeof(int));
  cudaMalloc(&result, 64 * sizeof(int));
  cudaMemset(values, 1, 64 * sizeof(int));
  const auto kernel = mended ? both_ways<true> : both_ways<false>;
  kernel<<<1, 64>>>(values, result);
  cudaFree(values);
  cudaFree(result);
}
