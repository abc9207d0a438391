// wrong: every thread goes on to the end, for want of an else; rejected by: the threads execute
#include "vectors.h"

namespace {

constexpr unsigned block_threads = 256;

__global__ void add(const float* a, const float* b, float* out, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (4 * i + 3 < n) {
    const float4 left = reinterpret_cast<const float4*>(a)[i], right = reinterpret_cast<const float4*>(b)[i];
    reinterpret_cast<float4*>(out)[i] =
        make_float4(left.x + right.x, left.y + right.y, left.z + right.z, left.w + right.w);
  }
  for (std::size_t k = 4 * i; k < n; ++k) out[k] = a[k] + b[k];
}

}  // namespace

void vectors::add4(const float* a, const float* b, float* out, std::size_t n, cudaStream_t stream) {
  if (n == 0) return;
  const std::size_t threads = (n + 3) / 4;
  const auto blocks = static_cast<unsigned>((threads + block_threads - 1) / block_threads);
  add<<<blocks, block_threads, 0, stream>>>(a, b, out, n);
}
