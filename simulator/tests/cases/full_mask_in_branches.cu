// Two parts of a warp add up in two branches, and each names all 32 lanes: the others are alive, and elsewhere.
// expect: shuffle mask at [shuffle] with [shuffle], block (0,0,0), through [low half] and [high half]
#include <cuda_runtime.h>

namespace {

__device__ int sum_of(int value) {
  for (int distance = 16; distance > 0; distance /= 2)
    value += __shfl_down_sync(0xffffffffu, value, distance);  // [shuffle]
  return value;
}

template <bool mended>
__global__ void two_parts(const int* values, int* sums) {
  const int lane = threadIdx.x;
  const int value = values[lane];
  if constexpr (mended) {
    const int low = sum_of(lane < 10 ? value : 0);
    const int high = sum_of(lane < 10 ? 0 : value);
    if (lane == 0) sums[0] = low;
    if (lane == 0) sums[1] = high;
  } else if (lane < 10) {
    const int sum = sum_of(value);  // [low half]
    if (lane == 0) sums[0] = sum;
  } else {
    const int sum = sum_of(2 * value);  // [high half]
    if (lane == 10) sums[1] = sum;
  }
}

}  // namespace

extern "C" void full_mask_in_branches(bool mended) {
  int* values = nullptr;
  int* sums = nullptr;
  cudaMalloc(&values, 32 * sizeof(int));
  cudaMalloc(&sums, 2 * sizeof(int));
  cudaMemset(values, 1, 32 * sizeof(int));
  const auto kernel = mended ? two_parts<true> : two_parts<false>;
  kernel<<<1, 32>>>(values, sums);
  cudaFree(values);
  cudaFree(sums);
}
