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

/// Which half of a copy goes by thread: each thread takes a row of neighbours, as if it were alone, while the other
/// half lies side by side. A row has 8, 32 or 128 floats.
enum class Half { loads, stores };
inline constexpr std::size_t threads_of_a_tile = 256;

/// The place that element i of n is taken from. A tile that is not whole keeps its order.
constexpr std::size_t place(Half half, std::size_t row, std::size_t i, std::size_t n) {
  const std::size_t tile_floats = threads_of_a_tile * row, inside = i % tile_floats, tile = i - inside;
  if (tile + tile_floats > n) return i;
  const std::size_t columns = half == Half::loads ? threads_of_a_tile : row, rows = tile_floats / columns;
  return tile + inside % columns * rows + inside / columns;
}

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

/// Writes in[place(half, row, i, n)] to out[i] for every i below n.
void copy_by_thread(Half half, std::size_t row, const float* in, float* out, std::size_t n, cudaStream_t stream);

/// A cell: 64 bytes, which is what an H200's DRAM reads at a time.
inline constexpr std::size_t cell_floats = 16;

/// An order in which cells are read. All sizes are logarithms of numbers of cells.
struct Order {
  /// Blocks of neighbours stay together, and change places within a window.
  struct Mix {
    unsigned block = 0, window = 0;
  };
  Mix first = {}, then = {};
  unsigned kept = 63;  // so many are read, again and again
  unsigned group = 0,
           group_part = 0;  // the cells of a group lie side by side, and groups 2^group_part times as far apart
};

/// Which cell is the i-th of n that an order reads.
class Places {
 public:
  Places(Order order, std::size_t n) : order_(order), first_(order.first, n), then_(order.then, n) {
    // What is read again and again lies within as many cells as there are reads.
    const auto too_far = [&] { return order_.kept != 63 && n >> order_.kept >> order_.group_part == 0; };
    while (order_.group_part > 0 && too_far()) --order_.group_part;
    cells_ = (n >> order_.kept == 0 ? n : std::size_t{1} << order_.kept) << order_.group_part;
  }

  /// How many cells there must be.
  std::size_t cells() const { return cells_; }

#ifdef __CUDACC__
  __host__ __device__
#endif
      std::size_t
      operator()(std::size_t i) const {
    const std::size_t place = then_(first_(i)) & ((std::size_t{1} << order_.kept) - 1);
    const std::size_t inside = place & ((std::size_t{1} << order_.group) - 1);
    return (place - inside) << order_.group_part | inside;
  }

 private:
  /// A one-to-one function on the numbers below n. Only whole windows change their order; a window is at most n.
  class Mixer {
   public:
    Mixer(Order::Mix mix, std::size_t n) : block_(mix.block), window_(mix.window) {
      while (window_ > block_ && n >> window_ == 0) --window_;
      whole_ = n >> window_ << window_;
    }

#ifdef __CUDACC__
    __host__ __device__
#endif
        std::size_t
        operator()(std::size_t i) const {
      if (i >= whole_) return i;
      // A multiplication by an odd number and an xor with one's own upper bits are one-to-one: so is all of it.
      const unsigned bits = window_ - block_, shift = bits / 2 + 1;
      const std::uint32_t mask = (std::uint32_t{1} << bits) - 1;
      auto block = static_cast<std::uint32_t>(i >> block_) & mask;
      block = (block + static_cast<std::uint32_t>(i >> window_) * 0x9e3779b9u) & mask;
      block = block * 0x85ebca6bu & mask;
      block ^= block >> shift;
      block = block * 0xc2b2ae35u & mask;
      block ^= block >> shift;
      block = block * 0x27d4eb2fu & mask;
      block ^= block >> shift;
      const std::size_t inside = i & ((std::size_t{1} << block_) - 1);
      return (i >> window_ << window_) | std::size_t{block} << block_ | inside;
    }

   private:
    unsigned block_, window_;  // at most 2^31 blocks
    std::size_t whole_;
  };

  Order order_;
  Mixer first_, then_;
  std::size_t cells_;
};

/// What the first float of a cell holds: a whole number.
#ifdef __CUDACC__
__host__ __device__
#endif
    constexpr float
    number_of_cell(std::size_t cell) {
  return static_cast<float>(cell % 16777213);
}

/// Writes the first float of cell places(i) to out[i] for every i below n, which is at most 2^31.
void copy_in_order(Places places, const float* cells, float* out, std::size_t n, cudaStream_t stream);

/// Gives n cells their numbers.
void fill_cells(float* cells, std::size_t n, cudaStream_t stream);

/// Write x of every particle to `out`.
void copy_x_of_particles(const Particle* particles, float* out, std::size_t n, cudaStream_t stream);
void copy_column(const float* x, float* out, std::size_t n, cudaStream_t stream);

/// A transpose without a tile, and two copies, of a matrix of at most 65535 * 8 rows.
void transpose_naive(const float* in, float* out, std::size_t width, std::size_t height, cudaStream_t stream);
void copy_matrix(const float* in, float* out, std::size_t width, std::size_t height, cudaStream_t stream);
void copy_by_runtime(const float* in, float* out, std::size_t width, std::size_t height, cudaStream_t stream);

}  // namespace memory
