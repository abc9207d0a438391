// Every thread adds the value to its right, in place: the last one of a block reads what the next block writes.
// expect: race at [addition] with [addition], saying "blocks run in any order"
#include <cuda_runtime.h>

namespace {

template <bool mended>
__global__ void add_right(int* values, int* sums, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 >= n) return;
  if constexpr (mended)
    sums[i] = values[i] + values[i + 1];
  else
    values[i] += values[i + 1];  // [addition]
}

}  // namespace

extern "C" void neighbour_block(bool mended) {
  constexpr int n = 4096;
  int* values = nullptr;
  int* sums = nullptr;
  cudaMalloc(&values, n * sizeof(int));
  cudaMalloc(&sums, n * sizeof(int));
  cudaMemset(values, 1, n * sizeof(int));
  cudaMemset(sums, 1, n * sizeof(int));
  const auto kernel = mended ? add_right<true> : add_right<false>;
  kernel<<<n / 64, 64>>>(values, sums, n);
  cudaFree(mended ? values : sums);
  cudaFree(mended ? sums : values);
}
