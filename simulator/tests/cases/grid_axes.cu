// The kernel takes x for rows, the launch for columns: a matrix that is not square is transposed in part.
// expect: coverage of argument 2, saying "of 5120 bytes were not written"
#include <cuda_runtime.h>

namespace {

__global__ void transpose(const float* matrix, float* transposed, int rows, int columns) {
  const int row = blockIdx.x * 8 + threadIdx.x;
  const int column = blockIdx.y * 8 + threadIdx.y;
  if (row < rows && column < columns) transposed[column * rows + row] = matrix[row * columns + column];
}

}  // namespace

extern "C" void grid_axes(bool mended) {
  constexpr int rows = 64;
  constexpr int columns = 20;
  constexpr int along_rows = (rows + 7) / 8;
  constexpr int along_columns = (columns + 7) / 8;
  float* matrix = nullptr;
  float* transposed = nullptr;
  cudaMalloc(&matrix, rows * columns * sizeof(float));
  cudaMalloc(&transposed, rows * columns * sizeof(float));
  cudaMemset(matrix, 0, rows * columns * sizeof(float));
  cudaMemset(transposed, -1, rows * columns * sizeof(float));
  const dim3 grid = mended ? dim3(along_rows, along_columns) : dim3(along_columns, along_rows);
  transpose<<<grid, dim3(8, 8)>>>(matrix, transposed, rows, columns);
  cudaFree(matrix);
  cudaFree(transposed);
}
