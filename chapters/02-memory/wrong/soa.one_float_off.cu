// wrong: begins at the second float, which no float4 may; rejected by: misaligned
#include "memory.h"

namespace {

constexpr unsigned block_threads = 256;

// Each thread takes one particle.
__global__ void split(const memory::Particle* particles, memory::Columns columns, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4 particle = *reinterpret_cast<const float4*>(&particles[i].y);
  columns.x[i] = particle.x;
  columns.y[i] = particle.y;
  columns.z[i] = particle.z;
  columns.mass[i] = particle.w;
}

}  // namespace

void memory::soa(const Particle* particles, Columns columns, std::size_t n, cudaStream_t stream) {
  if (n == 0) return;
  split<<<static_cast<unsigned>((n + block_threads - 1) / block_threads), block_threads, 0, stream>>>(particles,
                                                                                                      columns, n);
}
