// A result is on its way into pinned memory in one stream, when another stream takes it from there.
// expect: race at [forward] with [fetch], saying "may still be writing it"
#include <cuda_runtime.h>

namespace {

__global__ void fill(int* values, int value) { values[threadIdx.x] = value; }

}  // namespace

extern "C" void result_before_copy(bool mended) {
  constexpr int n = 256;
  int* values = nullptr;
  int* on_host = nullptr;
  int* result = nullptr;
  cudaMalloc(&values, n * sizeof(int));
  cudaMalloc(&result, n * sizeof(int));
  cudaMallocHost(&on_host, n * sizeof(int));
  cudaStream_t one, other;
  cudaStreamCreate(&one);
  cudaStreamCreate(&other);
  fill<<<1, n, 0, one>>>(values, 7);
  cudaMemcpyAsync(on_host, values, n * sizeof(int), cudaMemcpyDeviceToHost, one);  // [fetch]
  if (mended) cudaStreamSynchronize(one);
  cudaMemcpyAsync(result, on_host, n * sizeof(int), cudaMemcpyHostToDevice, other);  // [forward]
  cudaDeviceSynchronize();
  cudaStreamDestroy(one);
  cudaStreamDestroy(other);
  cudaFreeHost(on_host);
  cudaFree(values);
  cudaFree(result);
}
