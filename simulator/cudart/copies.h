// Problem: a copy in the wrong direction, or of the wrong size, is the first mistake that everyone makes.
// Idea: each end of a copy is checked against the allocations before a byte moves, and the message says which end is
// wrong, what it points to, and which argument would be right.
// Invariant: a copy that is refused has moved nothing.
// Left out: host memory that CUDA did not allocate; its bounds are the host's own business.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

#include "cudart/passed.h"

namespace warpwright::cudart {

/// How a copy was asked for: by a function whose name ends in Async, or by one that works in the default stream.
struct Queue {
  cudaStream_t stream = nullptr;
  bool is_asynchronous = false;
};
constexpr Queue in_default_stream;
constexpr Queue in_stream(cudaStream_t stream) { return {stream, true}; }

/// A rectangle of bytes; a plain range has one row. `pitch` is the distance of two rows.
struct Extent {
  std::size_t width = 0;
  std::size_t height = 1;

  /// Bytes from the first to behind the last, with rows `pitch` apart.
  std::size_t span(std::size_t pitch) const { return width == 0 || height == 0 ? 0 : pitch * (height - 1) + width; }
};

/// Checks both ends against `kind` and copies. Throws Failure.
void copy(void* destination, std::size_t destination_pitch, const void* source, std::size_t source_pitch, Extent extent,
          Passed<cudaMemcpyKind> kind, const Queue& queue);
void copy(void* destination, const void* source, std::size_t bytes, Passed<cudaMemcpyKind> kind, const Queue& queue);
/// Checks the destination and fills it with a byte, row by row. Throws Failure.
void set(void* destination, std::size_t pitch, int value, Extent extent, const Queue& queue);

}  // namespace warpwright::cudart
