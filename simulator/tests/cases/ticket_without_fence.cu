// Every block leaves a sum and takes a ticket; the last one adds up all sums. Without a fence before the ticket, the
// sums may arrive behind it.
// expect: race at [last sum] with [block sum], saying "nothing orders the two"
#include <cuda_runtime.h>

namespace {

template <bool mended>
__global__ void total_of(const int* values, int* sums, int* tickets, int* total) {
  __shared__ bool is_last;
  if (threadIdx.x == 0) {
    int sum = 0;
    for (int i = 0; i < 32; ++i) sum += values[blockIdx.x * 32 + i];
    sums[blockIdx.x] = sum;  // [block sum]
    if constexpr (mended) __threadfence();
    is_last = atomicAdd(tickets, 1) == static_cast<int>(gridDim.x) - 1;
  }
  __syncthreads();
  if (!is_last || threadIdx.x != 1) return;
  int all = 0;
  for (int block = 0; block < static_cast<int>(gridDim.x); ++block) all += sums[block];  // [last sum]
  *total = all;
}

}  // namespace

extern "C" void ticket_without_fence(bool mended) {
  constexpr int blocks = 20;
  int* values = nullptr;
  int* sums = nullptr;  // and the ticket, and the total
  cudaMalloc(&values, blocks * 32 * sizeof(int));
  cudaMalloc(&sums, (blocks + 2) * sizeof(int));
  cudaMemset(values, 1, blocks * 32 * sizeof(int));
  cudaMemset(sums, 0, (blocks + 2) * sizeof(int));
  const auto kernel = mended ? total_of<true> : total_of<false>;
  kernel<<<blocks, 32>>>(values, sums, sums + blocks, sums + blocks + 1);
  cudaFree(values);
  cudaFree(sums);
}
