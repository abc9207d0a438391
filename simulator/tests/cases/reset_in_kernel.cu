// The first block sets the total to zero, behind a barrier that no other block waits at: what they have added before is
// lost.
// expect: race at [reset] with [addition], saying "blocks run in any order"
#include <cuda_runtime.h>

namespace {

constexpr int block_size = 64;

template <bool mended>
__global__ void add_up(const int* values, int* total) {
  if constexpr (!mended) {
    if (blockIdx.x == 0 && threadIdx.x == 0) *total = 0;  // [reset]
    __syncthreads();
  }
  atomicAdd(total, values[blockIdx.x * block_size + threadIdx.x]);  // [addition]
}

}  // namespace

extern "C" void reset_in_kernel(bool mended) {
  constexpr int blocks = 20;
  int* values = nullptr;
  int* total = nullptr;
  cudaMalloc(&values, blocks * block_size * sizeof(int));
  cudaMalloc(&total, sizeof(int));
  cudaMemset(values, 1, blocks * block_size * sizeof(int));
  cudaMemset(total, 0, sizeof(int));
  const auto kernel = mended ? add_up<true> : add_up<false>;
  kernel<<<blocks, block_size>>>(values, total);
  cudaFree(values);
  cudaFree(total);
}
