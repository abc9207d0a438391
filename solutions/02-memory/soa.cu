// memory.soa: an array of structures becomes a structure of arrays.
//
// Particles of 16 bytes lie side by side. A lane that loads x of its particle wants 4 of every 16 bytes, so a warp
// moves 16 sectors, three quarters of them for nothing. Reading the other fields afterwards asks for the same
// sectors again, each time.

#include "memory.h"

namespace {

constexpr unsigned block_threads = 256;

// Each thread takes one particle.
__global__ void split(const memory::Particle* particles, memory::Columns columns, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  // SOLUTION: all 16 bytes at once, as a float4. The lanes' loads touch the same 16 sectors, but once, and every byte
  // of them is used. The stores were fine before: neighbouring lanes, neighbouring floats.
  const float4 particle = reinterpret_cast<const float4*>(particles)[i];
  columns.x[i] = particle.x;
  columns.y[i] = particle.y;
  columns.z[i] = particle.z;
  columns.mass[i] = particle.w;
  // END
}

}  // namespace

void memory::soa(const Particle* particles, Columns columns, std::size_t n, cudaStream_t stream) {
  if (n == 0) return;
  split<<<static_cast<unsigned>((n + block_threads - 1) / block_threads), block_threads, 0, stream>>>(particles,
                                                                                                      columns, n);
}
