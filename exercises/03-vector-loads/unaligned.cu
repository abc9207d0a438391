// vectors.unaligned: head, body and tail.
//
// A float4 has to begin at a multiple of 16 bytes. A pointer to some element of an array does not: data + 1 is 4 bytes
// off. But whatever it is, at most three floats further on there is such a place.
//
// fails now: safely: misaligned

#include <cstdint>

#include "vectors.h"

namespace {

constexpr unsigned block_threads = 256;

// Each thread scales up to 4 elements of the body; some scale one more of the head or the tail.
__global__ void scale(float* data, std::size_t n, float factor) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  // TODO: scale the floats before the first multiple of 16 bytes one by one, then groups of four, then the rest.
  if (i < n / 4) {
    float4* const group = reinterpret_cast<float4*>(data) + i;
    const float4 four = *group;
    *group = make_float4(factor * four.x, factor * four.y, factor * four.z, factor * four.w);
  }
  if (i < n % 4) data[n / 4 * 4 + i] *= factor;
  // END
}

}  // namespace

void vectors::unaligned(float* data, std::size_t n, float factor, cudaStream_t stream) {
  // More threads than groups of four, and a block at least, which has more than there are floats in head and tail.
  const auto blocks = static_cast<unsigned>(n / 4 / block_threads + 1);
  scale<<<blocks, block_threads, 0, stream>>>(data, n, factor);
}
