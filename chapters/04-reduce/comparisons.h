// What the chapter's versions are compared with.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace reduce {

/// cub::DeviceReduce::Sum of n floats. The workspace is device memory of as many bytes as cub_workspace_bytes(n) says.
void cub_sum(const float* in, float* out, void* workspace, std::size_t workspace_bytes, std::size_t n,
             cudaStream_t stream);
std::size_t cub_workspace_bytes(std::size_t n);

/// The round of v1 in which partners are `step` apart (1, 2, 4, ... or 128), and it alone: out[i] is the sum of two
/// values of `in`, for 128 / step of them in each tile of 256. `out` has room for 128 / step * ceil(n / 256).
void one_round(unsigned step, const float* in, float* out, std::size_t n, cudaStream_t stream);

}  // namespace reduce
