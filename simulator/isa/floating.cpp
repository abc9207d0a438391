// PTX ISA, "Floating Point Instructions", as far as IEEE 754 defines the result. Approximations and flush-to-zero forms are not
// here: their results are the hardware's own.
#include <cmath>

#include "isa/rows.h"

namespace warpwright::isa {
namespace {

template <class T> T add(T a, T b) { return canonical(a + b); }
template <class T> T sub(T a, T b) { return canonical(a - b); }
template <class T> T mul(T a, T b) { return canonical(a * b); }
template <class T> T fma(T a, T b, T c) { return canonical(std::fma(a, b, c)); }
template <class T> T div(T a, T b) { return canonical(a / b); }
template <class T> T rcp(T a) { return canonical(T{1} / a); }
template <class T> T sqrt(T a) { return canonical(std::sqrt(a)); }

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
    row<div<T>>(table, "div.rn.", type);
    row<rcp<T>>(table, "rcp.rn.", type);
    row<sqrt<T>>(table, "sqrt.rn.", type);
    row<min<T>>(table, "min.", type);
    row<max<T>>(table, "max.", type);
  });
  row<neg_f32>(table, "neg.f32");
  row<abs_f32>(table, "abs.f32");
  row<neg_f64>(table, "neg.f64");
  row<abs_f64>(table, "abs.f64");
}

}  // namespace warpwright::isa
