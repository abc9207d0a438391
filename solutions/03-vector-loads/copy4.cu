// vectors.copy4: four floats with one instruction.
//
// A lane may load 4, 8 or 16 bytes with one instruction; a float4 is 16, and begins at a multiple of 16. A warp's
// request is then for 512 bytes. They move as 16 sectors, which is what 512 bytes are: what is saved is instructions,
// three of four, not sectors.

#include "vectors.h"

namespace {

constexpr unsigned block_threads = 256;

// Each thread copies 4 elements.
__global__ void copy(const float* in, float* out, std::size_t n) {
  // SOLUTION: thread i copies the i-th group of four. Up to three floats remain behind the last whole group; the first
  // threads copy them one by one.
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t groups = n / 4;
  if (i < groups) reinterpret_cast<float4*>(out)[i] = reinterpret_cast<const float4*>(in)[i];
  if (i < n % 4) out[4 * groups + i] = in[4 * groups + i];
  // END
}

}  // namespace

void vectors::copy4(const float* in, float* out, std::size_t n, cudaStream_t stream) {
  if (n == 0) return;
  const std::size_t threads = (n + 3) / 4;
  const auto blocks = static_cast<unsigned>((threads + block_threads - 1) / block_threads);
  copy<<<blocks, block_threads, 0, stream>>>(in, out, n);
}
