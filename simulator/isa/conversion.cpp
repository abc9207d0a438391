// PTX ISA, "cvt": between integers, between integers and floats, and roundings to an integral float.
#include <algorithm>
#include <cmath>
#include <utility>

#include "isa/rounding.h"
#include "isa/rows.h"

namespace warpwright::isa {
namespace {

template <class D, class S>
D cvt(S a) {
  return static_cast<D>(a);
}

// Rare functions are not inlined: a call in each lane costs less than a vectorised loop for every pair of types would
// cost the compiler.

/// Out of range clamps.
template <class D, class S>
[[gnu::noinline]] D cvt_sat(S a) {
  using Limits = std::numeric_limits<D>;
  if (std::cmp_less(a, Limits::min())) return Limits::min();
  if (std::cmp_greater(a, Limits::max())) return Limits::max();
  return static_cast<D>(a);
}

/// Whether every S is a D.
template <class D, class S>
constexpr bool holds =
    std::in_range<D>(std::numeric_limits<S>::min()) && std::in_range<D>(std::numeric_limits<S>::max());

template <class D, class S>
void add_integer_row(Table& table) {
  row<cvt<D, S>>(table, "cvt.", type_name<D>(), ".", type_name<S>());
  if constexpr (holds<D, S>)
    row<cvt<D, S>>(table, "cvt.sat.", type_name<D>(), ".", type_name<S>());
  else
    row<cvt_sat<D, S>>(table, "cvt.sat.", type_name<D>(), ".", type_name<S>());
}

/// The halves are exact in double precision; their sum may leave an error, and it counts.
template <Rounding rounding, class S>
[[gnu::noinline]] f32 cvt_to_f32(S a) {
  const f64 high = static_cast<f64>(static_cast<S>(a & ~S{0xffff}));
  const f64 low = static_cast<f64>(static_cast<u16>(a));
  const f64 sum = high + low;
  return to_f32<rounding>(sum, error_of_sum(high, low, sum));
}

template <Rounding rounding, class S>
[[gnu::noinline]] f64 cvt_to_f64(S a) {
  const f64 nearest = static_cast<f64>(a);
  const __int128 back = static_cast<__int128>(nearest);
  return stepped<rounding>(nearest, back > a, back < a, a < 0);
}

/// To a float, in every rounding; few integers are not exact.
template <class D, class S>
void add_float_row(Table& table) {
  const auto enter = [&]<auto convert>(std::string_view rounding) {
    row<convert>(table, "cvt.", rounding, ".", type_name<D>(), ".", type_name<S>());
  };
  enter.template operator()<cvt<D, S>>("rn");
  for_each_directed([&]<Rounding rounding>(std::string_view name) {
    if constexpr (std::numeric_limits<S>::digits <= std::numeric_limits<D>::digits)
      enter.template operator()<cvt<D, S>>(name);
    else if constexpr (std::is_same_v<D, f32>)
      enter.template operator()<cvt_to_f32<rounding, S>>(name);
    else
      enter.template operator()<cvt_to_f64<rounding, S>>(name);
  });
}

template <Rounding rounding>
[[gnu::noinline]] f32 cvt_narrower(f64 a) {
  return to_f32<rounding>(a);
}

/// .sat of a float: NaN gives +0.
template <class T>
T cvt_sat_float(T a) {
  return a > 0 ? std::min(a, T{1}) : T{0};
}

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
    for_each_type<u8, s8, u16, s16, u32, s32, u64, s64>([&]<class D>() {
      row<cvt_to_integer<rounding, D, S>>(table, "cvt.", name, ".", type_name<D>(), ".", type_name<S>());
    });
  });
}

}  // namespace

void add_conversion_rows(Table& table) {
  for_each_type<u8, s8, u16, s16, u32, s32, u64, s64>([&]<class D>() {
    for_each_type<u8, s8, u16, s16, u32, s32, u64, s64>([&]<class S>() { add_integer_row<D, S>(table); });
  });
  for_each_type<u8, s8, u16, s16, u32, s32, u64, s64>([&]<class S>() {
    add_float_row<f32, S>(table);
    add_float_row<f64, S>(table);
  });
  row<cvt<f64, f32>>(table, "cvt.f64.f32");
  row<cvt_narrower<Rounding::nearest_even>>(table, "cvt.rn.f32.f64");
  for_each_directed(
      [&]<Rounding rounding>(std::string_view name) { row<cvt_narrower<rounding>>(table, "cvt.", name, ".f32.f64"); });
  row<cvt_sat_float<f32>>(table, "cvt.sat.f32.f32");
  row<cvt_sat_float<f64>>(table, "cvt.sat.f64.f64");
  add_rounding_rows<Rounding::nearest_even>(table, "rni");
  add_rounding_rows<Rounding::to_zero>(table, "rzi");
  add_rounding_rows<Rounding::down>(table, "rmi");
  add_rounding_rows<Rounding::up>(table, "rpi");
}

}  // namespace warpwright::isa
