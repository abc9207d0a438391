// A barrier of all blocks, made by hand: it counts the blocks that have come. The last block has nothing to do and
// returns before it.
// expect: livelock at [wait for all blocks] with [barrier of the block], block (0,0,0), saying "found 3 whenever"
#include <cuda_runtime.h>

namespace {

constexpr int block_size = 64;
constexpr int blocks = 4;

template <bool mended>
__global__ void smooth(const int* values, int* halves, int* arrived, int* sums, int n) {
  const int i = blockIdx.x * block_size + threadIdx.x;
  if (!mended && blockIdx.x * block_size >= n) return;
  if (i < n) halves[i] = values[i] / 2;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(arrived, 1);
    while (*static_cast<volatile int*>(arrived) < gridDim.x) {  // [wait for all blocks]
    }
    __threadfence();
  }
  __syncthreads();  // [barrier of the block]
  if (i < n) sums[i] = halves[i] + halves[(i + block_size) % n];
}

}  // namespace

extern "C" void barrier_of_too_few(bool mended) {
  constexpr int n = (blocks - 1) * block_size;
  int* values = nullptr;
  int* halves = nullptr;
  int* arrived = nullptr;
  int* sums = nullptr;
  cudaMalloc(&values, n * sizeof(int));
  cudaMalloc(&halves, n * sizeof(int));
  cudaMalloc(&arrived, sizeof(int));
  cudaMalloc(&sums, n * sizeof(int));
  cudaMemset(values, 1, n * sizeof(int));
  cudaMemset(arrived, 0, sizeof(int));
  const auto kernel = mended ? smooth<true> : smooth<false>;
  kernel<<<blocks, block_size>>>(values, halves, arrived, sums, n);
  cudaFree(values);
  cudaFree(halves);
  cudaFree(arrived);
  cudaFree(sums);
}
