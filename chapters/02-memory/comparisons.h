// Kernels that nobody has to write: what the chapter's benchmarks and its page compare with.
#pragma once

#include "memory.h"

namespace memory {

/// Writes in[i * stride + offset] to out[i] for every i below n.
void copy_strided(const float* in, float* out, std::size_t n, std::size_t stride, std::size_t offset,
                  cudaStream_t stream);

/// Where the loads of a copy lie: side by side, but in another order in each group of 32; at one place for all of a
/// group; or anywhere, several of them at one place by chance.
enum class Pattern { mixed, shared, scattered };

/// The place that element i of n is taken from, for i below n, which is at most 2^32.
#ifdef __CUDACC__
__host__ __device__
#endif
    constexpr std::size_t
    place(Pattern pattern, std::size_t i, std::size_t n) {
  if (pattern == Pattern::mixed) return (i | 31) < n ? i ^ 21 : i;
  if (pattern == Pattern::shared) return i / 32;
  auto hash = static_cast<std::uint32_t>(i);
  hash = (hash ^ hash >> 16) * 0x85ebca6bu;
  hash = (hash ^ hash >> 13) * 0xc2b2ae35u;
  hash ^= hash >> 16;
  return hash * static_cast<std::uint64_t>(n) >> 32;
}

/// Writes in[place(pattern, i, n)] to out[i] for every i below n.
void copy_placed(Pattern pattern, const float* in, float* out, std::size_t n, cudaStream_t stream);

/// Write x of every particle to `out`.
void copy_x_of_particles(const Particle* particles, float* out, std::size_t n, cudaStream_t stream);
void copy_column(const float* x, float* out, std::size_t n, cudaStream_t stream);

/// A transpose without a tile, and two copies, of a matrix of at most 65535 * 8 rows.
void transpose_naive(const float* in, float* out, std::size_t width, std::size_t height, cudaStream_t stream);
void copy_matrix(const float* in, float* out, std::size_t width, std::size_t height, cudaStream_t stream);
void copy_by_runtime(const float* in, float* out, std::size_t width, std::size_t height, cudaStream_t stream);

}  // namespace memory
