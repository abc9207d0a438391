// wrong: carries 8 bytes; rejected by: contract: one instruction carries 16 bytes
#include "vectors.h"

namespace {

constexpr unsigned block_threads = 256;

__global__ void copy(const float* in, float* out, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n / 2) reinterpret_cast<float2*>(out)[i] = reinterpret_cast<const float2*>(in)[i];
  if (i == 0 && n % 2 != 0) out[n - 1] = in[n - 1];
}

}  // namespace

void vectors::copy4(const float* in, float* out, std::size_t n, cudaStream_t stream) {
  if (n == 0) return;
  copy<<<static_cast<unsigned>((n / 2 + block_threads) / block_threads), block_threads, 0, stream>>>(in, out, n);
}
