// What a warp is, and what its lanes can do together. All pointers are device pointers that cudaMalloc returned; every
// function launches in `stream` and returns: it neither allocates, nor copies, nor waits.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace warps {

/// Where a thread runs: the number of its warp in its block, and its lane in that warp, 0 to 31.
struct Place {
  std::uint32_t warp;
  std::uint32_t lane;
};

/// Launches a grid of blocks of up to three dimensions. Writes the place of thread t of block b to
/// places[b * threads + t], where threads and blocks are counted with x running fastest, then y, then z.
void identify(Place* places, dim3 grid, dim3 block, cudaStream_t stream);

/// Reduces each 32 successive values of in[0] to in[n - 1] (the last ones may be fewer) to their sum, their minimum and
/// their maximum, one of each for every 32 values. A NaN makes the sum NaN; minimum and maximum pass over it, as fminf
/// and fmaxf do.
void warp_reduce(const float* in, float* sums, float* minima, float* maxima, std::size_t n, cudaStream_t stream);

/// How many groups of 32 hold `n` values.
constexpr std::size_t warps_of(std::size_t n) { return (n + 31) / 32; }

}  // namespace warps
