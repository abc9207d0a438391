// An array is set in the default stream and used in a stream that was made with cudaStreamNonBlocking, which does not
// wait for the default stream. And cudaMemset does not wait for the GPU.
// expect: race at [kernel] with [set], saying "cudaMemset may return before it is done"
#include <cuda_runtime.h>

namespace {

__global__ void count(const int* values, int n, int* counts) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&counts[values[i] % 16], 1);
}

}  // namespace

extern "C" void non_blocking_stream(bool mended) {
  constexpr int n = 1 << 12;
  int* values = nullptr;
  int* counts = nullptr;
  cudaMalloc(&values, n * sizeof(int));
  cudaMalloc(&counts, 16 * sizeof(int));
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaMemsetAsync(values, 0, n * sizeof(int), stream);
  if (mended)
    cudaMemsetAsync(counts, 0, 16 * sizeof(int), stream);
  else
    cudaMemset(counts, 0, 16 * sizeof(int));              // [set]
  count<<<n / 256, 256, 0, stream>>>(values, n, counts);  // [kernel]
  cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);
  cudaFree(values);
  cudaFree(counts);
}
