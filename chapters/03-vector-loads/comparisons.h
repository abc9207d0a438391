// Kernels that nobody has to write: what the chapter's benchmarks and its page compare with.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace vectors {

/// Copies n floats with loads and stores of `bytes`, 4, 8 or 16, of which each thread has `loads`, 1, 2 or 4, under way
/// at a time. n is a multiple of 16. A fixed grid of so many blocks of 256 threads.
void copy_wide(const float* in, float* out, std::size_t n, unsigned bytes, unsigned loads, unsigned blocks,
               cudaStream_t stream);

}  // namespace vectors
