// wrong: takes the last threads for the tail, of which there may be none; rejected by: was never written
#include "vectors.h"

namespace {

constexpr unsigned block_threads = 256;

// Each thread copies 4 elements.
__global__ void copy(const float* in, float* out, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t groups = n / 4;
  if (i < groups) reinterpret_cast<float4*>(out)[i] = reinterpret_cast<const float4*>(in)[i];
  if (i >= groups && i < groups + n % 4 && threadIdx.x < 255) out[3 * groups + i] = in[3 * groups + i];
}

}  // namespace

void vectors::copy4(const float* in, float* out, std::size_t n, cudaStream_t stream) {
  if (n == 0) return;
  const std::size_t threads = (n + 3) / 4;
  const auto blocks = static_cast<unsigned>((threads + block_threads - 1) / block_threads);
  copy<<<blocks, block_threads, 0, stream>>>(in, out, n);
}
