// Functions of CUDA's math library with the errors that the CUDA C++ Programming Guide documents, in units in the last
// place ("Mathematical Functions"); and what else nvcc makes whole chains of instructions of.
#pragma once

// X(function, units)
// clang-format off
#define WARPWRIGHT_FUNCTIONS_F32(X) \
  X(sinf, 2) X(cosf, 2) X(tanf, 4) X(sinpif, 1) X(asinf, 2) X(acosf, 2) X(atanf, 2) X(sinhf, 3) \
  X(coshf, 2) X(tanhf, 2) X(asinhf, 3) X(atanhf, 3) X(expf, 2) X(exp2f, 2) X(exp10f, 2) X(expm1f, 1) \
  X(logf, 1) X(log2f, 1) X(log10f, 2) X(log1pf, 1) X(cbrtf, 1) X(rsqrtf, 2) X(erff, 2) X(erfcf, 4) \
  X(tgammaf, 5)

#define WARPWRIGHT_FUNCTIONS_F64(X) \
  X(sin, 2) X(cos, 2) X(tan, 2) X(asin, 2) X(acos, 2) X(atan, 2) X(sinh, 2) X(cosh, 1) X(tanh, 1) X(exp, 1) \
  X(exp2, 1) X(expm1, 1) X(log, 1) X(log2, 1) X(log10, 1) X(log1p, 1) X(cbrt, 1) X(rsqrt, 1) X(erf, 2) X(erfc, 5)
// clang-format on

namespace warpwright::math {

#define WARPWRIGHT_DECLARE(function, units) void run_##function(const float* in, float* out, int n);
WARPWRIGHT_FUNCTIONS_F32(WARPWRIGHT_DECLARE)
#undef WARPWRIGHT_DECLARE
#define WARPWRIGHT_DECLARE(function, units) void run_##function(const double* in, double* out, int n);
WARPWRIGHT_FUNCTIONS_F64(WARPWRIGHT_DECLARE)
#undef WARPWRIGHT_DECLARE

void run_powf(const float* base, const float* exponent, float* out, int n);
void run_fmodf(const float* a, const float* b, float* out, int n);
void run_pow(const double* base, const double* exponent, double* out, int n);
void run_fmod(const double* a, const double* b, double* out, int n);

__extension__ using s128 = __int128;
__extension__ using u128 = unsigned __int128;
/// For each pair: a + b, a - b, a * b, a << (b % 128), a / b, a % b, and, signed, a >> (b % 128), a < b, a / b, a % b.
inline constexpr int integer_results = 10;
void run_integers(const u128* a, const u128* b, u128* out, int n);

/// For each triple of halves, as bits: a * b + c, a / b, the square root of a, 2 to the power of a, and a + b rounded
/// to an integer; of f16, then of bf16 the same.
inline constexpr int half_results = 5;
void run_halves(bool brain, const unsigned short* a, const unsigned short* b, const unsigned short* c, float* out,
                int n);

}  // namespace warpwright::math
