// Two arrays share the dynamic shared memory: an odd number of floats, and behind them doubles, which then start askew.
// expect: misaligned at [write], thread (0,0,0), block (0,0,0), saying "byte 132 of raw"
#include <cuda_runtime.h>

namespace {

template <bool mended>
__global__ void reverse_both(const float* narrow, const double* wide, double* sums, int n) {
  extern __shared__ double raw[];
  float* first = mended ? reinterpret_cast<float*>(raw + n) : reinterpret_cast<float*>(raw);
  double* second = mended ? raw : reinterpret_cast<double*>(first + n);
  const int i = threadIdx.x;
  if (i < n) {
    first[i] = narrow[i];
    second[i] = wide[i];  // [write]
  }
  __syncthreads();
  if (i < n) sums[i] = first[n - 1 - i] + second[n - 1 - i];
}

}  // namespace

extern "C" void carved_askew(bool mended) {
  constexpr int n = 33;
  float* narrow = nullptr;
  double* wide = nullptr;
  double* sums = nullptr;
  cudaMalloc(&narrow, n * sizeof(float));
  cudaMalloc(&wide, n * sizeof(double));
  cudaMalloc(&sums, n * sizeof(double));
  cudaMemset(narrow, 0, n * sizeof(float));
  cudaMemset(wide, 0, n * sizeof(double));
  const auto kernel = mended ? reverse_both<true> : reverse_both<false>;
  kernel<<<1, 64, n * (sizeof(float) + sizeof(double))>>>(narrow, wide, sums, n);
  cudaFree(narrow);
  cudaFree(wide);
  cudaFree(sums);
}
