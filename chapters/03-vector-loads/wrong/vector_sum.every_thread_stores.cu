// wrong: lets every lane write to the cell of its warp; rejected by: sums[0]
#include "vectors.h"

namespace {

constexpr unsigned block_threads = 256;
constexpr unsigned all_lanes = 0xffffffff;
constexpr unsigned tile = 128;  // values of one warp

// Each warp sums its tile; lane 0 writes the sum.
__global__ void sum_tiles(const float* in, float* sums, std::size_t n) {
  const std::size_t warp = (std::size_t{blockIdx.x} * blockDim.x + threadIdx.x) / 32;
  const unsigned lane = threadIdx.x % 32;
  const std::size_t first = warp * tile;
  float sum = 0;
  const std::size_t i = first + 4 * lane;
  if (i + 4 <= n) {
    const float4 four = *reinterpret_cast<const float4*>(in + i);
    sum = (four.x + four.y) + (four.z + four.w);
  } else {
    for (std::size_t k = i; k < n; ++k) sum += in[k];
  }
  for (unsigned distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(all_lanes, sum, distance);
  if (first < n) sums[warp] = sum;
}

}  // namespace

void vectors::vector_sum(const float* in, float* sums, std::size_t n, cudaStream_t stream) {
  if (n == 0) return;
  const std::size_t threads = 32 * vector_sums(n);
  const auto blocks = static_cast<unsigned>((threads + block_threads - 1) / block_threads);
  sum_tiles<<<blocks, block_threads, 0, stream>>>(in, sums, n);
}
