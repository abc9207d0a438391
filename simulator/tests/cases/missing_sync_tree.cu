// A tree sum in shared memory without a barrier: a warp may add a value that another warp has not written yet.
#include <cuda_runtime.h>

namespace {

constexpr int block_size = 256;

__global__ void tree_sum(const int* values, int* sums) {
  __shared__ int tile[block_size];
  const int t = threadIdx.x;
  tile[t] = values[blockIdx.x * block_size + t];  // [load]
#ifdef FIXED
  __syncthreads();
#endif
  for (int step = 1; step < block_size; step *= 2) {
    if (t % (2 * step) == 0) tile[t] += tile[t + step];  // [add]
#ifdef FIXED
    __syncthreads();
#endif
  }
  if (t == 0) sums[blockIdx.x] = tile[0];
}

}  // namespace

extern "C" void CASE() {
  constexpr int blocks = 4;
  int* values = nullptr;
  int* sums = nullptr;
  cudaMalloc(&values, blocks * block_size * sizeof(int));
  cudaMalloc(&sums, blocks * sizeof(int));
  cudaMemset(values, 1, blocks * block_size * sizeof(int));
  tree_sum<<<blocks, block_size>>>(values, sums);
  cudaFree(values);
  cudaFree(sums);
}
