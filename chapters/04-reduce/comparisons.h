// What the chapter's versions are compared with.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace reduce {

/// cub::DeviceReduce::Sum of n floats. The workspace is device memory of as many bytes as cub_workspace_bytes(n) says.
void cub_sum(const float* in, float* out, void* workspace, std::size_t workspace_bytes, std::size_t n,
             cudaStream_t stream);
std::size_t cub_workspace_bytes(std::size_t n);

}  // namespace reduce
