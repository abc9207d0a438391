// Wider loads, and more of them at a time. All pointers are device pointers; every function launches in `stream` and
// returns: it neither allocates, nor copies, nor waits. Sizes are counted in elements and may be 0.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace vectors {

/// Copies n floats. The arrays begin where cudaMalloc let them begin, and do not overlap.
void copy4(const float* in, float* out, std::size_t n, cudaStream_t stream);

/// Writes a[i] + b[i] to out[i] for every i below n. The arrays begin where cudaMalloc let them begin; `out` may be `a`
/// or `b`.
void add4(const float* a, const float* b, float* out, std::size_t n, cudaStream_t stream);

/// Multiplies data[i] by `factor` for every i below n. `data` may point to any element of an array: nothing is known of
/// it but that it is a multiple of 4.
void unaligned(float* data, std::size_t n, float factor, cudaStream_t stream);

/// Copies n elements of `size` bytes each, 1 or more. The pointers are aligned for the type of the elements, or better:
/// nothing is known of them but what their values tell. The arrays do not overlap.
void any_type(const void* in, void* out, std::size_t size, std::size_t n, cudaStream_t stream);

/// How many sums vector_sum() makes of n values.
constexpr std::size_t vector_sums(std::size_t n) { return (n + 127) / 128; }

/// Writes the sum of each 128 successive values of in[0] to in[n - 1] (the last ones may be fewer) to sums[0], sums[1],
/// and so on. The arrays begin where cudaMalloc let them begin.
void vector_sum(const float* in, float* sums, std::size_t n, cudaStream_t stream);

/// The sum of each column of a matrix of `height` rows of `width` floats, one row behind the other.
void in_flight(const float* in, float* sums, std::size_t width, std::size_t height, cudaStream_t stream);

}  // namespace vectors
