#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace warpwright {

/// Reads `bytes` of device memory and does next to nothing with them: the least time that a kernel which has to read
/// them can take. `bytes` is rounded down to 64. `sink` holds one float; it is written only if the data is absurd.
void read_only(const void* data, std::size_t bytes, float* sink, cudaStream_t stream);

}  // namespace warpwright
