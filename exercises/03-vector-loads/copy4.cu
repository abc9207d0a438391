// vectors.copy4: four floats with one instruction.
//
// A lane may load 4, 8 or 16 bytes with one instruction; a float4 is 16, and begins at a multiple of 16. A warp's
// request is then for 512 bytes. They move as 16 sectors, which is what 512 bytes are: what is saved is instructions,
// three of four, not sectors.
//
// fails now: contract: one instruction carries 16 bytes

#include "vectors.h"

namespace {

constexpr unsigned block_threads = 256;

// Each thread copies 4 elements.
__global__ void copy(const float* in, float* out, std::size_t n) {
  // TODO: let a thread copy four neighbours, with one load and one store.
  const std::size_t tile = std::size_t{blockIdx.x} * blockDim.x * 4;
  for (unsigned k = 0; k < 4; ++k) {
    const std::size_t i = tile + k * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i];
  }
  // END
}

}  // namespace

void vectors::copy4(const float* in, float* out, std::size_t n, cudaStream_t stream) {
  if (n == 0) return;
  const std::size_t threads = (n + 3) / 4;
  const auto blocks = static_cast<unsigned>((threads + block_threads - 1) / block_threads);
  copy<<<blocks, block_threads, 0, stream>>>(in, out, n);
}
