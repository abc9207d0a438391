// PTX ISA, "Comparison and Selection Instructions".
#include <string>

#include "isa/modifiers.h"
#include "isa/rows.h"

namespace warpwright::isa {
namespace {

template <class T>
bool setp_eq(T a, T b) {
  return a == b;
}
template <class T>
bool setp_ne(T a, T b) {
  return a != b;
}
template <class T>
bool setp_lt(T a, T b) {
  return a < b;
}
template <class T>
bool setp_le(T a, T b) {
  return a <= b;
}
template <class T>
bool setp_gt(T a, T b) {
  return a > b;
}
template <class T>
bool setp_ge(T a, T b) {
  return a >= b;
}

template <class T>
bool unordered(T a, T b) {
  return a != a || b != b;
}
template <class T>
bool ordered(T a, T b) {
  return !unordered(a, b);
}
/// Among floats `ne` is false when either is NaN; `neu` is C's `!=`.
template <class T>
bool ordered_ne(T a, T b) {
  return a < b || a > b;
}
template <class T>
bool setp_equ(T a, T b) {
  return a == b || unordered(a, b);
}
template <class T>
bool setp_ltu(T a, T b) {
  return !(a >= b);
}
template <class T>
bool setp_leu(T a, T b) {
  return !(a > b);
}
template <class T>
bool setp_gtu(T a, T b) {
  return !(a <= b);
}
template <class T>
bool setp_geu(T a, T b) {
  return !(a < b);
}

/// A comparison of halves is one of the same numbers in single precision.
template <bool (*compare)(f32, f32), class T>
bool of_halves(T a, T b) {
  return compare(to_f32(a), to_f32(b));
}

/// .ftz is about operands: a subnormal number is equal to 0.
template <bool (*compare)(f32, f32)>
void add_narrow_rows(Table& table, const std::string& name) {
  row<ftz<compare>>(table, "setp.", name, ".ftz.f32");
  row<of_halves<compare, f16>>(table, "setp.", name, ".f16");
  rare_row<ftz_half<of_halves<compare, f16>>>(table, "setp.", name, ".ftz.f16");
  row<of_halves<compare, bf16>>(table, "setp.", name, ".bf16");
}

/// a where c is at least zero: -0 is, NaN is not.
template <class T, class C>
T slct(T a, T b, C c) {
  return c >= 0 ? a : b;
}

}  // namespace

void add_comparison_rows(Table& table) {
  for_each_type<u16, s16, u32, s32, u64, s64>([&]<class T>() {
    constexpr auto type = type_name<T>();
    integer_row<T, setp_eq<T>>(table, "setp.eq.", type);
    integer_row<T, setp_ne<T>>(table, "setp.ne.", type);
    integer_row<T, setp_lt<T>>(table, "setp.lt.", type);
    integer_row<T, setp_le<T>>(table, "setp.le.", type);
    integer_row<T, setp_gt<T>>(table, "setp.gt.", type);
    integer_row<T, setp_ge<T>>(table, "setp.ge.", type);
  });
  for_each_type<u16, u32, u64>([&]<class T>() {
    integer_row<T, setp_eq<T>>(table, "setp.eq.", bits_name<T>());
    integer_row<T, setp_ne<T>>(table, "setp.ne.", bits_name<T>());
    integer_row<T, setp_lt<T>>(table, "setp.lo.", type_name<T>());
    integer_row<T, setp_le<T>>(table, "setp.ls.", type_name<T>());
    integer_row<T, setp_gt<T>>(table, "setp.hi.", type_name<T>());
    integer_row<T, setp_ge<T>>(table, "setp.hs.", type_name<T>());
    for (const std::string_view type : {bits_name<T>(), type_name<T>(), type_name<std::make_signed_t<T>>()}) {
      rare_row<slct<T, s32>>(table, "slct.", type, ".s32");
      rare_row<slct<T, f32>>(table, "slct.", type, ".f32");
      rare_row<ftz<slct<T, f32>>>(table, "slct.ftz.", type, ".f32");
    }
  });
  for_each_type<u32, u64>([&]<class T>() {
    const std::string type = sizeof(T) == 4 ? "f32" : "f64";
    rare_row<slct<T, s32>>(table, "slct.", type, ".s32");
    rare_row<slct<T, f32>>(table, "slct.", type, ".f32");
    rare_row<ftz<slct<T, f32>>>(table, "slct.ftz.", type, ".f32");
  });
  for_each_type<f32, f64>([&]<class T>() {
    constexpr auto type = type_name<T>();
    row<setp_eq<T>>(table, "setp.eq.", type);
    row<ordered_ne<T>>(table, "setp.ne.", type);
    row<setp_lt<T>>(table, "setp.lt.", type);
    row<setp_le<T>>(table, "setp.le.", type);
    row<setp_gt<T>>(table, "setp.gt.", type);
    row<setp_ge<T>>(table, "setp.ge.", type);
    row<setp_equ<T>>(table, "setp.equ.", type);
    row<setp_ne<T>>(table, "setp.neu.", type);
    row<setp_ltu<T>>(table, "setp.ltu.", type);
    row<setp_leu<T>>(table, "setp.leu.", type);
    row<setp_gtu<T>>(table, "setp.gtu.", type);
    row<setp_geu<T>>(table, "setp.geu.", type);
    row<ordered<T>>(table, "setp.num.", type);
    row<unordered<T>>(table, "setp.nan.", type);
  });
  add_narrow_rows<setp_eq<f32>>(table, "eq");
  add_narrow_rows<ordered_ne<f32>>(table, "ne");
  add_narrow_rows<setp_lt<f32>>(table, "lt");
  add_narrow_rows<setp_le<f32>>(table, "le");
  add_narrow_rows<setp_gt<f32>>(table, "gt");
  add_narrow_rows<setp_ge<f32>>(table, "ge");
  add_narrow_rows<setp_equ<f32>>(table, "equ");
  add_narrow_rows<setp_ne<f32>>(table, "neu");
  add_narrow_rows<setp_ltu<f32>>(table, "ltu");
  add_narrow_rows<setp_leu<f32>>(table, "leu");
  add_narrow_rows<setp_gtu<f32>>(table, "gtu");
  add_narrow_rows<setp_geu<f32>>(table, "geu");
  add_narrow_rows<ordered<f32>>(table, "num");
  add_narrow_rows<unordered<f32>>(table, "nan");
}

}  // namespace warpwright::isa
