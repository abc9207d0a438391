// The first warp computes a value and sets a flag, for which the other warps wait. Both are volatile, which keeps them
// out of registers and orders nothing: the flag may be seen before the value.
// expect: race at [wait] with [store to the flag], saying "__threadfence_block", alone
#include <cuda_runtime.h>

namespace {

constexpr int block_size = 128;

template <bool mended>
__global__ void spread(const int* values, int* results) {
  __shared__ int value;
  __shared__ volatile int flag;
  const int t = threadIdx.x;
  if (t == 0) flag = 0;
  __syncthreads();
  if (t == 0) {
    value = values[0] + values[1];
    if constexpr (mended) __threadfence_block();
    flag = 1;  // [store to the flag]
  }
  while (flag == 0) {  // [wait]
  }
  if constexpr (mended) __threadfence_block();
  results[t] = value;
}

}  // namespace

extern "C" void volatile_flag(bool mended) {
  int* values = nullptr;
  int* results = nullptr;
  cudaMalloc(&values, 2 * sizeof(int));
  cudaMalloc(&results, block_size * sizeof(int));
  cudaMemset(values, 0, 2 * sizeof(int));
  const auto kernel = mended ? spread<true> : spread<false>;
  kernel<<<1, block_size>>>(values, results);
  cudaFree(values);
  cudaFree(results);
}
