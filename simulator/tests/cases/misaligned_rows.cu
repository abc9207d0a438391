// Rows are read four values at a time, and a row's length is no multiple of four: every other row starts askew.
// expect: misaligned at [load], thread (0,0,0), block (1,0,0), saying "16 bytes at byte 808"
#include <cuda_runtime.h>

namespace {

template <bool mended>
__global__ void first_sums(const float* rows, int length, float* sums) {
  const float* row = rows + blockIdx.x * length;
  const int first = 4 * static_cast<int>(threadIdx.x);
  float sum = 0;
  if constexpr (mended) {
    for (int i = first; i < first + 4; ++i) sum += row[i];
  } else {
    const float4 v = *reinterpret_cast<const float4*>(row + first);  // [load]
    sum = v.x + v.y + v.z + v.w;
  }
  sums[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

}  // namespace

extern "C" void misaligned_rows(bool mended) {
  constexpr int rows = 3;
  constexpr int length = 202;
  float* values = nullptr;
  float* sums = nullptr;
  cudaMalloc(&values, rows * length * sizeof(float));
  cudaMalloc(&sums, rows * 32 * sizeof(float));
  cudaMemset(values, 0, rows * length * sizeof(float));
  const auto kernel = mended ? first_sums<true> : first_sums<false>;
  kernel<<<rows, 32>>>(values, length, sums);
  cudaFree(values);
  cudaFree(sums);
}
