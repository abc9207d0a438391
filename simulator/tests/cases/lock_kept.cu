// A thread that finds nothing to do returns between taking the lock and releasing it; all others wait for ever.
// expect: livelock at [lock], saying "found 1 whenever the atomic at"
#include <cuda_runtime.h>

namespace {

constexpr int blocks = 6;

template <bool mended>
__global__ void add_positive(const int* values, int* lock, int* sum) {
  if (threadIdx.x != 0) return;
  const int value = values[blockIdx.x];
  if (mended && value <= 0) return;
  while (atomicCAS(lock, 0, 1) != 0) {  // [lock]
  }
  __threadfence();
  if (value <= 0) return;
  *sum += value;
  __threadfence();
  atomicExch(lock, 0);
}

}  // namespace

extern "C" void lock_kept(bool mended) {
  const int host[blocks] = {5, -2, 7, -1, 9, 3};
  int* values = nullptr;
  int* lock = nullptr;
  int* sum = nullptr;
  cudaMalloc(&values, sizeof host);
  cudaMalloc(&lock, sizeof(int));
  cudaMalloc(&sum, sizeof(int));
  cudaMemcpy(values, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemset(lock, 0, sizeof(int));
  cudaMemset(sum, 0, sizeof(int));
  const auto kernel = mended ? add_positive<true> : add_positive<false>;
  kernel<<<blocks, 32>>>(values, lock, sum);
  cudaFree(values);
  cudaFree(lock);
  cudaFree(sum);
}
