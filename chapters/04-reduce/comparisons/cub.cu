// CUB's sum, which the chapter's versions are measured against. CUB takes long to compile: nothing includes it but
// this.
#include <cub/device/device_reduce.cuh>

#include <cstdint>

#include "comparisons.h"

std::size_t reduce::cub_workspace_bytes(std::size_t n) {
  std::size_t bytes = 0;
  const float* const in = nullptr;
  float* const out = nullptr;
  cub::DeviceReduce::Sum(nullptr, bytes, in, out, static_cast<std::int64_t>(n));
  return bytes;
}

void reduce::cub_sum(const float* in, float* out, void* workspace, std::size_t workspace_bytes, std::size_t n,
                     cudaStream_t stream) {
  cub::DeviceReduce::Sum(workspace, workspace_bytes, in, out, static_cast<std::int64_t>(n), stream);
}
