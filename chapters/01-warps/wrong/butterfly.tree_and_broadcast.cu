// wrong: sends the sum back with a sixth shuffle; rejected by: contract: five shuffles serve all lanes
#include "warps.h"

namespace {

constexpr unsigned block_threads = 256;

// Each warp divides the 32 values of its group by their sum.
__global__ void share(const float* in, float* out, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const float value = i < n ? in[i] : 0.0f;
  float sum = value;
  for (unsigned distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(warps::all_lanes, sum, distance);
  sum = __shfl_sync(warps::all_lanes, sum, 0);
  if (i < n) out[i] = value / sum;
}

}  // namespace

void warps::butterfly(const float* in, float* out, std::size_t n, cudaStream_t stream) {
  if (n == 0) return;
  const auto blocks = static_cast<unsigned>((n + block_threads - 1) / block_threads);
  share<<<blocks, block_threads, 0, stream>>>(in, out, n);
}
