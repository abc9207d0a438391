// PTX ISA, "Half Precision Floating Point Instructions": f16 and bf16, one at a time and two in a register. A sum or
// product of two of them is exact in double precision, or so nearly that rounding it to 16 bits rounds it once; the sum
// of a product and a third is rounded to odd in between.
#include "isa/half.h"

#include <cmath>

#include "isa/modifiers.h"
#include "isa/rounding.h"
#include "isa/rows.h"

namespace warpwright::isa {
namespace {

constexpr Rounding nearest = Rounding::nearest_even;

template <class T>
T add(T a, T b) {
  return to_half<T, nearest>(to_f64(a) + to_f64(b));
}
template <class T>
T sub(T a, T b) {
  return to_half<T, nearest>(to_f64(a) - to_f64(b));
}
template <class T>
T mul(T a, T b) {
  return to_half<T, nearest>(to_f64(a) * to_f64(b));
}

template <class T>
T fma(T a, T b, T c) {
  const f64 product = to_f64(a) * to_f64(b);
  const f64 addend = to_f64(c);
  const f64 total = product + addend;
  return to_half<T, nearest>(total, error_of_sum(product, addend, total));
}

/// .ftz of a result that is exact as far as it is small. On the H200, it is subnormal if, rounded with exponents
/// without end, it were less than the smallest normal number: below the middle between that and the number before it.
f16 flushed_half(f64 exact) {
  return std::fabs(exact) < 0x1.ffep-15 ? f16{static_cast<u16>(std::signbit(exact) ? 0x8000 : 0)}
                                        : to_half<f16, nearest>(exact);
}
f16 mul_ftz(f16 a, f16 b) { return flushed_half(to_f64(isa::flushed_half(a)) * to_f64(isa::flushed_half(b))); }
f16 fma_ftz(f16 a, f16 b, f16 c) {
  a = isa::flushed_half(a), b = isa::flushed_half(b), c = isa::flushed_half(c);
  const f16 result = fma(a, b, c);
  return magnitude(result) > 0x400 ? result : flushed_half(to_f64(a) * to_f64(b) + to_f64(c));
}

template <class T, bool nan_wins>
T min(T a, T b) {
  return lesser(a, b, nan_wins);
}
template <class T, bool nan_wins>
T max(T a, T b) {
  return greater(a, b, nan_wins);
}

/// .xorsign.abs: of magnitudes, with the sign that the operands' product would have.
template <class T, T (*choose)(T, T)>
T xorsign_abs(T a, T b) {
  const T chosen = choose({magnitude(a)}, {magnitude(b)});
  return is_nan(chosen) ? chosen : T{static_cast<u16>(chosen.bits | ((a.bits ^ b.bits) & 0x8000))};
}

template <class T>
T neg(T a) {
  return {static_cast<u16>(a.bits ^ 0x8000)};
}
template <class T>
T abs(T a) {
  return {magnitude(a)};
}
template <class T>
T ex2(T a) {
  return to_half<T, nearest>(std::exp2(to_f64(a)));
}
template <class T>
T tanh(T a) {
  return to_half<T, nearest>(std::tanh(to_f64(a)));
}

/// bf16 has the exponents of f32, and so are its subnormal numbers flushed.
bf16 ex2_ftz(bf16 a) {
  const auto flush = [](bf16 x) { return (x.bits & 0x7f80) == 0 ? bf16{static_cast<u16>(x.bits & 0x8000)} : x; };
  return flush(ex2(flush(a)));
}

/// A row for single numbers and one for pairs.
template <auto function, class T>
void both_rows(Table& table, const std::string& mnemonic) {
  rare_row<function>(table, mnemonic, ".", type_name<T>());
  rare_row<x2<function>>(table, mnemonic, ".", type_name<T>(), "x2");
}

/// f16 can be flushed, bf16 cannot.
template <auto function, class T, auto flushing = ftz_half<function>>
void flushable_rows(Table& table, const std::string& mnemonic, const std::string& after = "") {
  both_rows<function, T>(table, mnemonic + after);
  if constexpr (std::is_same_v<T, f16>) both_rows<flushing, T>(table, mnemonic + ".ftz" + after);
}

/// add, sub and mul: f16 can be saturated too.
template <auto function, class T, auto flushing = ftz_half<function>>
void arithmetic_rows(Table& table, const std::string& mnemonic) {
  for (const char* rounding : {"", ".rn"}) {
    flushable_rows<function, T, flushing>(table, mnemonic + rounding);
    if constexpr (std::is_same_v<T, f16>)
      flushable_rows<sat<function>, T, sat<flushing>>(table, mnemonic + rounding, ".sat");
  }
}

template <class T, template <class, bool> class Choice>
void choice_rows(Table& table, const std::string& mnemonic) {
  flushable_rows<&Choice<T, false>::call, T>(table, mnemonic);
  flushable_rows<&Choice<T, true>::call, T>(table, mnemonic, ".NaN");
  flushable_rows<&xorsign_abs<T, &Choice<T, false>::call>, T>(table, mnemonic, ".xorsign.abs");
  flushable_rows<&xorsign_abs<T, &Choice<T, true>::call>, T>(table, mnemonic, ".NaN.xorsign.abs");
}

template <class T, bool nan_wins>
struct Least {
  static T call(T a, T b) { return min<T, nan_wins>(a, b); }
};
template <class T, bool nan_wins>
struct Greatest {
  static T call(T a, T b) { return max<T, nan_wins>(a, b); }
};

}  // namespace

void add_half_rows(Table& table) {
  for_each_type<f16, bf16>([&]<class T>() {
    arithmetic_rows<add<T>, T>(table, "add");
    arithmetic_rows<sub<T>, T>(table, "sub");
    choice_rows<T, Least>(table, "min");
    choice_rows<T, Greatest>(table, "max");
    flushable_rows<neg<T>, T>(table, "neg");
    flushable_rows<abs<T>, T>(table, "abs");
    both_rows<tanh<T>, T>(table, "tanh.approx");
  });
  arithmetic_rows<mul<bf16>, bf16>(table, "mul");
  both_rows<fma<bf16>, bf16>(table, "fma.rn");
  both_rows<relu<fma<bf16>>, bf16>(table, "fma.rn.relu");
  arithmetic_rows<mul<f16>, f16, &mul_ftz>(table, "mul");
  flushable_rows<fma<f16>, f16, &fma_ftz>(table, "fma.rn");
  flushable_rows<relu<fma<f16>>, f16, relu<&fma_ftz>>(table, "fma.rn", ".relu");
  flushable_rows<sat<fma<f16>>, f16, sat<&fma_ftz>>(table, "fma.rn", ".sat");
  both_rows<ex2<f16>, f16>(table, "ex2.approx");
  both_rows<ex2_ftz, bf16>(table, "ex2.approx.ftz");
}

}  // namespace warpwright::isa
