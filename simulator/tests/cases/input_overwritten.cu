// Pinned memory is copied to the device asynchronously, and filled with the next part of the input at once.
// expect: race at [refill] with [copy], saying "may still be reading it"
#include <cuda_runtime.h>

extern "C" void input_overwritten(bool mended) {
  constexpr int n = 1 << 10, parts = 2;
  int* part = nullptr;
  int* values = nullptr;
  cudaMallocHost(&part, n * sizeof(int));
  cudaMalloc(&values, parts * n * sizeof(int));
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  for (int number = 0; number < parts; ++number) {
    if (mended) cudaStreamSynchronize(stream);
    for (int i = 0; i < n; ++i) part[i] = number * n + i;                                         // [refill]
    cudaMemcpyAsync(values + number * n, part, n * sizeof(int), cudaMemcpyHostToDevice, stream);  // [copy]
  }
  cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);
  cudaFreeHost(part);
  cudaFree(values);
}
