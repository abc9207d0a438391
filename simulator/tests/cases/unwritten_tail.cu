// Threads beyond n load nothing, yet the tree adds all slots: the last block's tail holds whatever was there before.
// expect: uninitialised at [add], thread (104,0,0), block (3,0,0), saying "tile[232]"
#include <cuda_runtime.h>

namespace {

constexpr int block_size = 256;

template <bool mended>
__global__ void tree_sum(const int* values, int* sums, int n) {
  __shared__ int tile[block_size];
  const int t = threadIdx.x;
  const int i = blockIdx.x * block_size + t;
  if constexpr (mended) tile[t] = 0;
  if (i < n) tile[t] = values[i];
  __syncthreads();
  for (int step = block_size / 2; step > 0; step /= 2) {
    if (t < step) tile[t] += tile[t + step];  // [add]
    __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = tile[0];
}

}  // namespace

extern "C" void unwritten_tail(bool mended) {
  constexpr int n = 1000;
  constexpr int blocks = (n + block_size - 1) / block_size;
  int* values = nullptr;
  int* sums = nullptr;
  cudaMalloc(&values, n * sizeof(int));
  cudaMalloc(&sums, blocks * sizeof(int));
  cudaMemset(values, 1, n * sizeof(int));
  const auto kernel = mended ? tree_sum<true> : tree_sum<false>;
  kernel<<<blocks, block_size>>>(values, sums, n);
  cudaFree(values);
  cudaFree(sums);
}
