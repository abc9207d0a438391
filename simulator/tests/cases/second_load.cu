// Every thread adds two values while it loads, and n is no multiple of twice the block: the second load runs out of the
// array.
// expect: out of bounds at [load], thread (16,0,0), block (1,0,0), saying "where the last such element is 399"
#include <cuda_runtime.h>

namespace {

constexpr int block_size = 128;

template <bool mended>
__global__ void pair_sums(const int* values, int* sums, int n) {
  const int first = blockIdx.x * 2 * block_size + threadIdx.x;
  const int second = first + block_size;
  int sum = 0;
  if constexpr (mended) {
    if (first < n) sum += values[first];
    if (second < n) sum += values[second];
  } else {
    sum = values[first] + values[second];  // [load]
  }
  sums[blockIdx.x * block_size + threadIdx.x] = sum;
}

}  // namespace

extern "C" void second_load(bool mended) {
  constexpr int n = 400;
  constexpr int blocks = 2;
  int* values = nullptr;
  int* sums = nullptr;
  cudaMalloc(&values, n * sizeof(int));
  cudaMalloc(&sums, blocks * block_size * sizeof(int));
  cudaMemset(values, 1, n * sizeof(int));
  const auto kernel = mended ? pair_sums<true> : pair_sums<false>;
  kernel<<<blocks, block_size>>>(values, sums, n);
  cudaFree(values);
  cudaFree(sums);
}
