// The kernel has an array of dynamic shared memory, and the launch does not say how large it is.
// expect: out of bounds at [write], thread (0,0,0), block (0,0,0), saying "0 bytes"
#include <cuda_runtime.h>

namespace {

__global__ void turn_round(const int* values, int* turned) {
  extern __shared__ int line[];
  line[threadIdx.x] = values[threadIdx.x];  // [write]
  __syncthreads();
  turned[threadIdx.x] = line[blockDim.x - 1 - threadIdx.x];
}

}  // namespace

extern "C" void dynamic_shared_forgotten(bool mended) {
  constexpr int n = 256;
  int* values = nullptr;
  int* turned = nullptr;
  cudaMalloc(&values, n * sizeof(int));
  cudaMalloc(&turned, n * sizeof(int));
  cudaMemset(values, 1, n * sizeof(int));
  turn_round<<<1, n, mended ? n * sizeof(int) : 0>>>(values, turned);
  cudaFree(values);
  cudaFree(turned);
}
