// Half of the input is copied to the device, and all of it is used.
// expect: uninitialised at [square], thread (0,0,0), block (1,0,0), saying "element 64 of argument 1"
#include <cuda_runtime.h>

namespace {

__global__ void square(const float* values, float* squares) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  squares[i] = values[i] * values[i];  // [square]
}

}  // namespace

extern "C" void copied_in_part(bool mended) {
  constexpr int n = 128;
  float numbers[n];
  for (float& number : numbers) number = 2;
  float* values = nullptr;
  float* squares = nullptr;
  cudaMalloc(&values, n * sizeof(float));
  cudaMalloc(&squares, n * sizeof(float));
  cudaMemcpy(values, numbers, (mended ? n : n / 2) * sizeof(float), cudaMemcpyHostToDevice);
  square<<<2, 64>>>(values, squares);
  cudaFree(values);
  cudaFree(squares);
}
