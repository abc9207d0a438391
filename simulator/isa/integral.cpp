// PTX ISA, "cvt" with the integer roundings .rni, .rzi, .rmi and .rpi: floats to integers, and to whole floats.
#include <cmath>

#include "isa/modifiers.h"
#include "isa/rounding.h"
#include "isa/rows.h"

namespace warpwright::isa {
namespace {

template <Rounding rounding, class T>
T round(T a) {
  if constexpr (rounding == Rounding::nearest_even) return std::nearbyint(a);
  if constexpr (rounding == Rounding::to_zero) return std::trunc(a);
  if constexpr (rounding == Rounding::down) return std::floor(a);
  if constexpr (rounding == Rounding::up) return std::ceil(a);
}

/// A whole number between two halves is a half.
template <Rounding rounding, class T>
T round_half(T a) {
  return to_half<T, Rounding::nearest_even>(round<rounding>(to_f64(a)));
}

/// Out of range clamps. Of NaN the hardware makes 0 where neither type is a wide one, else the integer's highest bit.
template <Rounding rounding, class D, class S>
D cvt_to_integer(S a) {
  if constexpr (std::is_same_v<S, f16> || std::is_same_v<S, bf16>) {
    return cvt_to_integer<rounding, D>(to_f32(a));
  } else {
    const S whole = round<rounding>(a);
    // 2^(bits) of D's maximum, exactly representable in S, where the maximum itself may not be.
    constexpr S above = static_cast<S>(std::numeric_limits<D>::max() / 2 + 1) * 2;
    constexpr bool is_wide = sizeof(S) == 8 || sizeof(D) == 8;
    if (whole != whole) return is_wide ? static_cast<D>(Unsigned<D>{1} << (8 * sizeof(D) - 1)) : D{0};
    if (whole >= above) return std::numeric_limits<D>::max();
    if (whole < static_cast<S>(std::numeric_limits<D>::min())) return std::numeric_limits<D>::min();
    return static_cast<D>(whole);
  }
}

/// The conversions that programs do often are worth a loop of their own.
template <Rounding rounding, class D, class S>
constexpr bool is_common = rounding == Rounding::to_zero && sizeof(D) >= 4 && sizeof(S) >= 4;

/// Saturates in any case: .sat, which bf16 cannot have, says nothing more.
template <Rounding rounding, class D, class S>
void add_integer_rows(Table& table, std::string_view name) {
  constexpr auto function = &cvt_to_integer<rounding, D, S>;
  constexpr auto execute = is_common<rounding, D, S> ? &Lanewise<function>::execute : &LaneByLane<function>::execute;
  for (const char* modifier : {".", ".sat."})
    if (!std::is_same_v<S, bf16> || modifier[1] == 0)
      enter(table, row_of(execute, function), "cvt.", name, modifier, type_name<D>(), ".", type_name<S>());
  if constexpr (std::is_same_v<S, f32>)
    for (const char* modifier : {".ftz.", ".ftz.sat."})
      rare_row<ftz<function>>(table, "cvt.", name, modifier, type_name<D>(), ".f32");
}

template <auto function, class T>
void add_whole_rows(Table& table, std::string_view name) {
  constexpr auto type = type_name<T>();
  if constexpr (sizeof(T) >= 4)
    row<function>(table, "cvt.", name, ".", type, ".", type);
  else
    row<function>(table, "cvt.", name, ".", type, ".", type);
  if constexpr (!std::is_same_v<T, bf16>) rare_row<sat<function>>(table, "cvt.", name, ".sat.", type, ".", type);
}

template <Rounding rounding>
void add_rounding_rows(Table& table, std::string_view name) {
  add_whole_rows<round<rounding, f32>, f32>(table, name);
  add_whole_rows<round<rounding, f64>, f64>(table, name);
  add_whole_rows<round_half<rounding, f16>, f16>(table, name);
  add_whole_rows<round_half<rounding, bf16>, bf16>(table, name);
  rare_row<ftz<round<rounding, f32>>>(table, "cvt.", name, ".ftz.f32.f32");
  rare_row<ftz<sat<round<rounding, f32>>>>(table, "cvt.", name, ".ftz.sat.f32.f32");
  for_each_type<u8, s8, u16, s16, u32, s32, u64, s64>([&]<class D>() {
    add_integer_rows<rounding, D, f32>(table, name);
    add_integer_rows<rounding, D, f64>(table, name);
    add_integer_rows<rounding, D, f16>(table, name);
    add_integer_rows<rounding, D, bf16>(table, name);
  });
}

}  // namespace

void add_integral_rows(Table& table) {
  add_rounding_rows<Rounding::nearest_even>(table, "rni");
  add_rounding_rows<Rounding::to_zero>(table, "rzi");
  add_rounding_rows<Rounding::down>(table, "rmi");
  add_rounding_rows<Rounding::up>(table, "rpi");
}

}  // namespace warpwright::isa
