// Copies whose loads lie far apart, off the beginning of a sector, in another order, or anywhere. Their stores lie side
// by side, so that whatever differs is the loads'. And copies of which either the loads or the stores go by thread, so
// that it shows which of the two costs what.
#include "comparisons.h"

namespace {

constexpr unsigned block_threads = 256;

__global__ void strided(const float* in, float* out, std::size_t n, std::size_t stride, std::size_t offset) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i * stride + offset];
}

template <memory::Pattern pattern>
__global__ void placed(const float* in, float* out, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[memory::place(pattern, i, n)];
}

template <memory::Half half, unsigned row>
__global__ void by_thread(const float* in, float* out, std::size_t n) {
  constexpr std::size_t tile_floats = memory::threads_of_a_tile * row;
  const std::size_t tile = blockIdx.x * tile_floats;
  const bool is_whole = tile + tile_floats <= n;
#pragma unroll 8
  for (unsigned k = 0; k < row; ++k) {
    const std::size_t side_by_side = tile + k * memory::threads_of_a_tile + threadIdx.x;
    const std::size_t own = is_whole ? tile + threadIdx.x * row + k : side_by_side;
    const std::size_t from = half == memory::Half::loads ? own : side_by_side;
    const std::size_t to = half == memory::Half::loads ? side_by_side : own;
    if (to < n) out[to] = in[from];
  }
}

template <memory::Half half>
auto by_thread_in_rows(std::size_t row) {
  return row == 8 ? by_thread<half, 8> : row == 32 ? by_thread<half, 32> : by_thread<half, 128>;
}

unsigned blocks_for(std::size_t n) { return static_cast<unsigned>((n + block_threads - 1) / block_threads); }

}  // namespace

void memory::copy_strided(const float* in, float* out, std::size_t n, std::size_t stride, std::size_t offset,
                          cudaStream_t stream) {
  if (n != 0) strided<<<blocks_for(n), block_threads, 0, stream>>>(in, out, n, stride, offset);
}

void memory::copy_placed(Pattern pattern, const float* in, float* out, std::size_t n, cudaStream_t stream) {
  if (n == 0) return;
  switch (pattern) {
    case Pattern::mixed:
      placed<Pattern::mixed><<<blocks_for(n), block_threads, 0, stream>>>(in, out, n);
      break;
    case Pattern::shared:
      placed<Pattern::shared><<<blocks_for(n), block_threads, 0, stream>>>(in, out, n);
      break;
    case Pattern::scattered:
      placed<Pattern::scattered><<<blocks_for(n), block_threads, 0, stream>>>(in, out, n);
      break;
  }
}

void memory::copy_by_thread(Half half, std::size_t row, const float* in, float* out, std::size_t n,
                            cudaStream_t stream) {
  if (n == 0) return;
  const auto kernel = half == Half::loads ? by_thread_in_rows<Half::loads>(row) : by_thread_in_rows<Half::stores>(row);
  const std::size_t tile_floats = threads_of_a_tile * row;
  kernel<<<static_cast<unsigned>((n + tile_floats - 1) / tile_floats), threads_of_a_tile, 0, stream>>>(in, out, n);
}
