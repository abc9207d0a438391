// A block of one warp takes four tiles, one after the other.
#include "vectors.h"

namespace {

constexpr unsigned all_lanes = 0xffffffff;
constexpr unsigned tiles_a_warp = 4;

__global__ void sum_tiles(const float4* in, float* sums, std::size_t n) {
  const unsigned lane = threadIdx.x;
  for (unsigned k = 0; k < tiles_a_warp; ++k) {
    const std::size_t tile = std::size_t{blockIdx.x} * tiles_a_warp + k;
    if (tile * 128 >= n) return;
    const std::size_t group = tile * 32 + lane;
    float4 four = make_float4(0, 0, 0, 0);
    if (4 * group + 3 < n) {
      four = in[group];
    } else {
      const float* const rest = reinterpret_cast<const float*>(in) + 4 * group;
      if (4 * group < n) four.x = rest[0];
      if (4 * group + 1 < n) four.y = rest[1];
      if (4 * group + 2 < n) four.z = rest[2];
    }
    float sum = four.x + four.y + four.z + four.w;
    for (unsigned distance = 1; distance < 32; distance *= 2) sum += __shfl_down_sync(all_lanes, sum, distance);
    if (lane == 0) sums[tile] = sum;
  }
}

}  // namespace

void vectors::vector_sum(const float* in, float* sums, std::size_t n, cudaStream_t stream) {
  const std::size_t blocks = (vector_sums(n) + tiles_a_warp - 1) / tiles_a_warp;
  if (blocks != 0)
    sum_tiles<<<static_cast<unsigned>(blocks), 32, 0, stream>>>(reinterpret_cast<const float4*>(in), sums, n);
}
