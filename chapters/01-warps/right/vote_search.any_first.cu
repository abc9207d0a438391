// Asks whether there is any hit before it asks where, and lets the lane that has it write.
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
  for (unsigned first = 0; first < columns; first += 32) {
    const bool hit = first + lane < columns && values[first + lane] == key;
    if (!__any_sync(warps::all_lanes, hit)) continue;
    position = static_cast<int>(first + __clz(__brev(__ballot_sync(warps::all_lanes, hit))));
    break;
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
