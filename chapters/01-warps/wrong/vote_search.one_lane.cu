// wrong: one lane walks along the row; rejected by: contract: a warp looks at 32 columns a step
#include "warps.h"

namespace {

constexpr unsigned block_threads = 256;

// Each warp searches one row, 32 columns at a time.
__global__ void search(const std::int32_t* matrix, std::int32_t* positions, std::size_t rows, unsigned columns,
                       std::int32_t key) {
  const std::size_t row = (std::size_t{blockIdx.x} * blockDim.x + threadIdx.x) / 32;
  const unsigned lane = threadIdx.x % 32;
  if (row >= rows) return;
  const std::int32_t* values = matrix + row * columns;
  int position = -1;
  if (lane == 0) {
    for (unsigned column = 0; position < 0 && column < columns; ++column)
      if (values[column] == key) position = static_cast<int>(column);
  }
  if (lane == 0) positions[row] = position;
}

}  // namespace

void warps::vote_search(const std::int32_t* matrix, std::int32_t* positions, std::size_t rows, unsigned columns,
                        std::int32_t key, cudaStream_t stream) {
  if (rows == 0) return;
  const auto blocks = static_cast<unsigned>((32 * rows + block_threads - 1) / block_threads);
  search<<<blocks, block_threads, 0, stream>>>(matrix, positions, rows, columns, key);
}
