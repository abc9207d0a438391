// The tile has a spare column, and the index still counts without it: every lane of a column waits for one bank.
// expect: cost 32 for 1 at [column]
#include <cuda_runtime.h>

namespace {

template <bool mended>
__global__ void transpose(const float* matrix, float* transposed) {
  __shared__ float tile[32 * 33];
  constexpr int pitch = mended ? 33 : 32;
  const int t = threadIdx.x;
  for (int row = 0; row < 32; ++row) tile[row * pitch + t] = matrix[row * 32 + t];
  __syncwarp();
  for (int row = 0; row < 32; ++row) transposed[row * 32 + t] = tile[t * pitch + row];  // [column]
}

}  // namespace

extern "C" void padding_unused(bool mended) {
  float* matrix = nullptr;
  float* transposed = nullptr;
  cudaMalloc(&matrix, 32 * 32 * sizeof(float));
  cudaMalloc(&transposed, 32 * 32 * sizeof(float));
  cudaMemset(matrix, 0, 32 * 32 * sizeof(float));
  const auto kernel = mended ? transpose<true> : transpose<false>;
  kernel<<<1, 32>>>(matrix, transposed);
  cudaFree(matrix);
  cudaFree(transposed);
}
