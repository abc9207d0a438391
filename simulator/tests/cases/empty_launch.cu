// The number of blocks follows from n, and n may be 0: a grid of no blocks is no launch.
// expect: launch configuration at [launch], saying "gridDim.x is 0"
#include <cuda_runtime.h>

namespace {

__global__ void twice(int* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] *= 2;
}

void launch(int* values, int n) {
  twice<<<(n + 127) / 128, 128>>>(values, n);  // [launch]
}

}  // namespace

extern "C" void empty_launch(bool mended) {
  int* values = nullptr;
  cudaMalloc(&values, 100 * sizeof(int));
  cudaMemset(values, 1, 100 * sizeof(int));
  for (const int n : {100, 0})
    if (!mended || n > 0) launch(values, n);
  cudaFree(values);
}
