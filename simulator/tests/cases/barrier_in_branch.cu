// The barrier of a tree sum stands inside the condition: each level leaves out half of the threads, which wait at the
// next barrier instead and release the first.
// expect: barrier divergence at [barrier in the branch] with [barrier behind], block (0,0,0)
#include <cuda_runtime.h>

namespace {

constexpr int block_size = 128;

template <bool mended>
__global__ void sum_for_all(const int* values, int* sums) {
  __shared__ int tile[block_size];
  const int t = threadIdx.x;
  tile[t] = values[t];
  __syncthreads();
  for (int active = block_size / 2; active > 0; active /= 2) {
    if (t < active) {
      tile[t] += tile[t + active];
      if constexpr (!mended) __syncthreads();  // [barrier in the branch]
    }
    if constexpr (mended) __syncthreads();
  }
  __syncthreads();  // [barrier behind]
  sums[t] = tile[0];
}

}  // namespace

extern "C" void barrier_in_branch(bool mended) {
  int* values = nullptr;
  int* sums = nullptr;
  cudaMalloc(&values, block_size * sizeof(int));
  cudaMalloc(&sums, block_size * sizeof(int));
  cudaMemset(values, 1, block_size * sizeof(int));
  const auto kernel = mended ? sum_for_all<true> : sum_for_all<false>;
  kernel<<<1, block_size>>>(values, sums);
  cudaFree(values);
  cudaFree(sums);
}
