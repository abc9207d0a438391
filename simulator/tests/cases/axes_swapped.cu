// Neighbouring threads take neighbouring rows of a matrix that is stored row by row: each of them needs a sector of its
// own.
// expect: cost 32 for 4 at [copy]
#include <cuda_runtime.h>

namespace {

template <bool mended>
__global__ void negate(const float* matrix, float* negated, int n) {
  const int one = blockIdx.x * 32 + threadIdx.x;
  const int other = blockIdx.y * 8 + threadIdx.y;
  const int row = mended ? other : one;
  const int column = mended ? one : other;
  negated[row * n + column] = -matrix[row * n + column];  // [copy]
}

}  // namespace

extern "C" void axes_swapped(bool mended) {
  constexpr int n = 64;
  float* matrix = nullptr;
  float* negated = nullptr;
  cudaMalloc(&matrix, n * n * sizeof(float));
  cudaMalloc(&negated, n * n * sizeof(float));
  cudaMemset(matrix, 0, n * n * sizeof(float));
  const auto kernel = mended ? negate<true> : negate<false>;
  kernel<<<dim3(n / 32, n / 8), dim3(32, 8)>>>(matrix, negated, n);
  cudaFree(matrix);
  cudaFree(negated);
}
