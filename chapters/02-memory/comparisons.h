// Kernels that nobody has to write: what the chapter's benchmarks and its page compare with.
#pragma once

#include "memory.h"

namespace memory {

/// Writes in[i * stride + offset] to out[i] for every i below n.
void copy_strided(const float* in, float* out, std::size_t n, std::size_t stride, std::size_t offset,
                  cudaStream_t stream);

/// A place for each i below n, far from that of i + 1: a permutation if n is a power of two.
#ifdef __CUDACC__
__host__ __device__
#endif
    constexpr std::size_t
    scattered(std::size_t i, std::size_t n) {
  return i * 0x9e3779b1u % n;
}

/// Writes in[scattered(i, n)] to out[i] for every i below n.
void copy_scattered(const float* in, float* out, std::size_t n, cudaStream_t stream);

/// Write x of every particle to `out`.
void copy_x_of_particles(const Particle* particles, float* out, std::size_t n, cudaStream_t stream);
void copy_column(const float* x, float* out, std::size_t n, cudaStream_t stream);

/// A transpose without a tile, and two copies, of a matrix of at most 65535 * 8 rows.
void transpose_naive(const float* in, float* out, std::size_t width, std::size_t height, cudaStream_t stream);
void copy_matrix(const float* in, float* out, std::size_t width, std::size_t height, cudaStream_t stream);
void copy_by_runtime(const float* in, float* out, std::size_t width, std::size_t height, cudaStream_t stream);

}  // namespace memory
