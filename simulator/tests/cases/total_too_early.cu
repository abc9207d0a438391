// All blocks add to a total, and each takes it for complete behind a barrier, which waits for one block only.
// expect: race at [addition] with [use], alone, saying "nothing orders the two"
#include <cuda_runtime.h>

namespace {

__global__ void add_up(const float* values, float* total) {
  atomicAdd(total, values[blockIdx.x * blockDim.x + threadIdx.x]);
}

__global__ void add_up_and_share(const float* values, float* total, float* shares) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(total, values[i]);  // [addition]
  __syncthreads();
  shares[i] = values[i] / *total;  // [use]
}

__global__ void share(const float* values, const float* total, float* shares) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  shares[i] = values[i] / *total;
}

}  // namespace

extern "C" void total_too_early(bool mended) {
  constexpr int n = 256;
  float numbers[n];
  for (float& number : numbers) number = 1;
  float* values = nullptr;
  float* total = nullptr;
  float* shares = nullptr;
  cudaMalloc(&values, n * sizeof(float));
  cudaMalloc(&total, sizeof(float));
  cudaMalloc(&shares, n * sizeof(float));
  cudaMemcpy(values, numbers, n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemset(total, 0, sizeof(float));
  if (mended) {
    add_up<<<n / 64, 64>>>(values, total);
    share<<<n / 64, 64>>>(values, total, shares);
  } else {
    add_up_and_share<<<n / 64, 64>>>(values, total, shares);
  }
  cudaFree(values);
  cudaFree(total);
  cudaFree(shares);
}
