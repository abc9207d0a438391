// A fixed grid; the tail is what the last thread of the grid copies.
#include "vectors.h"

namespace {

__global__ void copy(const float4* in, float4* out, std::size_t groups, std::size_t rest) {
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  for (std::size_t i = first; i < groups; i += threads) out[i] = in[i];
  if (first != threads - 1) return;
  const float* const in_rest = reinterpret_cast<const float*>(in + groups);
  float* const out_rest = reinterpret_cast<float*>(out + groups);
  for (std::size_t i = 0; i < rest; ++i) out_rest[i] = in_rest[i];
}

}  // namespace

void vectors::copy4(const float* in, float* out, std::size_t n, cudaStream_t stream) {
  copy<<<32, 128, 0, stream>>>(reinterpret_cast<const float4*>(in), reinterpret_cast<float4*>(out), n / 4, n % 4);
}
