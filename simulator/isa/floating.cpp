// PTX ISA, "Floating Point Instructions", as far as IEEE 754 defines the result. For other roundings see directed.cpp
// and exact.cpp, for approximations approximate.cpp.
#include <cmath>

#include "isa/modifiers.h"
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

/// .xorsign.abs: of magnitudes, with the sign that the operands' product would have.
template <f32 (*choose)(f32, f32)>
f32 xorsign_abs(f32 a, f32 b) {
  const f32 chosen = choose(std::fabs(a), std::fabs(b));
  return chosen != chosen ? chosen : std::copysign(chosen, std::signbit(a) != std::signbit(b) ? -1.0f : 1.0f);
}

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
  return std::isnormal(a) || a == 0;  // as the manual counts
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
f32 neg_ftz(f32 a) { return std::bit_cast<f32>(neg_f32(std::bit_cast<u32>(flushed(a)))); }
f32 abs_ftz(f32 a) { return std::bit_cast<f32>(abs_f32(std::bit_cast<u32>(flushed(a)))); }

/// The forms of single precision that double precision has not.
template <auto function, auto flushing = ftz<function>>
void modified_rows(Table& table, std::string_view mnemonic, std::string_view rounding) {
  row<flushing>(table, mnemonic, rounding, "ftz.f32");
  row<sat<function>>(table, mnemonic, rounding, "sat.f32");
  row<sat<flushing>>(table, mnemonic, rounding, "ftz.sat.f32");
}

template <f32 (*number)(f32, f32), f32 (*nan)(f32, f32)>
void choice_rows(Table& table, std::string_view mnemonic) {
  row<ftz<number>>(table, mnemonic, "ftz.f32");
  row<nan>(table, mnemonic, "NaN.f32");
  rare_row<ftz<nan>>(table, mnemonic, "ftz.NaN.f32");
  rare_row<xorsign_abs<number>>(table, mnemonic, "xorsign.abs.f32");
  rare_row<xorsign_abs<nan>>(table, mnemonic, "NaN.xorsign.abs.f32");
  rare_row<ftz<xorsign_abs<number>>>(table, mnemonic, "ftz.xorsign.abs.f32");
  rare_row<ftz<xorsign_abs<nan>>>(table, mnemonic, "ftz.NaN.xorsign.abs.f32");
}

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
    rare_row<testp_finite<T>>(table, "testp.finite.", type);
    rare_row<testp_infinite<T>>(table, "testp.infinite.", type);
    rare_row<testp_number<T>>(table, "testp.number.", type);
    rare_row<testp_notanumber<T>>(table, "testp.notanumber.", type);
    rare_row<testp_normal<T>>(table, "testp.normal.", type);
    rare_row<testp_subnormal<T>>(table, "testp.subnormal.", type);
  });
  choice_rows<min<f32>, min_nan<f32>>(table, "min.");
  choice_rows<max<f32>, max_nan<f32>>(table, "max.");
  for (const char* rounding : {"", "rn."}) {
    modified_rows<add<f32>>(table, "add.", rounding);
    modified_rows<sub<f32>>(table, "sub.", rounding);
    modified_rows<mul<f32>, &ftz_mul<mul<f32>>>(table, "mul.", rounding);
  }
  for (const char* mnemonic : {"fma.rn.", "mad.rn."}) {
    constexpr auto flushing = &ftz_fma<fma<f32>>;
    row<flushing>(table, mnemonic, "ftz.f32");
    row<sat<fma<f32>>>(table, mnemonic, "sat.f32");
    row<sat<flushing>>(table, mnemonic, "ftz.sat.f32");
  }
  row<&ftz_div<div<f32>>>(table, "div.rn.ftz.f32");
  row<&ftz_rcp<div<f32>>>(table, "rcp.rn.ftz.f32");
  row<ftz<sqrt<f32>>>(table, "sqrt.rn.ftz.f32");
  row<neg_ftz>(table, "neg.ftz.f32");
  row<abs_ftz>(table, "abs.ftz.f32");
  row<copysign<u32>>(table, "copysign.f32");
  row<copysign<u64>>(table, "copysign.f64");
  row<neg_f32>(table, "neg.f32");
  row<abs_f32>(table, "abs.f32");
  row<neg_f64>(table, "neg.f64");
  row<abs_f64>(table, "abs.f64");
}

}  // namespace warpwright::isa
