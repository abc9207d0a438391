// The highest bit first, in blocks of 1024.
#include "warps.h"

namespace {

constexpr unsigned block_threads = 1024;

// Each warp divides the 32 values of its group by their sum.
__global__ void share(const float* in, float* out, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const float value = i < n ? in[i] : 0.0f;
  float sum = value;
  for (unsigned bit = 16; bit > 0; bit /= 2) sum += __shfl_xor_sync(warps::all_lanes, sum, bit);
  if (i < n) out[i] = value / sum;
}

}  // namespace

void warps::butterfly(const float* in, float* out, std::size_t n, cudaStream_t stream) {
  if (n == 0) return;
  const auto blocks = static_cast<unsigned>((n + block_threads - 1) / block_threads);
  share<<<blocks, block_threads, 0, stream>>>(in, out, n);
}
