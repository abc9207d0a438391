// warps.butterfly: a sum that every lane has.
//
// After a tree of __shfl_down_sync lane 0 has the sum, and 31 lanes have something else. Here all 32 need it, to divide
// by it. Sending it back from lane 0 would take a sixth shuffle. If both lanes of a pair add the other's value, both
// have the sum of the two, and nothing has to be sent back.

#include "warps.h"

namespace {

constexpr unsigned block_threads = 256;

// Each warp divides the 32 values of its group by their sum.
__global__ void share(const float* in, float* out, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const float value = i < n ? in[i] : 0.0f;
  float sum = value;
  // SOLUTION: lanes whose numbers differ in one bit exchange their sums, one bit a round. After the round of a bit,
  // lanes that agree in all bits above it have the same sum.
  for (unsigned bit = 1; bit < 32; bit *= 2) sum += __shfl_xor_sync(warps::all_lanes, sum, bit);
  // END
  if (i < n) out[i] = value / sum;
}

}  // namespace

void warps::butterfly(const float* in, float* out, std::size_t n, cudaStream_t stream) {
  if (n == 0) return;
  const auto blocks = static_cast<unsigned>((n + block_threads - 1) / block_threads);
  share<<<blocks, block_threads, 0, stream>>>(in, out, n);
}
