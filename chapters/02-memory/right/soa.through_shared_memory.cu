// A block loads float after float, coalesced, and sorts them in shared memory.
#include "memory.h"

namespace {

constexpr unsigned block_threads = 128;

__global__ void split(const float* floats, memory::Columns columns, std::size_t n) {
  __shared__ float tile[4 * block_threads];
  const std::size_t first = std::size_t{blockIdx.x} * block_threads, i = first + threadIdx.x;
  for (unsigned k = threadIdx.x; k < 4 * block_threads; k += block_threads) {
    if (4 * first + k < 4 * n) tile[k] = floats[4 * first + k];
  }
  __syncthreads();
  if (i >= n) return;
  float* const to[4] = {columns.x, columns.y, columns.z, columns.mass};
  for (unsigned field = 0; field < 4; ++field) to[field][i] = tile[4 * threadIdx.x + field];
}

}  // namespace

void memory::soa(const Particle* particles, Columns columns, std::size_t n, cudaStream_t stream) {
  const auto blocks = static_cast<unsigned>((n + block_threads - 1) / block_threads);
  if (blocks != 0) split<<<blocks, block_threads, 0, stream>>>(&particles->x, columns, n);
}
