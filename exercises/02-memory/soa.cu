// memory.soa: an array of structures becomes a structure of arrays.
//
// Particles of 16 bytes lie side by side. A lane that loads x of its particle wants 4 of every 16 bytes, so a warp
// moves 16 sectors, three quarters of them for nothing. Reading the other fields afterwards asks for the same
// sectors again, each time.
//
// fails now: contract: every sector is used whole

#include "memory.h"

namespace {

constexpr unsigned block_threads = 256;

// Each thread takes one particle.
__global__ void split(const memory::Particle* particles, memory::Columns columns, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  // TODO: load the particle with one instruction instead of four.
  columns.x[i] = particles[i].x;
  columns.y[i] = particles[i].y;
  columns.z[i] = particles[i].z;
  columns.mass[i] = particles[i].mass;
  // END
}

}  // namespace

void memory::soa(const Particle* particles, Columns columns, std::size_t n, cudaStream_t stream) {
  if (n == 0) return;
  split<<<static_cast<unsigned>((n + block_threads - 1) / block_threads), block_threads, 0, stream>>>(particles,
                                                                                                      columns, n);
}
