// Memory is allocated in the order of one stream, and used in another one, which does not wait for it.
// expect: race at [kernel] with [allocation], saying "may not have allocated it yet"
#include <cuda_runtime.h>

namespace {

__global__ void fill(int* values, int value) { values[threadIdx.x] = value; }

}  // namespace

extern "C" void used_before_allocated(bool mended) {
  constexpr int n = 256;
  cudaStream_t one, other;
  cudaStreamCreate(&one);
  cudaStreamCreate(&other);
  int* values = nullptr;
  cudaMallocAsync(&values, n * sizeof(int), one);  // [allocation]
  if (mended) cudaStreamSynchronize(one);
  fill<<<1, n, 0, other>>>(values, 3);  // [kernel]
  cudaStreamSynchronize(other);
  cudaStreamDestroy(one);
  cudaStreamDestroy(other);
  cudaFree(values);
}
