// The sizes given to cudaMalloc and cudaMemcpy count elements, where bytes are meant.
// expect: out of bounds at [load], thread (32,0,0), block (0,0,0), allocated at [allocation]
#include <cuda_runtime.h>

namespace {

__global__ void cube(const float* values, float* cubes, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) cubes[i] = values[i] * values[i] * values[i];  // [load]
}

}  // namespace

extern "C" void bytes_for_elements(bool mended) {
  constexpr int n = 128;
  const std::size_t size = mended ? n * sizeof(float) : n;
  float numbers[n];
  for (float& number : numbers) number = 2;
  float* values = nullptr;
  float* cubes = nullptr;
  cudaMalloc(&values, size);  // [allocation]
  cudaMalloc(&cubes, size);
  cudaMemcpy(values, numbers, size, cudaMemcpyHostToDevice);
  cube<<<1, n>>>(values, cubes, n);
  cudaFree(values);
  cudaFree(cubes);
}
