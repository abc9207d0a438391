// Four streams work on a quarter of an array each, and the last element of each quarter takes its right neighbour,
// which is another stream's to write.
// expect: race at [launch] with [launch], saying "element 1024 (of 4 bytes)"
#include <cuda_runtime.h>

namespace {

__global__ void add_neighbour(int* values, int first, int count, int reach) {
  const int i = first + blockIdx.x * blockDim.x + threadIdx.x;
  const int right = i + 1 < first + reach ? values[i + 1] : 0;
  __syncthreads();
  if (i < first + count) values[i] += right;
}

}  // namespace

extern "C" void chunks_overlap(bool mended) {
  constexpr int streams = 4, chunk = 1 << 10;
  int* values = nullptr;
  cudaMalloc(&values, (streams * chunk + 1) * sizeof(int));
  cudaMemset(values, 1, (streams * chunk + 1) * sizeof(int));
  cudaStream_t stream[streams];
  for (cudaStream_t& one : stream) cudaStreamCreate(&one);
  for (int i = 0; i < streams; ++i)
    add_neighbour<<<1, chunk, 0, stream[i]>>>(values, i * chunk, chunk, mended ? chunk : chunk + 1);  // [launch]
  cudaDeviceSynchronize();
  for (cudaStream_t one : stream) cudaStreamDestroy(one);
  cudaFree(values);
}
