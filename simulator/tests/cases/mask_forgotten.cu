// An old shuffle was given its _sync and nothing else: the value now stands where the mask belongs, and it compiles.
// expect: shuffle mask at [shuffle], block (0,0,0), saying "does not name lane"
#include <cuda_runtime.h>

namespace {

template <bool mended>
__global__ void warp_sum(const int* values, int* sums) {
  int sum = values[threadIdx.x];
  for (int distance = 16; distance > 0; distance /= 2)
    if constexpr (mended)
      sum += __shfl_down_sync(0xffffffffu, sum, distance, 32);
    else
      sum += __shfl_down_sync(sum, distance, 32);  // [shuffle]
  if (threadIdx.x == 0) *sums = sum;
}

}  // namespace

extern "C" void mask_forgotten(bool mended) {
  const int numbers[32] = {5, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3,
                           2, 3, 8, 4, 6, 2, 6, 4, 3, 3, 8, 3, 2, 7, 9, 5};
  int* values = nullptr;
  int* sums = nullptr;
  cudaMalloc(&values, sizeof numbers);
  cudaMalloc(&sums, sizeof(int));
  cudaMemcpy(values, numbers, sizeof numbers, cudaMemcpyHostToDevice);
  const auto kernel = mended ? warp_sum<true> : warp_sum<false>;
  kernel<<<1, 32>>>(values, sums);
  cudaFree(values);
  cudaFree(sums);
}
