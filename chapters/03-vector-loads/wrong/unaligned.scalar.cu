// wrong: scales everything one by one; rejected by: contract: the body is loaded four at a time
#include "vectors.h"

namespace {

__global__ void scale(float* data, std::size_t n, float factor) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) data[i] *= factor;
}

}  // namespace

void vectors::unaligned(float* data, std::size_t n, float factor, cudaStream_t stream) {
  if (n != 0) scale<<<static_cast<unsigned>((n + 255) / 256), 256, 0, stream>>>(data, n, factor);
}
