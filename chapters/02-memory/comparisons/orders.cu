// Copies that read the same cells of memory, each of them once, and differ in nothing but the order. In every order as
// many sectors are asked for, DRAM reads as many bytes, and no cache can help: what is left of a difference in time is
// the order's.
#include "comparisons.h"

namespace {

constexpr unsigned block_threads = 256;

__global__ void in_places(const float* cells, float* out, std::size_t n, memory::Places places) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) out[i] = cells[places(i) * memory::cell_floats];
}

__global__ void number_cells(float* cells, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) cells[i * memory::cell_floats] = memory::number_of_cell(i);
}

unsigned blocks_for(std::size_t n) { return static_cast<unsigned>((n + block_threads - 1) / block_threads); }

}  // namespace

void memory::copy_in_order(Places places, const float* cells, float* out, std::size_t n, cudaStream_t stream) {
  if (n != 0) in_places<<<blocks_for(n), block_threads, 0, stream>>>(cells, out, n, places);
}

void memory::fill_cells(float* cells, std::size_t n, cudaStream_t stream) {
  if (n != 0) number_cells<<<blocks_for(n), block_threads, 0, stream>>>(cells, n);
}
