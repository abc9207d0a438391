// Four values a thread, and only the first is compared with n: the last thread reads past the end.
// expect: out of bounds at [load], thread (125,0,0), block (0,0,0), saying "12 of them past its end"
#include <cuda_runtime.h>

namespace {

template <bool mended>
__global__ void halve(const float* values, float* halves, int n) {
  const int first = 4 * static_cast<int>(threadIdx.x);
  if (first + (mended ? 3 : 0) < n) {
    const float4 v = *reinterpret_cast<const float4*>(values + first);  // [load]
    *reinterpret_cast<float4*>(halves + first) = make_float4(v.x / 2, v.y / 2, v.z / 2, v.w / 2);
  } else if (mended) {
    for (int i = first; i < n; ++i) halves[i] = values[i] / 2;
  }
}

}  // namespace

extern "C" void float4_guard(bool mended) {
  constexpr int n = 501;
  constexpr int canary = 8;
  float* values = nullptr;
  float* halves = nullptr;
  cudaMalloc(&values, n * sizeof(float));
  cudaMalloc(&halves, (n + canary) * sizeof(float));
  cudaMemset(values, 0, n * sizeof(float));
  cudaMemset(halves, -1, (n + canary) * sizeof(float));
  const auto kernel = mended ? halve<true> : halve<false>;
  kernel<<<1, 128>>>(values, halves, n);
  cudaFree(values);
  cudaFree(halves);
}
