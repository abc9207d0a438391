// A kernel writes its result into managed memory, and the host reads it there without having waited for the kernel.
// expect: race at [read] with [launch], saying "host code reads element 999 (of 4 bytes)", allocated at [allocation]
#include <cuda_runtime.h>

namespace {

__global__ void square(int* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] *= values[i];
}

}  // namespace

extern "C" void result_read_early(bool mended) {
  constexpr int n = 1000;
  int* values = nullptr;
  int* result = nullptr;
  cudaMallocManaged(&values, n * sizeof(int));  // [allocation]
  cudaMalloc(&result, sizeof(int));
  for (int i = 0; i < n; ++i) values[i] = i;
  square<<<4, 256>>>(values, n);  // [launch]
  if (mended) cudaDeviceSynchronize();
  const int last = values[n - 1];  // [read]
  cudaMemcpy(result, &last, sizeof(int), cudaMemcpyHostToDevice);
  cudaFree(values);
  cudaFree(result);
}
