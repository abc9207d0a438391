// Rows of twelve are added up by groups of twelve lanes, with that width: a width is a power of two.
// expect: shuffle width at [shuffle], thread (0,0,0), block (0,0,0), saying "width 12"
#include <cuda_runtime.h>

namespace {

template <bool mended>
__global__ void row_sums(const int* values, int* sums) {
  constexpr int row = 12;
  constexpr int lanes = mended ? 16 : row;
  const int lane = threadIdx.x % lanes;
  int sum = lane < row ? values[threadIdx.x / lanes * row + lane] : 0;
  for (int distance = lanes / 2; distance > 0; distance /= 2)
    sum += __shfl_down_sync(0xffffffffu, sum, distance, lanes);  // [shuffle]
  if (lane == 0) sums[threadIdx.x / lanes] = sum;
}

}  // namespace

extern "C" void odd_width(bool mended) {
  constexpr int rows = 8;
  int* values = nullptr;
  int* sums = nullptr;
  cudaMalloc(&values, rows * 12 * sizeof(int));
  cudaMalloc(&sums, rows * sizeof(int));
  cudaMemset(values, 1, rows * 12 * sizeof(int));
  if (mended)
    row_sums<true><<<1, rows * 16>>>(values, sums);
  else
    row_sums<false><<<1, rows * 12>>>(values, sums);
  cudaFree(values);
  cudaFree(sums);
}
