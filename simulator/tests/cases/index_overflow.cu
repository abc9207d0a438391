// An index of 32 bits steps over two thousand millions and becomes negative, which is still less than n. A window onto
// the array's end shows it without the array.
// expect: out of bounds at [write], thread (0,0,0), block (0,0,0), saying "element 8192"
#include <cuda_runtime.h>

namespace {

template <class Index>
__global__ void mark(char* window, int start, int n, unsigned step) {
  for (Index i = start + static_cast<int>(threadIdx.x); i < n; i += step) window[i - start] = 1;  // [write]
}

}  // namespace

extern "C" void index_overflow(bool mended) {
  constexpr int n = 2147483600;
  constexpr int start = n - 500;
  char* window = nullptr;
  cudaMalloc(&window, n - start);
  cudaMemset(window, 0, n - start);
  if (mended)
    mark<long long><<<1, 512>>>(window, start, n, 8192);
  else
    mark<int><<<1, 512>>>(window, start, n, 8192);
  cudaFree(window);
}
