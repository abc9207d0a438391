// What a warp is, and what its lanes can do together. All pointers are device pointers that cudaMalloc returned; every
// function launches in `stream` and returns: it neither allocates, nor copies, nor waits. n may be 0 everywhere. A
// *group* is 32 successive values, in[32 * g] to in[32 * g + 31]; the last group may be shorter.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace warps {

/// The mask that names all 32 lanes of a warp.
inline constexpr std::uint32_t all_lanes = 0xffffffff;

/// How many groups of 32 hold `n` values.
constexpr std::size_t warps_of(std::size_t n) { return (n + 31) / 32; }

// --- How warps are cut, and what branches do to them ---

/// Where a thread runs: the number of its warp in its block, and its lane in that warp, 0 to 31.
struct Place {
  std::uint32_t warp;
  std::uint32_t lane;
};

/// Launches a grid of blocks of up to three dimensions. Writes the place of thread t of block b to
/// places[b * threads + t], where threads and blocks are counted with x running fastest, then y, then z.
void identify(Place* places, dim3 grid, dim3 block, cudaStream_t stream);

/// Two kinds of work, given. They cost the same, one multiplication a round, and have nothing in common that a compiler
/// could merge.
__host__ __device__ inline std::uint32_t stir(std::uint32_t x, unsigned rounds) {
  for (unsigned round = 0; round < rounds; ++round) x = (x ^ (x >> 15)) * 0x2c1b3c6du;
  return x;
}
__host__ __device__ inline std::uint32_t fold(std::uint32_t x, unsigned rounds) {
  for (unsigned round = 0; round < rounds; ++round) x = x * 0x297a2d39u + (x >> 16);
  return x;
}

/// out[i] is stir(in[i], rounds) where i is even, and fold(in[i], rounds) where i is odd.
void branch_by_warp(const std::uint32_t* in, std::uint32_t* out, std::size_t n, unsigned rounds, cudaStream_t stream);

/// Moves every value towards 0 by `threshold`, which is finite and not negative: out[i] has in[i]'s sign, and the
/// magnitude |in[i]| - threshold, or 0 where that is negative. NaN stays NaN.
void branchless(const float* in, float* out, float threshold, std::size_t n, cudaStream_t stream);

/// out[i] is stir(in[i], rounds) where in[i] is even, and fold(in[i], rounds) where in[i] is odd.
void partition(const std::uint32_t* in, std::uint32_t* out, std::size_t n, unsigned rounds, cudaStream_t stream);

/// Row r consists of the values starts[r] to starts[r + 1] - 1, and may be empty. For each group of 32 rows, peaks[g]
/// is the highest sum that its rows reach at one place: the largest, over k, of the sum of the k-th values of all its
/// rows that have one. It is 0 if all rows of the group are empty. No sum exceeds 32 bits.
void uniform_loop(const std::uint32_t* values, const std::uint32_t* starts, std::uint32_t* peaks, std::size_t rows,
                  cudaStream_t stream);

// --- What lanes hand one another ---

/// Measures each value against its group's leader: out[i] = in[i] - in[32 * g + leaders[g]]. A leader is a value that
/// the group has.
void broadcast(const float* in, const std::uint32_t* leaders, float* out, std::size_t n, cudaStream_t stream);

/// What a lane sees of its group: the value of the lane mirrored at the middle (lane 31 - its own), that of the lane
/// before, that of the lane after, and that of its pair's other half (lanes 0 and 1, 2 and 3, ...).
struct Sight {
  std::int32_t mirrored, before, after, paired;
};

/// sights[i] is what the lane of in[i] sees. Beyond n there are lanes with the value 0. Lane 0 sees its own value
/// before it, and lane 31 after it.
void shuffles(const std::int32_t* in, Sight* sights, std::size_t n, cudaStream_t stream);

/// Reduces each group to its sum, its minimum and its maximum. A NaN makes the sum NaN; minimum and maximum pass over
/// it, as fminf and fmaxf do.
void warp_reduce(const float* in, float* sums, float* minima, float* maxima, std::size_t n, cudaStream_t stream);

/// Each value's share of its group's sum: out[i] = in[i] / (the sum of in[i]'s group).
void butterfly(const float* in, float* out, std::size_t n, cudaStream_t stream);

/// Rows of `width` values each, which is 1, 2, 4, 8, 16 or 32: row r is in[r * width] to in[r * width + width - 1].
/// sums[r] is the sum of row r. peaks[i] is the largest value of in[i]'s row up to and including in[i].
void sub_warp(const std::int32_t* in, std::int32_t* sums, std::int32_t* peaks, std::size_t rows, unsigned width,
              cudaStream_t stream);

// --- What lanes decide together ---

/// Searches each row of a matrix of rows x columns values, row after row: positions[r] is the first column of row r
/// that holds `key`, or -1.
void vote_search(const std::int32_t* matrix, std::int32_t* positions, std::size_t rows, unsigned columns,
                 std::int32_t key, cudaStream_t stream);

/// Writes the values of `in` that are greater than `least` to the first places of `out`, in any order, and adds their
/// number to *kept, which is 0 before. NaN is greater than nothing. `out` has room for n values.
void ballot_filter(const float* in, float* out, std::uint32_t* kept, float least, std::size_t n, cudaStream_t stream);

/// A histogram: adds to counts[k] how many of keys[0] to keys[n - 1] are k. Every key has a place in `counts`, which
/// holds zeros before.
void match_groups(const std::uint32_t* keys, std::uint32_t* counts, std::size_t n, cudaStream_t stream);

// --- Warps working together ---

/// Sums blocks of `threads` successive values, 1 to 1024, with as many threads: sums[b] is the sum of
/// in[b * threads] to in[b * threads + threads - 1], or up to in[n - 1] in the last one.
void block_reduce(const float* in, float* sums, std::size_t n, unsigned threads, cudaStream_t stream);

}  // namespace warps
