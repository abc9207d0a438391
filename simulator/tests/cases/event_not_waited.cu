// One stream fills an array, another one reads it. An event is recorded behind the first kernel, but the second stream
// does not wait for it.
// expect: race at [read] with [fill], allocated at [allocation], saying "stream 2, reads element 0 (of 4 bytes)"
#include <cuda_runtime.h>

namespace {

__global__ void fill(float* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] = static_cast<float>(i);
}

__global__ void square(const float* values, float* squares, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) squares[i] = values[i] * values[i];
}

}  // namespace

extern "C" void event_not_waited(bool mended) {
  constexpr int n = 1 << 12;
  float* values = nullptr;
  float* squares = nullptr;
  cudaMalloc(&values, n * sizeof(float));  // [allocation]
  cudaMalloc(&squares, n * sizeof(float));
  cudaStream_t one, other;
  cudaStreamCreate(&one);
  cudaStreamCreate(&other);
  cudaEvent_t filled;
  cudaEventCreateWithFlags(&filled, cudaEventDisableTiming);
  fill<<<n / 256, 256, 0, one>>>(values, n);  // [fill]
  cudaEventRecord(filled, one);
  if (mended) cudaStreamWaitEvent(other, filled, 0);
  square<<<n / 256, 256, 0, other>>>(values, squares, n);  // [read]
  cudaDeviceSynchronize();
  cudaEventDestroy(filled);
  cudaStreamDestroy(one);
  cudaStreamDestroy(other);
  cudaFree(values);
  cudaFree(squares);
}
