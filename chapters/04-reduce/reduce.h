// One sum, several ways, and then what else can be reduced so. All functions of this chapter take:
//
//   in         n floats
//   out        one float: their sum; 0 when n is 0
//   workspace  workspace_floats(n) floats for partial sums; what they hold before does not matter, nor afterwards
//   stream     where everything is launched
//
// All pointers are device pointers that cudaMalloc returned. A function launches and returns; it neither allocates, nor
// copies, nor waits.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace reduce {

/// How many groups of `size` hold `n` things; 0 for a size of 0, so that a launcher which mixes up its numbers is told
/// so, and does not divide by 0 first.
constexpr std::size_t groups_of(std::size_t size, std::size_t n) { return size == 0 ? 0 : (n + size - 1) / size; }

/// Enough for two successive passes of blocks that sum 32 values or more.
constexpr std::size_t workspace_floats(std::size_t n) { return groups_of(32, n) + groups_of(32 * 32, n); }

/// Interleaved: thread t of a block adds at index t when t is a multiple of 2, 4, 8, ...
void v0(const float* in, float* out, float* workspace, std::size_t n, cudaStream_t stream);

/// Strided: the same additions, done by the first threads of the block.
void v1(const float* in, float* out, float* workspace, std::size_t n, cudaStream_t stream);

/// Sequential: the same number of additions, of values that lie half a tile, a quarter, ... apart.
void v2(const float* in, float* out, float* workspace, std::size_t n, cudaStream_t stream);

/// Two loads a thread: as v2, but each thread adds two values on their way into the tile, so half the blocks do.
void v3(const float* in, float* out, float* workspace, std::size_t n, cudaStream_t stream);

/// Last warp: as v3, but the last 64 values are left to one warp, which needs no barrier of the block.
void v4(const float* in, float* out, float* workspace, std::size_t n, cudaStream_t stream);

/// Compile-time block: as v4, with a block size that the compiler knows.
void v5(const float* in, float* out, float* workspace, std::size_t n, cudaStream_t stream);

/// Shuffles: as v5, but sums go from lane to lane, with one barrier of the block and 128 bytes of shared memory at
/// most.
void v6(const float* in, float* out, float* workspace, std::size_t n, cudaStream_t stream);

/// float4 and grid-stride: four values a load, by a grid that fills the GPU, however large n is. `block_threads` is any
/// multiple of 32, up to 1,024.
void v7(const float* in, float* out, float* workspace, std::size_t n, unsigned block_threads, cudaStream_t stream);

/// Other reductions than the sum. NaN are passed over, as fminf and fmaxf do.
/// The least value; positive infinity when there is none.
void minimum(const float* in, float* out, float* workspace, std::size_t n, cudaStream_t stream);
/// The greatest value; negative infinity when there is none.
void maximum(const float* in, float* out, float* workspace, std::size_t n, cudaStream_t stream);
/// x[0] * y[0] + x[1] * y[1] + ..., 0 when n is 0.
void dot(const float* x, const float* y, float* out, float* workspace, std::size_t n, cudaStream_t stream);

}  // namespace reduce
