// A kernel writes its result into managed memory, and the host reads it there without having waited for the kernel.
// expect: race at [read] with [launch], saying "host code reads element 0 (of 4 bytes)", allocated at [allocation]
#include <cuda_runtime.h>

namespace {

__global__ void square(int* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] *= values[i];
}

volatile int result = 0;

}  // namespace

extern "C" void result_read_early(bool mended) {
  constexpr int n = 1000;
  int* values = nullptr;
  cudaMallocManaged(&values, n * sizeof(int));  // [allocation]
  for (int i = 0; i < n; ++i) values[i] = i;
  square<<<4, 256>>>(values, n);  // [launch]
  if (mended) cudaDeviceSynchronize();
  result = values[0];  // [read]
  cudaFree(values);
}
