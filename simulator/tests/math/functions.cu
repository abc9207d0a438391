#include "math/functions.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace warpwright::math {
namespace {

constexpr int threads = 128;
int blocks(int n) { return (n + threads - 1) / threads; }
__device__ int index() { return static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); }

}  // namespace

#define WARPWRIGHT_DEFINE(function, type)                               \
  namespace {                                                           \
  __global__ void function##_kernel(const type* in, type* out, int n) { \
    if (const int i = index(); i < n) out[i] = function(in[i]);         \
  }                                                                     \
  }                                                                     \
  void run_##function(const type* in, type* out, int n) { function##_kernel<<<blocks(n), threads>>>(in, out, n); }
#define WARPWRIGHT_DEFINE_F32(function, units) WARPWRIGHT_DEFINE(function, float)
#define WARPWRIGHT_DEFINE_F64(function, units) WARPWRIGHT_DEFINE(function, double)
WARPWRIGHT_FUNCTIONS_F32(WARPWRIGHT_DEFINE_F32)
WARPWRIGHT_FUNCTIONS_F64(WARPWRIGHT_DEFINE_F64)

namespace {

__global__ void powf_kernel(const float* base, const float* exponent, float* out, int n) {
  if (const int i = index(); i < n) out[i] = powf(base[i], exponent[i]);
}
__global__ void fmodf_kernel(const float* a, const float* b, float* out, int n) {
  if (const int i = index(); i < n) out[i] = fmodf(a[i], b[i]);
}

__global__ void pow_kernel(const double* base, const double* exponent, double* out, int n) {
  if (const int i = index(); i < n) out[i] = pow(base[i], exponent[i]);
}
__global__ void fmod_kernel(const double* a, const double* b, double* out, int n) {
  if (const int i = index(); i < n) out[i] = fmod(a[i], b[i]);
}

__global__ void integers_kernel(const u128* a, const u128* b, u128* out, int n) {
  const int i = index();
  if (i >= n) return;
  const int shift = static_cast<int>(b[i] % 128);
  u128* to = out + i * integer_results;
  to[0] = a[i] + b[i];
  to[1] = a[i] - b[i];
  to[2] = a[i] * b[i];
  to[3] = a[i] << shift;
  to[4] = a[i] / b[i];
  to[5] = a[i] % b[i];
  const s128 c = static_cast<s128>(a[i]), d = static_cast<s128>(b[i]);
  to[6] = static_cast<u128>(c >> shift);
  to[7] = c < d;
  to[8] = static_cast<u128>(c / d);
  to[9] = static_cast<u128>(c % d);
}

template <class Half>
__global__ void halves_kernel(const Half* a, const Half* b, const Half* c, float* out, int n) {
  const int i = index();
  if (i >= n) return;
  float* to = out + i * half_results;
  to[0] = static_cast<float>(__hfma(a[i], b[i], c[i]));
  to[1] = static_cast<float>(a[i] / b[i]);
  to[2] = static_cast<float>(hsqrt(a[i]));
  to[3] = static_cast<float>(hexp2(a[i]));
  to[4] = static_cast<float>(hrint(a[i] + b[i]));
}

}  // namespace

void run_powf(const float* base, const float* exponent, float* out, int n) {
  powf_kernel<<<blocks(n), threads>>>(base, exponent, out, n);
}
void run_fmodf(const float* a, const float* b, float* out, int n) {
  fmodf_kernel<<<blocks(n), threads>>>(a, b, out, n);
}
void run_pow(const double* base, const double* exponent, double* out, int n) {
  pow_kernel<<<blocks(n), threads>>>(base, exponent, out, n);
}
void run_fmod(const double* a, const double* b, double* out, int n) {
  fmod_kernel<<<blocks(n), threads>>>(a, b, out, n);
}
void run_integers(const u128* a, const u128* b, u128* out, int n) {
  integers_kernel<<<blocks(n), threads>>>(a, b, out, n);
}
void run_halves(bool brain, const unsigned short* a, const unsigned short* b, const unsigned short* c, float* out,
                int n) {
  if (brain)
    halves_kernel<<<blocks(n), threads>>>(reinterpret_cast<const __nv_bfloat16*>(a),
                                          reinterpret_cast<const __nv_bfloat16*>(b),
                                          reinterpret_cast<const __nv_bfloat16*>(c), out, n);
  else
    halves_kernel<<<blocks(n), threads>>>(reinterpret_cast<const __half*>(a), reinterpret_cast<const __half*>(b),
                                          reinterpret_cast<const __half*>(c), out, n);
}

}  // namespace warpwright::math
