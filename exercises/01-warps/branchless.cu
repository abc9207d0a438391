// warps.branchless: without a branch, and still right.
//
// Values within `threshold` of 0 become 0, the others move towards 0 by as much. A trick that is passed on for this
// multiplies by conditions, which are 0 or 1. It needs no branch, and it is wrong: infinity times 0 is no number, and a
// sign gets lost. Write it so that NaN, infinity and -0 come out as warps.h says, and lanes still never part.
//
// fails now: right: shrinks every length

#include "warps.h"

namespace {

constexpr unsigned block_threads = 256;

// Each thread moves one value towards 0.
__global__ void shrink(const float* in, float* out, float threshold, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float x = in[i];
  // TODO: say it with a choice (condition ? a : b) in place of multiplications, and keep the sign.
  out[i] = (x - threshold) * (x > threshold) + (x + threshold) * (x < -threshold);
  // END
}

}  // namespace

void warps::branchless(const float* in, float* out, float threshold, std::size_t n, cudaStream_t stream) {
  if (n == 0) return;
  const auto blocks = static_cast<unsigned>((n + block_threads - 1) / block_threads);
  shrink<<<blocks, block_threads, 0, stream>>>(in, out, threshold, n);
}
