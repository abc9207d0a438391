// PTX ISA, "cvt" to floats: from integers, and between the formats f16, bf16, f32 and f64.
#include <cmath>
#include <string>

#include "isa/exact.h"
#include "isa/half.h"
#include "isa/modifiers.h"
#include "isa/rows.h"

namespace warpwright::isa {
namespace {

constexpr Rounding nearest = Rounding::nearest_even;

template <class T>
constexpr bool is_half = std::is_same_v<T, f16> || std::is_same_v<T, bf16>;

/// Whether every S is a D; then PTX names no rounding for floats.
template <class D, class S>
constexpr bool holds = [] {
  if constexpr (std::is_integral_v<S>)
    return std::numeric_limits<S>::digits <= Format<D>::layout.fraction + 1;
  else
    return Format<S>::layout.fraction <= Format<D>::layout.fraction && Format<S>::layout.bias <= Format<D>::layout.bias;
}();

/// A NaN of double precision keeps its sign and the upper bits of its payload, on the H200, and is quiet afterwards.
template <class D>
D narrowed_nan(f64 nan) {
  using Bits = typename Format<D>::Bits;
  constexpr Encoding format = Format<D>::layout;
  const u64 bits = std::bit_cast<u64>(nan);
  const u64 payload = (bits & ((u64{1} << 52) - 1)) >> (52 - format.fraction) | u64{1} << (format.fraction - 1);
  return std::bit_cast<D>(static_cast<Bits>(bits >> 63 << (format.width - 1) | format.infinity | payload));
}

/// By way of double precision where that holds every S, by way of integers else.
template <Rounding rounding, class D, class S>
D cvt(S a) {
  if constexpr (std::is_integral_v<S> && (holds<D, S> || rounding == nearest) && !is_half<D>)
    return static_cast<D>(a);
  else if constexpr (std::is_same_v<D, f64>)
    return std::is_integral_v<S> ? rounded<D, rounding>(exact(a)) : static_cast<D>(to_f64(a));
  else if constexpr (!holds<f64, S>)
    return rounded<D, rounding>(exact(a));
  else if constexpr (std::is_same_v<S, f64> && is_half<D>)
    return a != a ? narrowed_nan<D>(a) : to_half<D, rounding>(a);
  else if constexpr (std::is_same_v<S, f64>)
    return a != a ? narrowed_nan<D>(a) : to_f32<rounding>(a);
  else if constexpr (is_half<D>)
    return to_half<D, rounding>(to_f64(a));
  else
    return to_f32<rounding>(to_f64(a));
}

/// See flushed_by().
template <Rounding rounding>
f32 cvt_ftz(f64 a) {
  return flushed_by(to_f32<rounding>(a * 0x1p24), cvt<rounding, f32, f64>(a));
}

template <class T>
T same(T a) {
  return a;
}

template <auto function>
struct Finite;
template <class D, class S, D (*function)(S)>
struct Finite<function> {
  /// .satfinite: what became infinite becomes the largest finite number.
  static D call(S a) {
    const D result = function(a);
    const bool is_infinite = (result.bits & 0x7fff) == Format<D>::layout.infinity;
    return is_infinite ? D{static_cast<u16>(result.bits - 1)} : result;
  }
};

template <auto function>
inline constexpr auto satfinite = &Finite<function>::call;

/// The forms of one conversion: `modifiers` are the rounding's name, if PTX wants one.
template <auto function>
struct Rows;
template <class D, class S, D (*function)(S)>
struct Rows<function> {
  template <auto modified = function>
  static void enter(Table& table, const std::string& modifiers) {
    rare_row<modified>(table, "cvt", modifiers, ".", type_name<D>(), ".", type_name<S>());
  }
  static void saturating(Table& table, const std::string& modifiers) {
    enter(table, modifiers);
    enter<sat<function>>(table, modifiers + ".sat");
  }
  /// .ftz speaks of single precision alone.
  static void flushable(Table& table, const std::string& modifiers) {
    enter(table, modifiers);
    enter<ftz<function>>(table, modifiers + ".ftz");
  }
  template <auto flushing = ftz<function>>
  static void both(Table& table, const std::string& modifiers) {
    saturating(table, modifiers);
    enter<flushing>(table, modifiers + ".ftz");
    enter<sat<flushing>>(table, modifiers + ".ftz.sat");
  }
  static void rectifying(Table& table, const std::string& modifiers) {
    enter<relu<function>>(table, modifiers + ".relu");
    enter<satfinite<function>>(table, modifiers + ".satfinite");
    enter<relu<satfinite<function>>>(table, modifiers + ".relu.satfinite");
  }
};

/// From S, an integer or f64, to what holds less.
template <Rounding rounding, class S>
void add_rows_from(Table& table, const std::string& name) {
  Rows<&cvt<rounding, f16, S>>::saturating(table, name);
  Rows<&cvt<rounding, bf16, S>>::enter(table, name);
  if constexpr (std::is_same_v<S, f64>)
    Rows<&cvt<rounding, f32, S>>::template both<&cvt_ftz<rounding>>(table, name);
  else
    Rows<&cvt<rounding, f32, S>>::both(table, name);
  if constexpr (std::is_integral_v<S>) Rows<&cvt<rounding, f64, S>>::saturating(table, name);
}

template <Rounding rounding>
void add_rounded_rows(Table& table, const std::string& name) {
  for_each_type<u8, s8, u16, s16, u32, s32, u64, s64, f64>([&]<class S>() { add_rows_from<rounding, S>(table, name); });
  // The H200 flushes nothing on the way to f16: it shows only where the least number is rounded away from zero.
  Rows<&cvt<rounding, f16, f32>>::template both<&cvt<rounding, f16, f32>>(table, name);
  Rows<&cvt<rounding, bf16, f32>>::flushable(table, name);
  if constexpr (rounding == nearest || rounding == Rounding::to_zero) {
    Rows<&cvt<rounding, f16, f32>>::rectifying(table, name);
    Rows<&cvt<rounding, bf16, f32>>::rectifying(table, name);
  }
  Rows<&cvt<rounding, f16, bf16>>::enter(table, name);
  Rows<&cvt<rounding, bf16, f16>>::enter(table, name);
  // Exact, whatever the rounding.
  Rows<&cvt<nearest, f32, bf16>>::flushable(table, name);
  Rows<&cvt<nearest, f64, bf16>>::enter(table, name);
}

void add_exact_rows_of_cvt(Table& table) {
  Rows<&same<f16>>::saturating(table, "");
  Rows<&same<bf16>>::enter(table, "");
  Rows<&same<f32>>::both(table, "");
  Rows<&same<f64>>::saturating(table, "");
  Rows<&cvt<nearest, f32, f16>>::both(table, "");
  Rows<&cvt<nearest, f32, bf16>>::flushable(table, "");
  Rows<&cvt<nearest, f64, f16>>::saturating(table, "");
  Rows<&cvt<nearest, f64, bf16>>::enter(table, "");
  Rows<&cvt<nearest, f64, f32>>::both(table, "");
}

/// What programs do most gets a loop of its own.
template <class D, class S>
void make_fast(Table& table, const char* rounding) {
  table.at(std::string("cvt").append(rounding).append(".").append(type_name<D>()).append(".").append(type_name<S>()))
      .execute = &Lanewise<&cvt<nearest, D, S>>::execute;
}

}  // namespace

void add_float_conversion_rows(Table& table) {
  add_rounded_rows<nearest>(table, ".rn");
  add_rounded_rows<Rounding::to_zero>(table, ".rz");
  add_rounded_rows<Rounding::down>(table, ".rm");
  add_rounded_rows<Rounding::up>(table, ".rp");
  add_exact_rows_of_cvt(table);
  for_each_type<u16, s16, u32, s32, u64, s64>([&]<class S>() {
    make_fast<f32, S>(table, ".rn");
    make_fast<f64, S>(table, ".rn");
  });
  make_fast<f32, f64>(table, ".rn");
  make_fast<f64, f32>(table, "");
  make_fast<f32, f16>(table, "");
  make_fast<f32, bf16>(table, "");
  make_fast<f16, f32>(table, ".rn");
  make_fast<bf16, f32>(table, ".rn");
}

}  // namespace warpwright::isa
