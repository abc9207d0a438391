// The host looks at the pointer, and launches head and tail by themselves.
#include <algorithm>
#include <cstdint>

#include "vectors.h"

namespace {

__global__ void scale_floats(float* data, float factor) { data[threadIdx.x] *= factor; }

__global__ void scale_groups(float4* data, std::size_t groups, float factor) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= groups) return;
  const float4 four = data[i];
  data[i] = {four.x * factor, four.y * factor, four.z * factor, four.w * factor};
}

}  // namespace

void vectors::unaligned(float* data, std::size_t n, float factor, cudaStream_t stream) {
  const std::size_t to_next = (16 - reinterpret_cast<std::uintptr_t>(data) % 16) % 16 / sizeof(float);
  const std::size_t head = std::min(to_next, n), groups = (n - head) / 4, tail = n - head - 4 * groups;
  if (groups != 0)
    scale_groups<<<static_cast<unsigned>((groups + 255) / 256), 256, 0, stream>>>(
        reinterpret_cast<float4*>(data + head), groups, factor);
  if (head != 0) scale_floats<<<1, static_cast<unsigned>(head), 0, stream>>>(data, factor);
  if (tail != 0) scale_floats<<<1, static_cast<unsigned>(tail), 0, stream>>>(data + head + 4 * groups, factor);
}
