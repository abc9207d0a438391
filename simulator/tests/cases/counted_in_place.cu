// A histogram in shared memory: threads of all warps count in the same bins, and ++ reads, adds and writes.
// expect: race at [count] with [count], saying "atomicAdd", alone
#include <cuda_runtime.h>

namespace {

constexpr int block_size = 128;
constexpr int bin_count = 16;

template <bool mended>
__global__ void histogram(const int* values, int n, int* bins) {
  __shared__ int counts[bin_count];
  const int t = threadIdx.x;
  if (t < bin_count) counts[t] = 0;
  __syncthreads();
  for (int i = t; i < n; i += block_size)
    if constexpr (mended)
      atomicAdd(&counts[values[i]], 1);
    else
      ++counts[values[i]];  // [count]
  __syncthreads();
  if (t < bin_count) bins[t] = counts[t];
}

}  // namespace

extern "C" void counted_in_place(bool mended) {
  constexpr int n = 1024;
  int host[n];
  for (int i = 0; i < n; ++i) host[i] = (7 * i + i / 32) % bin_count;
  int* values = nullptr;
  int* bins = nullptr;
  cudaMalloc(&values, sizeof host);
  cudaMalloc(&bins, bin_count * sizeof(int));
  cudaMemcpy(values, host, sizeof host, cudaMemcpyHostToDevice);
  const auto kernel = mended ? histogram<true> : histogram<false>;
  kernel<<<1, block_size>>>(values, n, bins);
  cudaFree(values);
  cudaFree(bins);
}
