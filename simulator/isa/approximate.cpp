// Problem: PTX's .approx results are the hardware's own, within an error that the manual documents.
// Idea: compute in double precision and round once, which is within every documented error and the best guess of what a
// GPU of any generation gives. Where the manual says what happens at the edges of the range, that is done.
// Left out: the bits of one GPU's tables.
#include <cmath>

#include "isa/modifiers.h"
#include "isa/rows.h"

namespace warpwright::isa {
namespace {

f32 nearest(f64 value) { return canonical(static_cast<f32>(value)); }

f32 rcp(f32 a) { return nearest(1 / f64{a}); }
f32 sqrt(f32 a) { return nearest(std::sqrt(f64{a})); }
f32 rsqrt(f32 a) { return nearest(1 / std::sqrt(f64{a})); }
f32 sin(f32 a) { return nearest(std::sin(f64{a})); }
f32 cos(f32 a) { return nearest(std::cos(f64{a})); }
f32 lg2(f32 a) { return nearest(std::log2(f64{a})); }
f32 ex2(f32 a) { return nearest(std::exp2(f64{a})); }
f32 tanh(f32 a) { return nearest(std::tanh(f64{a})); }
f32 div_full(f32 a, f32 b) { return nearest(f64{a} / b); }

/// a * (1/b), whose second factor is lost where b is very large.
f32 div(f32 a, f32 b) {
  const bool loses = std::fabs(b) > 0x1p126f && std::isfinite(b);
  return loses ? nearest(f64{a} * std::copysign(0.0, b)) : div_full(a, b);
}

/// Gross approximations in double precision: of the upper word of a, into the upper word of the result.
u64 upper_word(f64 value) {
  if (value != value) return u64{0x7fffffff00000000};
  const u64 bits = std::bit_cast<u64>(value);
  const bool is_subnormal = (bits >> 52 & 0x7ff) == 0;
  return is_subnormal ? bits & u64{1} << 63 : bits & ~u64{0xffffffff};
}
f64 of_upper_word(u64 bits) { return std::bit_cast<f64>(upper_word(std::bit_cast<f64>(bits))); }
u64 rcp_f64(u64 a) { return upper_word(1 / of_upper_word(a)); }
u64 rsqrt_f64(u64 a) { return upper_word(1 / std::sqrt(of_upper_word(a))); }

f64 rsqrt_full(f64 a) { return 1 / std::sqrt(a); }

template <auto function>
void flushable_rows(Table& table, std::string_view mnemonic) {
  rare_row<function>(table, mnemonic, ".f32");
  rare_row<ftz<function>>(table, mnemonic, ".ftz.f32");
}

}  // namespace

void add_approximate_rows(Table& table) {
  flushable_rows<rcp>(table, "rcp.approx");
  flushable_rows<sqrt>(table, "sqrt.approx");
  flushable_rows<rsqrt>(table, "rsqrt.approx");
  flushable_rows<sin>(table, "sin.approx");
  flushable_rows<cos>(table, "cos.approx");
  flushable_rows<lg2>(table, "lg2.approx");
  flushable_rows<ex2>(table, "ex2.approx");
  flushable_rows<div>(table, "div.approx");
  flushable_rows<div_full>(table, "div.full");
  rare_row<tanh>(table, "tanh.approx.f32");
  rare_row<rcp_f64>(table, "rcp.approx.ftz.f64");
  rare_row<rsqrt_f64>(table, "rsqrt.approx.ftz.f64");
  rare_row<rsqrt_full>(table, "rsqrt.approx.f64");
}

}  // namespace warpwright::isa
