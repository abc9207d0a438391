// A tree sum in shared memory without a barrier: a warp may add a value that another warp has not written yet.
// expect: race at [add] with [load], block (0,0,0), saying "tile["
#include <cuda_runtime.h>

namespace {

constexpr int block_size = 256;

template <bool mended>
__global__ void tree_sum(const int* values, int* sums) {
  __shared__ int tile[block_size];
  const int t = threadIdx.x;
  tile[t] = values[blockIdx.x * block_size + t];  // [load]
  if constexpr (mended) __syncthreads();
  for (int step = 1; step < block_size; step *= 2) {
    if (t % (2 * step) == 0) tile[t] += tile[t + step];  // [add]
    if constexpr (mended) __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = tile[0];
}

}  // namespace

extern "C" void missing_sync_tree(bool mended) {
  constexpr int blocks = 4;
  int* values = nullptr;
  int* sums = nullptr;
  cudaMalloc(&values, blocks * block_size * sizeof(int));
  cudaMalloc(&sums, blocks * sizeof(int));
  cudaMemset(values, 1, blocks * block_size * sizeof(int));
  const auto kernel = mended ? tree_sum<true> : tree_sum<false>;
  kernel<<<blocks, block_size>>>(values, sums);
  cudaFree(values);
  cudaFree(sums);
}
