// Every thread leaves a value and fences it; then the block's first thread takes a ticket for all of them. Without a
// barrier before the ticket, it does not know whether the others have fenced. The last block resets the ticket for the
// next launch, which is right.
// expect: race at [sum] with [value], saying "nothing orders the two"
#include <cuda_runtime.h>

namespace {

template <bool mended>
__global__ void total_of(const int* values, int* squares, int* tickets, int* total) {
  __shared__ bool is_last;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  squares[i] = values[i] * values[i];  // [value]
  __threadfence();
  if constexpr (mended) __syncthreads();
  if (threadIdx.x == 0) is_last = atomicAdd(tickets, 1) == static_cast<int>(gridDim.x) - 1;
  __syncthreads();
  if (!is_last || threadIdx.x != 0) return;
  __threadfence();
  int sum = 0;
  for (int other = 0; other < static_cast<int>(gridDim.x * blockDim.x); ++other) sum += squares[other];  // [sum]
  *total = sum;
  *tickets = 0;
}

}  // namespace

extern "C" void fenced_by_others(bool mended) {
  constexpr int blocks = 4, threads = 128, n = blocks * threads;
  int* values = nullptr;
  int* squares = nullptr;
  int* total = nullptr;  // and the ticket
  cudaMalloc(&values, n * sizeof(int));
  cudaMalloc(&squares, n * sizeof(int));
  cudaMalloc(&total, 2 * sizeof(int));
  cudaMemset(values, 1, n * sizeof(int));
  cudaMemset(total, 0, 2 * sizeof(int));
  const auto kernel = mended ? total_of<true> : total_of<false>;
  for (int run = 0; run < 2; ++run) kernel<<<blocks, threads>>>(values, squares, total + 1, total);
  cudaFree(values);
  cudaFree(squares);
  cudaFree(total);
}
