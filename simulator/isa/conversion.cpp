// PTX ISA, "cvt": between integers, between integers and floats, and roundings to an integral float.
#include <cmath>

#include "isa/rows.h"

namespace warpwright::isa {
namespace {

template <class D, class S>
D cvt(S a) {
  return static_cast<D>(a);
}

template <class S>
f32 cvt_to_f32(S a) {
  return canonical(static_cast<f32>(a));
}

enum class Rounding { nearest_even, to_zero, down, up };

template <Rounding rounding, class T>
T round(T a) {
  if constexpr (rounding == Rounding::nearest_even) return std::nearbyint(a);
  if constexpr (rounding == Rounding::to_zero) return std::trunc(a);
  if constexpr (rounding == Rounding::down) return std::floor(a);
  if constexpr (rounding == Rounding::up) return std::ceil(a);
}

/// Out of range clamps; NaN gives 0.
template <Rounding rounding, class D, class S>
D cvt_to_integer(S a) {
  const S whole = round<rounding>(a);
  // 2^(bits) of D's maximum, exactly representable in S, where the maximum itself may not be.
  constexpr S above = static_cast<S>(std::numeric_limits<D>::max() / 2 + 1) * 2;
  if (whole != whole) return 0;
  if (whole >= above) return std::numeric_limits<D>::max();
  if (whole < static_cast<S>(std::numeric_limits<D>::min())) return std::numeric_limits<D>::min();
  return static_cast<D>(whole);
}

template <Rounding rounding>
void add_rounding_rows(Table& table, std::string_view name) {
  for_each_type<f32, f64>([&]<class S>() {
    row<round<rounding, S>>(table, "cvt.", name, ".", type_name<S>(), ".", type_name<S>());
    for_each_type<u16, s16, u32, s32, u64, s64>([&]<class D>() {
      row<cvt_to_integer<rounding, D, S>>(table, "cvt.", name, ".", type_name<D>(), ".", type_name<S>());
    });
  });
}

}  // namespace

void add_conversion_rows(Table& table) {
  for_each_type<u8, s8, u16, s16, u32, s32, u64, s64>([&]<class D>() {
    for_each_type<u8, s8, u16, s16, u32, s32, u64, s64>(
        [&]<class S>() { row<cvt<D, S>>(table, "cvt.", type_name<D>(), ".", type_name<S>()); });
  });
  for_each_type<u8, s8, u16, s16, u32, s32, u64, s64>([&]<class S>() {
    row<cvt<f32, S>>(table, "cvt.rn.f32.", type_name<S>());
    row<cvt<f64, S>>(table, "cvt.rn.f64.", type_name<S>());
  });
  row<cvt<f64, f32>>(table, "cvt.f64.f32");
  row<cvt_to_f32<f64>>(table, "cvt.rn.f32.f64");
  add_rounding_rows<Rounding::nearest_even>(table, "rni");
  add_rounding_rows<Rounding::to_zero>(table, "rzi");
  add_rounding_rows<Rounding::down>(table, "rmi");
  add_rounding_rows<Rounding::up>(table, "rpi");
}

}  // namespace warpwright::isa
