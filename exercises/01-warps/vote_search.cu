// warps.vote_search: 32 lanes look, and all of them know what one has seen.
//
// A warp searches a row for a key, 32 columns a step. A lane that finds it has to tell the others, or they go on
// looking; and if several find it, the first column counts. __ballot_sync(mask, condition) gives to every lane a word
// with a bit for each lane: 1 where the condition holds. __ffs(word) is the number of the lowest bit that is 1, counted
// from 1.
//
// fails now: right: finds every column

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
  // TODO: let the lanes vote in each step, take the first that has found the key, and stop.
  for (unsigned first = 0; first < columns; first += 32) {
    if (first + lane < columns && values[first + lane] == key) position = static_cast<int>(first + lane);
  }
  // END
  if (lane == 0) positions[row] = position;
}

}  // namespace

void warps::vote_search(const std::int32_t* matrix, std::int32_t* positions, std::size_t rows, unsigned columns,
                        std::int32_t key, cudaStream_t stream) {
  if (rows == 0) return;
  const auto blocks = static_cast<unsigned>((32 * rows + block_threads - 1) / block_threads);
  search<<<blocks, block_threads, 0, stream>>>(matrix, positions, rows, columns, key);
}
