// A structure that promises its alignment is loaded whole by itself.
#include "memory.h"

namespace {

constexpr unsigned block_threads = 256;

struct alignas(16) Whole {
  memory::Particle particle;
};

// Each thread takes one particle.
__global__ void split(const memory::Particle* particles, memory::Columns columns, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const memory::Particle particle = reinterpret_cast<const Whole*>(particles)[i].particle;
  columns.x[i] = particle.x;
  columns.y[i] = particle.y;
  columns.z[i] = particle.z;
  columns.mass[i] = particle.mass;
}

}  // namespace

void memory::soa(const Particle* particles, Columns columns, std::size_t n, cudaStream_t stream) {
  if (n == 0) return;
  split<<<static_cast<unsigned>((n + block_threads - 1) / block_threads), block_threads, 0, stream>>>(particles,
                                                                                                      columns, n);
}
