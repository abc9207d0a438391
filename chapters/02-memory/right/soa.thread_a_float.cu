// A thread for each float: a warp reads 8 particles, and writes 8 floats to each column, one sector.
#include "memory.h"

namespace {

constexpr unsigned block_threads = 256;

__global__ void split(const float* floats, memory::Columns columns, std::size_t n) {
  const std::size_t k = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (k >= 4 * n) return;
  float* const column = k % 4 == 0 ? columns.x : k % 4 == 1 ? columns.y : k % 4 == 2 ? columns.z : columns.mass;
  column[k / 4] = floats[k];
}

}  // namespace

void memory::soa(const Particle* particles, Columns columns, std::size_t n, cudaStream_t stream) {
  if (n == 0) return;
  split<<<static_cast<unsigned>((4 * n + block_threads - 1) / block_threads), block_threads, 0, stream>>>(&particles->x,
                                                                                                          columns, n);
}
