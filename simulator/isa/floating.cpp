// PTX ISA, "Floating Point Instructions", as far as IEEE 754 defines the result. Approximations and flush-to-zero forms
// are not here: their results are the hardware's own.
#include <cmath>

#include "isa/rows.h"

namespace warpwright::isa {
namespace {

template <class T>
T add(T a, T b) {
  return canonical(a + b);
}
template <class T>
T sub(T a, T b) {
  return canonical(a - b);
}
template <class T>
T mul(T a, T b) {
  return canonical(a * b);
}
template <class T>
T fma(T a, T b, T c) {
  return canonical(std::fma(a, b, c));
}
template <class T>
T div(T a, T b) {
  return canonical(a / b);
}
template <class T>
T rcp(T a) {
  return canonical(T{1} / a);
}
template <class T>
T sqrt(T a) {
  return canonical(std::sqrt(a));
}

/// One NaN loses against a number; -0 is less than +0.
template <class T>
T min(T a, T b) {
  if (a != a) return canonical(b);
  if (b != b) return a;
  if (a == b) return std::signbit(a) ? a : b;
  return a < b ? a : b;
}

template <class T>
T max(T a, T b) {
  if (a != a) return canonical(b);
  if (b != b) return a;
  if (a == b) return std::signbit(a) ? b : a;
  return a > b ? a : b;
}

/// .NaN: one NaN is enough for the result to be NaN.
template <class T>
T min_nan(T a, T b) {
  return a != a ? canonical(a) : b != b ? canonical(b) : min(a, b);
}

template <class T>
T max_nan(T a, T b) {
  return a != a ? canonical(a) : b != b ? canonical(b) : max(a, b);
}

/// .sat: clamps to [0, 1]; NaN gives +0.
f32 saturate(f32 a) { return a > 0 ? (a < 1 ? a : 1.0f) : 0.0f; }
f32 add_sat(f32 a, f32 b) { return saturate(a + b); }
f32 sub_sat(f32 a, f32 b) { return saturate(a - b); }
f32 mul_sat(f32 a, f32 b) { return saturate(a * b); }
f32 fma_sat(f32 a, f32 b, f32 c) { return saturate(std::fma(a, b, c)); }

template <class T>
bool testp_finite(T a) {
  return std::isfinite(a);
}
template <class T>
bool testp_infinite(T a) {
  return std::isinf(a);
}
template <class T>
bool testp_number(T a) {
  return a == a;
}
template <class T>
bool testp_notanumber(T a) {
  return a != a;
}
template <class T>
bool testp_normal(T a) {
  return std::isnormal(a);
}
template <class T>
bool testp_subnormal(T a) {
  return std::fpclassify(a) == FP_SUBNORMAL;
}

/// The sign of a on the value of b.
template <class Bits>
Bits copysign(Bits a, Bits b) {
  constexpr Bits sign = Bits{1} << (8 * sizeof(Bits) - 1);
  return (a & sign) | (b & ~sign);
}

// These change the sign bit only, of a NaN as of a number.
u32 neg_f32(u32 a) { return a ^ 0x80000000u; }
u32 abs_f32(u32 a) { return a & 0x7fffffffu; }
u64 neg_f64(u64 a) { return a ^ (u64{1} << 63); }
u64 abs_f64(u64 a) { return a & ~(u64{1} << 63); }

}  // namespace

void add_floating_rows(Table& table) {
  for_each_type<f32, f64>([&]<class T>() {
    constexpr auto type = type_name<T>();
    for (const char* rounding : {"", "rn."}) {
      row<add<T>>(table, "add.", rounding, type);
      row<sub<T>>(table, "sub.", rounding, type);
      row<mul<T>>(table, "mul.", rounding, type);
    }
    row<fma<T>>(table, "fma.rn.", type);
    row<fma<T>>(table, "mad.rn.", type);
    row<div<T>>(table, "div.rn.", type);
    row<rcp<T>>(table, "rcp.rn.", type);
    row<sqrt<T>>(table, "sqrt.rn.", type);
    row<min<T>>(table, "min.", type);
    row<max<T>>(table, "max.", type);
    row<testp_finite<T>>(table, "testp.finite.", type);
    row<testp_infinite<T>>(table, "testp.infinite.", type);
    row<testp_number<T>>(table, "testp.number.", type);
    row<testp_notanumber<T>>(table, "testp.notanumber.", type);
    row<testp_normal<T>>(table, "testp.normal.", type);
    row<testp_subnormal<T>>(table, "testp.subnormal.", type);
  });
  row<min_nan<f32>>(table, "min.NaN.f32");
  row<max_nan<f32>>(table, "max.NaN.f32");
  for (const char* rounding : {"", "rn."}) {
    row<add_sat>(table, "add.", rounding, "sat.f32");
    row<sub_sat>(table, "sub.", rounding, "sat.f32");
    row<mul_sat>(table, "mul.", rounding, "sat.f32");
  }
  row<fma_sat>(table, "fma.rn.sat.f32");
  row<copysign<u32>>(table, "copysign.f32");
  row<copysign<u64>>(table, "copysign.f64");
  row<neg_f32>(table, "neg.f32");
  row<abs_f32>(table, "abs.f32");
  row<neg_f64>(table, "neg.f64");
  row<abs_f64>(table, "abs.f64");
}

}  // namespace warpwright::isa
