// One field of every particle: from an array of structures, and from a column.
#include "comparisons.h"

namespace {

constexpr unsigned block_threads = 256;

__global__ void x_of_particles(const memory::Particle* particles, float* out, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) out[i] = particles[i].x;
}

__global__ void column(const float* x, float* out, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) out[i] = x[i];
}

unsigned blocks_for(std::size_t n) { return static_cast<unsigned>((n + block_threads - 1) / block_threads); }

}  // namespace

void memory::copy_x_of_particles(const Particle* particles, float* out, std::size_t n, cudaStream_t stream) {
  if (n != 0) x_of_particles<<<blocks_for(n), block_threads, 0, stream>>>(particles, out, n);
}

void memory::copy_column(const float* x, float* out, std::size_t n, cudaStream_t stream) {
  if (n != 0) column<<<blocks_for(n), block_threads, 0, stream>>>(x, out, n);
}
