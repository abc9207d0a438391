// The kernel works on whole packets of four and leaves what is over: the last outputs keep what they held.
// expect: coverage of argument 2, saying "4 of 2004 bytes were not written by any launch"
#include <cuda_runtime.h>

namespace {

template <bool mended>
__global__ void halve(const float* values, float* halves, int n) {
  const int packet = static_cast<int>(threadIdx.x);
  if (packet < n / 4) {
    const float4 v = reinterpret_cast<const float4*>(values)[packet];
    reinterpret_cast<float4*>(halves)[packet] = make_float4(v.x / 2, v.y / 2, v.z / 2, v.w / 2);
  }
  const int over = n / 4 * 4 + packet;
  if (mended && over < n) halves[over] = values[over] / 2;
}

}  // namespace

extern "C" void float4_tail(bool mended) {
  constexpr int n = 501;
  float* values = nullptr;
  float* halves = nullptr;
  cudaMalloc(&values, n * sizeof(float));
  cudaMalloc(&halves, n * sizeof(float));
  cudaMemset(values, 0, n * sizeof(float));
  cudaMemset(halves, -1, n * sizeof(float));
  const auto kernel = mended ? halve<true> : halve<false>;
  kernel<<<1, 128>>>(values, halves, n);
  cudaFree(values);
  cudaFree(halves);
}
