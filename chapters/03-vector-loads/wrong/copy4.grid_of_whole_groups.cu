// wrong: launches no thread for n below 4; rejected by: a grid needs at least one block
#include "vectors.h"

namespace {

constexpr unsigned block_threads = 256;

// Each thread copies 4 elements.
__global__ void copy(const float* in, float* out, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t groups = n / 4;
  if (i < groups) reinterpret_cast<float4*>(out)[i] = reinterpret_cast<const float4*>(in)[i];
  if (i < n % 4) out[4 * groups + i] = in[4 * groups + i];
}

}  // namespace

void vectors::copy4(const float* in, float* out, std::size_t n, cudaStream_t stream) {
  const std::size_t threads = n / 4;
  const auto blocks = static_cast<unsigned>((threads + block_threads - 1) / block_threads);
  copy<<<blocks, block_threads, 0, stream>>>(in, out, n);
}
