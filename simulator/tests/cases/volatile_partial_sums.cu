// Every block leaves its sum through a volatile pointer and takes a ticket; the last block adds up all sums. Volatile
// keeps them out of registers and caches, and orders nothing: without a fence they may arrive behind the ticket.
// expect: race at [last sum] with [block sum], saying "nothing orders the two", alone
#include <cuda_runtime.h>

namespace {

constexpr int block_size = 64;

__device__ float sum_of(float value) {
  __shared__ float tile[block_size];
  const int t = threadIdx.x;
  tile[t] = value;
  for (int half = block_size / 2; half > 0; half /= 2) {
    __syncthreads();
    if (t < half) tile[t] += tile[t + half];
  }
  __syncthreads();
  return tile[0];
}

template <bool mended>
__global__ void total_of(const float* values, volatile float* sums, unsigned* tickets, float* total) {
  __shared__ bool is_last;
  const int t = threadIdx.x;
  const float sum = sum_of(values[blockIdx.x * block_size + t]);
  if (t == 0) {
    sums[blockIdx.x] = sum;  // [block sum]
    if constexpr (mended) __threadfence();
    is_last = atomicAdd(tickets, 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!is_last) return;
  float mine = 0;
  for (unsigned block = t; block < gridDim.x; block += block_size) mine += sums[block];  // [last sum]
  const float all = sum_of(mine);
  if (t == 0) *total = all;
}

}  // namespace

extern "C" void volatile_partial_sums(bool mended) {
  constexpr int blocks = 20;
  float* values = nullptr;
  float* sums = nullptr;  // and the total
  unsigned* tickets = nullptr;
  cudaMalloc(&values, blocks * block_size * sizeof(float));
  cudaMalloc(&tickets, sizeof(unsigned));
  cudaMalloc(&sums, (blocks + 1) * sizeof(float));
  cudaMemset(values, 0, blocks * block_size * sizeof(float));
  cudaMemset(tickets, 0, sizeof(unsigned));
  const auto kernel = mended ? total_of<true> : total_of<false>;
  kernel<<<blocks, block_size>>>(values, sums, tickets, sums + blocks);
  cudaFree(values);
  cudaFree(tickets);
  cudaFree(sums);
}
