// Each block computes one tile of the product, out of one row of tiles of the left matrix and one column of tiles of
// the right one, which it brings into shared memory pair by pair.
#include "matrix_product.h"

namespace {

__global__ void multiply_tiles(const float* a, const float* b, float* c, unsigned n) {
  __shared__ float left[matrix_tile][matrix_tile], right[matrix_tile][matrix_tile];
  const unsigned x = threadIdx.x, y = threadIdx.y;
  const unsigned row = blockIdx.y * matrix_tile + y, column = blockIdx.x * matrix_tile + x;
  float sum = 0;
  for (unsigned tile = 0; tile < n; tile += matrix_tile) {
    left[y][x] = a[row * n + tile + x];
    right[y][x] = b[(tile + y) * n + column];
    __syncthreads();
    for (unsigned k = 0; k < matrix_tile; ++k) sum += left[y][k] * right[k][x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

}  // namespace

void matrix_product(const float* a, const float* b, float* c, unsigned n) {
  multiply_tiles<<<dim3(n / matrix_tile, n / matrix_tile), dim3(matrix_tile, matrix_tile)>>>(a, b, c, n);
}
