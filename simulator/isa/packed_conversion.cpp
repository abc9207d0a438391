// PTX ISA, "cvt" and "cvt.pack" with two values in one register: two floats to f16x2 or bf16x2; the eight-bit formats
// e4m3 and e5m2; tf32, which is f32 with ten bits of fraction; and integers packed with saturation.
#include <algorithm>
#include <string>

#include "isa/exact.h"
#include "isa/half.h"
#include "isa/modifiers.h"
#include "isa/rows.h"

namespace warpwright::isa {
namespace {

constexpr Rounding nearest = Rounding::nearest_even;

// e4m3 has no infinity: its largest exponent holds numbers too, and one NaN. Nothing becomes infinite, because PTX
// converts to these formats with .satfinite alone.
struct e4m3 {
  u8 bits;
};
struct e5m2 {
  u8 bits;
};

template <class T>
constexpr Encoding encoding() {
  if constexpr (std::is_same_v<T, e4m3>)
    return {3, 7, 8, 0x7e, 0x7e, 0x7f};
  else if constexpr (std::is_same_v<T, e5m2>)
    return {2, 15, 8, 0x7b, 0x7b, 0x7f};
  else
    return Format<T>::layout;
}

enum Modifier : unsigned { none = 0, rectifies = 1, finite = 2 };

/// The bits of a in T: .relu makes +0 of what is negative, .satfinite the largest number of what is larger.
template <class T, Rounding rounding, unsigned modifiers>
u32 converted(Exact a) {
  Encoding format = encoding<T>();
  if constexpr ((modifiers & finite) != 0) {
    format.infinity = format.largest;
  }
  if constexpr ((modifiers & rectifies) != 0)
    if (a.kind != Exact::Kind::nan && a.negative) return 0;
  return static_cast<u32>(rounded_bits(a, rounding, format));
}

/// d[upper half] = a, d[lower half] = b.
template <class T, Rounding rounding, unsigned modifiers>
u32 cvt_two(f32 a, f32 b) {
  return converted<T, rounding, modifiers>(exact(a)) << encoding<T>().width |
         converted<T, rounding, modifiers>(exact(b));
}
template <class T, unsigned modifiers>
u16 cvt_two_bytes(f32 a, f32 b) {
  return static_cast<u16>(cvt_two<T, nearest, modifiers>(a, b));
}
template <class T, unsigned modifiers>
u16 cvt_two_halves(f16x2 a) {
  const auto half = [&](int shift) {
    return converted<T, nearest, modifiers>(exact(f16{static_cast<u16>(a.bits >> shift)}));
  };
  return static_cast<u16>(half(16) << 8 | half(0));
}

/// e5m2 is the upper byte of f16.
u16 widened(e5m2 a) { return is_nan(f16{static_cast<u16>(a.bits << 8)}) ? 0x7fff : static_cast<u16>(a.bits << 8); }
u16 widened(e4m3 a) {
  if ((a.bits & 0x7f) == 0x7f) return 0x7fff;
  Exact number;
  const int field = a.bits >> 3 & 15;
  number.negative = a.bits >> 7 != 0;
  number.significand = (a.bits & 7u) | (field != 0 ? 8u : 0u);
  number.exponent = (field != 0 ? field : 1) - 7 - 3;
  return rounded<f16, nearest>(number).bits;
}
template <class T, bool rectifies_too>
f16x2 cvt_bytes(u16 a) {
  const auto half = [&](int shift) {
    const f16 wide{widened(T{static_cast<u8>(a >> shift)})};
    return rectifies_too ? rectified(wide) : wide;
  };
  return pack_halves(half(0), half(8));
}

/// f32 with the fraction of f16.
struct tf32 {
  u32 bits;
};
template <>
constexpr Encoding encoding<tf32>() {
  return {10, 127, 19, 0x3fbff, 0x3fc00, 0x3ffff};
}
/// Of a NaN, rounding to nearest away leaves on the H200 what it leaves of other numbers too large, without rounding;
/// .satfinite makes of it the number before it, as it does of infinity.
template <Rounding rounding, unsigned modifiers>
u32 cvt_tf32_nan(f32 a) {
  if (rounding != Rounding::nearest_away) return 0x7fffe000;
  const u32 kept = std::bit_cast<u32>(a) & ~u32{0x1fff};
  return (modifiers & finite) != 0 ? kept - 0x2000 : kept;
}
template <Rounding rounding, unsigned modifiers>
u32 cvt_tf32(f32 a) {
  return a != a ? cvt_tf32_nan<rounding, modifiers>(a) : converted<tf32, rounding, modifiers>(exact(a)) << 13;
}

template <class T, unsigned bits>
u32 clamped(s32 a) {
  const s64 least = std::is_signed_v<T> ? -(s64{1} << (bits - 1)) : 0;
  const s64 most = (s64{1} << (bits - (std::is_signed_v<T> ? 1 : 0))) - 1;
  return static_cast<u32>(std::clamp<s64>(a, least, most)) & static_cast<u32>((u64{1} << bits) - 1);
}
/// a above b; c, if there is one, moves up to make room for them.
template <class T, unsigned bits>
u32 cvt_pack(s32 a, s32 b) {
  return clamped<T, bits>(a) << bits | clamped<T, bits>(b);
}
template <class T, unsigned bits>
u32 cvt_pack_onto(s32 a, s32 b, u32 c) {
  return c << (2 * bits) | cvt_pack<T, bits>(a, b);
}

/// PTX takes .relu and .satfinite in either order.
template <class T, Rounding rounding>
void add_two_rows(Table& table, const std::string& name, const std::string& types) {
  rare_row<cvt_two<T, rounding, none>>(table, name, types);
  rare_row<cvt_two<T, rounding, rectifies>>(table, name, ".relu", types);
  rare_row<cvt_two<T, rounding, finite>>(table, name, ".satfinite", types);
  for (const char* both : {".relu.satfinite", ".satfinite.relu"})
    rare_row<cvt_two<T, rounding, rectifies | finite>>(table, name, both, types);
}

template <class T>
void add_byte_rows(Table& table, const std::string& type) {
  rare_row<cvt_two_bytes<T, finite>>(table, "cvt.rn.satfinite.", type, ".f32");
  rare_row<cvt_two_halves<T, finite>>(table, "cvt.rn.satfinite.", type, ".f16x2");
  for (const char* both : {".relu.satfinite.", ".satfinite.relu."}) {
    rare_row<cvt_two_bytes<T, rectifies | finite>>(table, "cvt.rn", both, type, ".f32");
    rare_row<cvt_two_halves<T, rectifies | finite>>(table, "cvt.rn", both, type, ".f16x2");
  }
  rare_row<cvt_bytes<T, false>>(table, "cvt.rn.f16x2.", type);
  rare_row<cvt_bytes<T, true>>(table, "cvt.rn.relu.f16x2.", type);
}

template <unsigned bits>
void add_pack_rows(Table& table, const std::string& size) {
  if constexpr (bits == 16) {
    rare_row<cvt_pack<u32, bits>>(table, "cvt.pack.sat.u", size, ".s32");
    rare_row<cvt_pack<s32, bits>>(table, "cvt.pack.sat.s", size, ".s32");
  } else {
    rare_row<cvt_pack_onto<u32, bits>>(table, "cvt.pack.sat.u", size, ".s32.b32");
    rare_row<cvt_pack_onto<s32, bits>>(table, "cvt.pack.sat.s", size, ".s32.b32");
  }
}

}  // namespace

void add_packed_conversion_rows(Table& table) {
  add_two_rows<f16, nearest>(table, "cvt.rn", ".f16x2.f32");
  add_two_rows<f16, Rounding::to_zero>(table, "cvt.rz", ".f16x2.f32");
  add_two_rows<bf16, nearest>(table, "cvt.rn", ".bf16x2.f32");
  add_two_rows<bf16, Rounding::to_zero>(table, "cvt.rz", ".bf16x2.f32");
  add_byte_rows<e4m3>(table, "e4m3x2");
  add_byte_rows<e5m2>(table, "e5m2x2");
  rare_row<cvt_tf32<nearest, none>>(table, "cvt.rn.tf32.f32");
  rare_row<cvt_tf32<nearest, rectifies>>(table, "cvt.rn.relu.tf32.f32");
  rare_row<cvt_tf32<Rounding::to_zero, none>>(table, "cvt.rz.tf32.f32");
  rare_row<cvt_tf32<Rounding::to_zero, rectifies>>(table, "cvt.rz.relu.tf32.f32");
  rare_row<cvt_tf32<Rounding::nearest_away, none>>(table, "cvt.rna.tf32.f32");
  rare_row<cvt_tf32<Rounding::nearest_away, finite>>(table, "cvt.rna.satfinite.tf32.f32");
  add_pack_rows<16>(table, "16");
  add_pack_rows<8>(table, "8");
  add_pack_rows<4>(table, "4");
  add_pack_rows<2>(table, "2");
}

}  // namespace warpwright::isa
