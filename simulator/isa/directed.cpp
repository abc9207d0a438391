// PTX ISA, "Floating Point Instructions" with the rounding modifiers .rz, .rm and .rp, in single precision: double
// precision holds a product exactly, and of everything else the nearest value and the side on which the rest lies.
#include <cmath>

#include "isa/modifiers.h"
#include "isa/rounding.h"
#include "isa/rows.h"

namespace warpwright::isa {
namespace {

/// IEEE 754: where two numbers of unlike sign cancel exactly, the sum is +0, and -0 when rounding down.
template <Rounding rounding>
f32 sum(f64 a, f64 b) {
  const f64 total = a + b;
  if (total == 0 && std::signbit(a) != std::signbit(b)) return rounding == Rounding::down ? -0.0f : 0.0f;
  return to_f32<rounding>(total, std::isfinite(total) ? error_of_sum(a, b, total) : 0);
}

template <Rounding rounding>
f32 add(f32 a, f32 b) {
  return sum<rounding>(a, b);
}

template <Rounding rounding>
f32 sub(f32 a, f32 b) {
  return sum<rounding>(a, -f64{b});
}

template <Rounding rounding>
f32 mul(f32 a, f32 b) {
  return to_f32<rounding>(f64{a} * b);
}

template <Rounding rounding>
f32 fma(f32 a, f32 b, f32 c) {
  return sum<rounding>(f64{a} * b, c);
}

template <Rounding rounding>
f32 div(f32 a, f32 b) {
  const f64 quotient = f64{a} / b;
  if (!std::isfinite(quotient) || std::isinf(b)) return to_f32<rounding>(quotient);
  const f64 rest = std::fma(-quotient, f64{b}, f64{a});
  return to_f32<rounding>(quotient, b < 0 ? -rest : rest);
}

template <Rounding rounding>
f32 rcp(f32 a) {
  return div<rounding>(1.0f, a);
}

template <Rounding rounding>
f32 sqrt(f32 a) {
  const f64 root = std::sqrt(f64{a});
  return to_f32<rounding>(root, std::isfinite(root) ? std::fma(-root, root, f64{a}) : 0);
}

/// Without a modifier, flushed, saturated, and both.
template <auto function, auto flushing = ftz<function>>
void modified_rows(Table& table, std::string_view mnemonic, std::string_view rounding) {
  row<function>(table, mnemonic, rounding, ".f32");
  rare_row<flushing>(table, mnemonic, rounding, ".ftz.f32");
  rare_row<sat<function>>(table, mnemonic, rounding, ".sat.f32");
  rare_row<sat<flushing>>(table, mnemonic, rounding, ".ftz.sat.f32");
}

template <auto function, auto flushing = ftz<function>>
void flushable_rows(Table& table, std::string_view mnemonic, std::string_view rounding) {
  row<function>(table, mnemonic, rounding, ".f32");
  rare_row<flushing>(table, mnemonic, rounding, ".ftz.f32");
}

}  // namespace

void add_directed_rows(Table& table) {
  for_each_directed([&]<Rounding rounding>(std::string_view name) {
    modified_rows<add<rounding>>(table, "add.", name);
    modified_rows<sub<rounding>>(table, "sub.", name);
    modified_rows<mul<rounding>, &ftz_mul<mul<rounding>>>(table, "mul.", name);
    modified_rows<fma<rounding>, &ftz_fma<fma<rounding>>>(table, "fma.", name);
    modified_rows<fma<rounding>, &ftz_fma<fma<rounding>>>(table, "mad.", name);
    flushable_rows<div<rounding>, &ftz_div<div<rounding>>>(table, "div.", name);
    flushable_rows<rcp<rounding>, &ftz_rcp<div<rounding>>>(table, "rcp.", name);
    flushable_rows<sqrt<rounding>>(table, "sqrt.", name);
  });
}

}  // namespace warpwright::isa
