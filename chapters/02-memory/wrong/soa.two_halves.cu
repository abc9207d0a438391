// wrong: loads two fields at a time, as float2; rejected by: contract: every sector is used whole
#include "memory.h"

namespace {

constexpr unsigned block_threads = 256;

// Each thread takes one particle.
__global__ void split(const memory::Particle* particles, memory::Columns columns, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float2* const halves = reinterpret_cast<const float2*>(particles);
  const float2 first = halves[2 * i], second = halves[2 * i + 1];
  columns.x[i] = first.x;
  columns.y[i] = first.y;
  columns.z[i] = second.x;
  columns.mass[i] = second.y;
}

}  // namespace

void memory::soa(const Particle* particles, Columns columns, std::size_t n, cudaStream_t stream) {
  if (n == 0) return;
  split<<<static_cast<unsigned>((n + block_threads - 1) / block_threads), block_threads, 0, stream>>>(particles,
                                                                                                      columns, n);
}
