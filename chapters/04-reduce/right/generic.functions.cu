// The operation is a function, given as an argument of the template; several elements a thread; a butterfly.
#include "reduce.h"

namespace {

constexpr unsigned size = 128, each = 8;

using Combine = float (*)(float, float);
using Element = float (*)(const float* x, const float* y, std::size_t i);

__device__ float add(float a, float b) { return a + b; }
__device__ float smaller(float a, float b) { return fminf(a, b); }
__device__ float larger(float a, float b) { return fmaxf(a, b); }
__device__ float value_at(const float* x, const float*, std::size_t i) { return x[i]; }
__device__ float product_at(const float* x, const float* y, std::size_t i) { return x[i] * y[i]; }

template <Combine combine>
__device__ float of_warp(float value) {
  for (int distance = 1; distance < 32; distance *= 2)
    value = combine(__shfl_xor_sync(0xffffffffu, value, distance), value);
  return value;
}

template <Combine combine, Element element>
__global__ void of_tiles(const float* x, const float* y, float* out, std::size_t n, float neutral) {
  __shared__ float of_warps[size / 32];
  std::size_t i = std::size_t{blockIdx.x} * size * each + threadIdx.x;
  float result = neutral;
  for (unsigned k = 0; k < each && i < n; ++k, i += size) result = combine(result, element(x, y, i));
  result = of_warp<combine>(result);
  if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = result;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (unsigned warp = 1; warp < size / 32; ++warp) result = combine(result, of_warps[warp]);
  out[blockIdx.x] = result;
}

template <Combine combine, Element element>
void in_two_kernels(const float* x, const float* y, float* out, float* workspace, std::size_t n, float neutral,
                    cudaStream_t stream) {
  const std::size_t tiles = reduce::groups_of(size * each, n);
  if (tiles <= 1) {
    of_tiles<combine, element><<<1, size, 0, stream>>>(x, y, out, n, neutral);
    return;
  }
  of_tiles<combine, element><<<static_cast<unsigned>(tiles), size, 0, stream>>>(x, y, workspace, n, neutral);
  in_two_kernels<combine, value_at>(workspace, nullptr, out, workspace + tiles, tiles, neutral, stream);
}

}  // namespace

void reduce::minimum(const float* in, float* out, float* workspace, std::size_t n, cudaStream_t stream) {
  in_two_kernels<smaller, value_at>(in, nullptr, out, workspace, n, __builtin_huge_valf(), stream);
}

void reduce::maximum(const float* in, float* out, float* workspace, std::size_t n, cudaStream_t stream) {
  in_two_kernels<larger, value_at>(in, nullptr, out, workspace, n, -__builtin_huge_valf(), stream);
}

void reduce::dot(const float* x, const float* y, float* out, float* workspace, std::size_t n, cudaStream_t stream) {
  in_two_kernels<add, product_at>(x, y, out, workspace, n, 0, stream);
}
