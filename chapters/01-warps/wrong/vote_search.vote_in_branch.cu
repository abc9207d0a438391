// wrong: only lanes with a column vote, while the others wait elsewhere; rejected by: safely: vote mask
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
  for (unsigned first = 0; position < 0 && first < columns; first += 32) {
    unsigned hits = 0;
    if (first + lane < columns) hits = __ballot_sync(warps::all_lanes, values[first + lane] == key);
    __syncwarp();
    if (hits != 0) position = static_cast<int>(first) + __ffs(static_cast<int>(hits)) - 1;
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
