// wrong: gives each lane four groups in a row; rejected by: contract: every sector is moved once
#include "vectors.h"

namespace {

constexpr unsigned block_threads = 256;

// Each thread copies 4 elements.
__global__ void copy(const float* in, float* out, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t groups = n / 4, threads = std::size_t{gridDim.x} * blockDim.x;
  if (i < (threads + 3) / 4) {
    for (std::size_t k = 4 * i; k < 4 * i + 4 && k < groups; ++k)
      reinterpret_cast<float4*>(out)[k] = reinterpret_cast<const float4*>(in)[k];
  }
  if (i < n % 4) out[4 * groups + i] = in[4 * groups + i];
}

}  // namespace

void vectors::copy4(const float* in, float* out, std::size_t n, cudaStream_t stream) {
  if (n == 0) return;
  const std::size_t threads = (n + 3) / 4;
  const auto blocks = static_cast<unsigned>((threads + block_threads - 1) / block_threads);
  copy<<<blocks, block_threads, 0, stream>>>(in, out, n);
}
