// What a warp's accesses to memory cost, and how to lay out data and work so that they cost little. All pointers are
// device pointers that cudaMalloc returned, unless it is said otherwise; every function that takes a stream launches in
// it and returns: it neither allocates, nor copies, nor waits. Sizes are counted in elements and may be 0.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace memory {

/// How many sectors of 32 bytes a warp's load or store in global memory touches. Runs on the host. Lane n takes part if
/// bit n of `active` is set; it touches up to 16 bytes from addresses[n] on, a multiple of their number, so that no
/// lane touches two sectors. `addresses` has 32 elements; those of lanes that take no part may be anything.
unsigned count_sectors(const std::uint64_t* addresses, std::uint32_t active);

/// Writes factor * in[i] to out[i] for every i below n. The arrays do not overlap.
void coalesce(const float* in, float* out, float factor, std::size_t n, cudaStream_t stream);

/// The distance from one row of `width` floats to the next that suits align(): in floats, at least `width`.
std::size_t align_pitch(std::size_t width);

/// Writes the difference of each two rows, in[(y + 1) * pitch + x] - in[y * pitch + x], to out[y * pitch + x], for x
/// below `width` and y below height - 1, where `pitch` is align_pitch(width). `in` has `height` rows, `out` one row
/// less. What lies between the end of a row and the start of the next is nobody's: it is neither read nor written.
void align(const float* in, float* out, std::size_t width, std::size_t height, cudaStream_t stream);

/// An element of an array of structures: 16 bytes. The type promises an alignment of 4, as its floats do; an array of
/// them begins where cudaMalloc let it begin, at a multiple of 256.
struct Particle {
  float x, y, z, mass;
};

/// A structure of arrays: the same values, each kind side by side.
struct Columns {
  float *x, *y, *z, *mass;
};

/// Copies n particles into columns.
void soa(const Particle* particles, Columns columns, std::size_t n, cudaStream_t stream);

/// The sums of the rows and of the columns of a matrix of `height` rows of `width` floats, one row behind the other:
/// `row_sums` has `height` elements, `column_sums` has `width`.
void rows_columns(const float* in, float* row_sums, float* column_sums, std::size_t width, std::size_t height,
                  cudaStream_t stream);

enum class Operation { load, store };

struct BankCost {
  unsigned wavefronts;  // in each of them a bank serves one word
  unsigned conflicts;   // those of them beyond the first of each pass
};

/// What a warp's load or store in shared memory costs. Runs on the host. Lane n takes part if bit n of `active` is set;
/// it touches `bytes` (1, 2, 4, 8 or 16) from addresses[n] on, a multiple of `bytes`. At least one lane takes part.
/// `addresses` has 32 elements; those of lanes that take no part may be anything.
BankCost count_conflicts(Operation operation, unsigned bytes, const std::uint64_t* addresses, std::uint32_t active);

/// Writes the transposed matrix of `in`, which has `height` rows of `width` floats: out[x * height + y] is
/// in[y * width + x]. The matrices do not overlap. Any width and height will do, as long as their product fits in
/// memory. The three differ in how a tile lies in shared memory: as it comes; with spare words; with its words in
/// another order.
void transpose_tile(const float* in, float* out, std::size_t width, std::size_t height, cudaStream_t stream);
void transpose_pad(const float* in, float* out, std::size_t width, std::size_t height, cudaStream_t stream);
void transpose_swizzle(const float* in, float* out, std::size_t width, std::size_t height, cudaStream_t stream);

/// Writes table[indices[i]] to out[i] for every i below n. All indices are below the length of the table. `indices` and
/// `out` are used once, the table over and over again.
void cache_hints(const float* table, const std::uint32_t* indices, float* out, std::size_t n, cudaStream_t stream);

}  // namespace memory
