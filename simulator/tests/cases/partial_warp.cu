// A butterfly over all lanes in a block that ends in the middle of a warp: some partners were never launched.
// expect: shuffle source at [shuffle], block (0,0,0), saying "does not exist"
#include <cuda_runtime.h>

namespace {

__global__ void warp_sums(const int* values, int* sums, int n) {
  const int t = threadIdx.x;
  int sum = t < n ? values[t] : 0;
  for (int distance = 1; distance < 32; distance *= 2) sum += __shfl_xor_sync(0xffffffffu, sum, distance);  // [shuffle]
  if (t % 32 == 0) sums[t / 32] = sum;
}

}  // namespace

extern "C" void partial_warp(bool mended) {
  constexpr int n = 75;
  int* values = nullptr;
  int* sums = nullptr;
  cudaMalloc(&values, n * sizeof(int));
  cudaMalloc(&sums, 3 * sizeof(int));
  cudaMemset(values, 1, n * sizeof(int));
  warp_sums<<<1, mended ? 96 : n>>>(values, sums, n);
  cudaFree(values);
  cudaFree(sums);
}
