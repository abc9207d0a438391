// A sum is declared without its first value.
// expect: uninitialised at [addition], block (0,0,0)
#include <cuda_runtime.h>

namespace {

template <bool mended>
__global__ void sums_of(const int* values, int* sums, int n) {
  int sum;
  if constexpr (mended) sum = 0;
  for (int i = threadIdx.x; i < n; i += 32) sum += values[i];  // [addition]
  sums[threadIdx.x] = sum;
}

}  // namespace

extern "C" void sum_without_a_start(bool mended) {
  constexpr int n = 100;
  int* values = nullptr;
  int* sums = nullptr;
  cudaMalloc(&values, n * sizeof(int));
  cudaMalloc(&sums, 32 * sizeof(int));
  cudaMemset(values, 1, n * sizeof(int));
  const auto kernel = mended ? sums_of<true> : sums_of<false>;
  kernel<<<1, 32>>>(values, sums, n);
  cudaFree(values);
  cudaFree(sums);
}
