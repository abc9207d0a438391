// vectors.add4: four sums a thread, of which the last ones may not be there.
//
// Somebody has made an addition of arrays four floats wide, and asks for the first of four whether it lies below n. It
// works for every n that was tried: 1024, 4096, 2^20.

#include "vectors.h"

namespace {

constexpr unsigned block_threads = 256;

// Each thread adds 4 elements.
__global__ void add(const float* a, const float* b, float* out, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  // SOLUTION: a group of four is added as such if its last element is there too. A thread whose group is not whole adds
  // what there is of it, float by float.
  if (4 * i + 3 < n) {
    const float4 left = reinterpret_cast<const float4*>(a)[i], right = reinterpret_cast<const float4*>(b)[i];
    reinterpret_cast<float4*>(out)[i] =
        make_float4(left.x + right.x, left.y + right.y, left.z + right.z, left.w + right.w);
  } else {
    for (std::size_t k = 4 * i; k < n; ++k) out[k] = a[k] + b[k];
  }
  // END
}

}  // namespace

void vectors::add4(const float* a, const float* b, float* out, std::size_t n, cudaStream_t stream) {
  if (n == 0) return;
  const std::size_t threads = (n + 3) / 4;
  const auto blocks = static_cast<unsigned>((threads + block_threads - 1) / block_threads);
  add<<<blocks, block_threads, 0, stream>>>(a, b, out, n);
}
