// PTX ISA, "Logic and Shift Instructions", the bit-counting ones of "Integer Arithmetic Instructions", and the moves of
// registers.
#include <algorithm>
#include <limits>

#include "isa/rows.h"

namespace warpwright::isa {
namespace {

template <class T>
T bit_and(T a, T b) {
  return static_cast<T>(a & b);
}
template <class T>
T bit_or(T a, T b) {
  return static_cast<T>(a | b);
}
template <class T>
T bit_xor(T a, T b) {
  return static_cast<T>(a ^ b);
}
template <class T>
T bit_not(T a) {
  return static_cast<T>(~a);
}
template <class T>
T cnot(T a) {
  return a == 0;
}

bool pred_and(bool a, bool b) { return a && b; }
bool pred_or(bool a, bool b) { return a || b; }
bool pred_xor(bool a, bool b) { return a != b; }
bool pred_not(bool a) { return !a; }
bool pred_mov(bool a) { return a; }

/// Shift amounts beyond the width are clamped to it.
template <class T>
T shl(T a, u32 b) {
  return b < 8 * sizeof(T) ? static_cast<T>(a << b) : T{0};
}

template <class T>
T shr(T a, u32 b) {
  constexpr u32 width = 8 * sizeof(T);
  if constexpr (std::is_signed_v<T>)
    return static_cast<T>(a >> std::min(b, width - 1));
  else
    return b < width ? static_cast<T>(a >> b) : T{0};
}

/// The funnel shifts of 64 bits {b, a}: c taken modulo 32 (.wrap) or clamped to 32 (.clamp).
u32 shf_l_wrap(u32 a, u32 b, u32 c) { return static_cast<u32>(((u64{b} << 32 | a) << (c & 31)) >> 32); }
u32 shf_r_wrap(u32 a, u32 b, u32 c) { return static_cast<u32>((u64{b} << 32 | a) >> (c & 31)); }
u32 shf_l_clamp(u32 a, u32 b, u32 c) { return static_cast<u32>(((u64{b} << 32 | a) << std::min(c, 32u)) >> 32); }
u32 shf_r_clamp(u32 a, u32 b, u32 c) { return static_cast<u32>((u64{b} << 32 | a) >> std::min(c, 32u)); }

/// Bit i of the table is the result where the bits of (a, b, c) spell i; a is the highest.
u32 lop3(u32 a, u32 b, u32 c, u32 table) {
  u32 result = 0;
  for (u32 i = 0; i < 8; ++i) {
    const u32 matches = (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
    result |= (table >> i & 1) != 0 ? matches : 0;
  }
  return result;
}

u32 prmt(u32 a, u32 b, u32 selector) {
  const u64 bytes = u64{b} << 32 | a;
  u32 result = 0;
  for (u32 i = 0; i < 4; ++i) {
    const u32 select = selector >> (4 * i) & 15;
    u32 byte = static_cast<u32>(bytes >> (8 * (select & 7))) & 0xff;
    if (select & 8) byte = byte & 0x80 ? 0xff : 0;
    result |= byte << (8 * i);
  }
  return result;
}

u32 byte_of(u64 bytes, u32 i) { return static_cast<u32>(bytes >> (8 * (i & 7))) & 0xff; }

/// The special modes of prmt: bits 0 and 1 of the selector say which byte, or half, each byte of the result is.
template <u32 (*place)(u32 i, u32 selector)>
u32 prmt_mode(u32 a, u32 b, u32 selector) {
  const u64 bytes = u64{b} << 32 | a;
  u32 result = 0;
  for (u32 i = 0; i < 4; ++i) result |= byte_of(bytes, place(i, selector & 3)) << (8 * i);
  return result;
}
u32 f4e(u32 i, u32 selector) { return selector + i; }
u32 b4e(u32 i, u32 selector) { return selector - i; }
u32 rc8(u32, u32 selector) { return selector; }
u32 ecl(u32 i, u32 selector) { return std::max(i, selector); }
u32 ecr(u32 i, u32 selector) { return std::min(i, selector); }
u32 rc16(u32 i, u32 selector) { return 2 * (selector & 1) + (i & 1); }

/// Position of the n-th set bit from bit `base` on, upwards or downwards; all ones when there is none. Of the least n,
/// whose magnitude is no s32, the H200 says 0.
u32 fns(u32 mask, u32 base, s32 n) {
  const u32 ones = ~u32{0};
  if (base > 31) return ones;
  if (n == std::numeric_limits<s32>::min()) return 0;
  if (n == 0) return (mask >> base & 1) != 0 ? base : ones;
  s64 left = n < 0 ? -s64{n} : s64{n};
  for (s32 at = static_cast<s32>(base); at >= 0 && at < 32; at += n < 0 ? -1 : 1)
    if ((mask >> at & 1) != 0 && --left == 0) return static_cast<u32>(at);
  return ones;
}

/// Ones from bit `start` on, `length` of them; .wrap takes both modulo 32.
template <bool wraps>
u32 bmsk(u32 start, u32 length) {
  if (wraps) start &= 31, length &= 31;
  const u64 ones = length >= 32 ? 0xffffffff : (u64{1} << length) - 1;
  return start >= 32 ? 0 : static_cast<u32>(ones << start);
}

/// The low `length` bits, extended as T says; .wrap takes the length modulo 32, .clamp leaves a as it is.
template <class T, bool wraps>
T szext(T a, u32 length) {
  if (wraps) length &= 31;
  if (length == 0) return 0;
  if (length >= 32) return a;
  const u32 up = 32 - length;
  return static_cast<T>(static_cast<u32>(a) << up) >> up;
}

template <class T>
u32 popc(T a) {
  return static_cast<u32>(std::popcount(a));
}

template <class T>
u32 clz(T a) {
  return static_cast<u32>(std::countl_zero(a));
}

template <class T>
T brev(T a) {
  T result = 0;
  for (u32 i = 0; i < 8 * sizeof(T); ++i) result |= static_cast<T>((a >> i & 1) << (8 * sizeof(T) - 1 - i));
  return result;
}

/// Position of the highest bit that differs from the sign; all ones when there is none.
template <class T>
u32 bfind(T a) {
  Unsigned<T> bits = static_cast<Unsigned<T>>(a);
  if constexpr (std::is_signed_v<T>) bits = a < 0 ? static_cast<Unsigned<T>>(~bits) : bits;
  return bits == 0 ? ~u32{0} : static_cast<u32>(8 * sizeof(T) - 1 - std::countl_zero(bits));
}

/// How far to shift left to bring that bit to the top.
template <class T>
u32 bfind_shiftamt(T a) {
  const u32 position = bfind(a);
  return position == ~u32{0} ? position : static_cast<u32>(8 * sizeof(T) - 1) - position;
}

/// The manual restricts start and length of a bit field to 0..255. On the H200, fields of 32 bits take the low byte of
/// a larger number, those of 64 bits the number as it is.
template <class T>
constexpr u32 field_mask = sizeof(T) == 4 ? 0xff : ~u32{0};

template <class T>
T bfe(T a, u32 start, u32 length) {
  constexpr u32 width = 8 * sizeof(T);
  start &= field_mask<T>;
  length &= field_mask<T>;
  const u64 top = std::min<u64>(u64{start} + length - 1, width - 1);
  const bool sign = std::is_signed_v<T> && length != 0 && (static_cast<Unsigned<T>>(a) >> top & 1) != 0;
  const Unsigned<T> field = start < width ? static_cast<Unsigned<T>>(a) >> start : 0;
  const u32 kept = std::min(length, start < width ? width - start : 0);
  const Unsigned<T> mask = kept >= width ? static_cast<Unsigned<T>>(~Unsigned<T>{0})
                                         : static_cast<Unsigned<T>>((Unsigned<T>{1} << kept) - 1);
  return static_cast<T>((field & mask) | (sign ? static_cast<Unsigned<T>>(~mask) : Unsigned<T>{0}));
}

/// Inserts the low bits of a into b.
template <class T>
T bfi(T a, T b, u32 start, u32 length) {
  constexpr u32 width = 8 * sizeof(T);
  start &= field_mask<T>;
  length &= field_mask<T>;
  if (length == 0 || start >= width) return b;
  const u32 kept = std::min(length, width - start);
  const T ones = kept >= width ? static_cast<T>(~T{0}) : static_cast<T>((T{1} << kept) - 1);
  return static_cast<T>((b & ~(ones << start)) | ((a & ones) << start));
}

template <class T>
T mov(T a) {
  return a;
}
template <class T>
T selp(T a, T b, bool p) {
  return p ? a : b;
}

}  // namespace

void add_bit_rows(Table& table) {
  for_each_type<u16, u32, u64>([&]<class T>() {
    constexpr auto bits = bits_name<T>();
    integer_row<T, bit_and<T>>(table, "and.", bits);
    integer_row<T, bit_or<T>>(table, "or.", bits);
    integer_row<T, bit_xor<T>>(table, "xor.", bits);
    integer_row<T, bit_not<T>>(table, "not.", bits);
    integer_row<T, cnot<T>>(table, "cnot.", bits);
    integer_row<T, shl<T>>(table, "shl.", bits);
    integer_row<T, shr<T>>(table, "shr.", bits);
    for (const std::string_view type : {bits, type_name<T>(), type_name<std::make_signed_t<T>>()}) {
      integer_row<T, mov<T>>(table, "mov.", type);
      integer_row<T, selp<T>>(table, "selp.", type);
    }
  });
  for_each_type<u16, s16, u32, s32, u64, s64>(
      [&]<class T>() { integer_row<T, shr<T>>(table, "shr.", type_name<T>()); });
  row<mov<u32>>(table, "mov.f32");
  row<mov<u64>>(table, "mov.f64");
  row<selp<u32>>(table, "selp.f32");
  row<selp<u64>>(table, "selp.f64");
  row<pred_and>(table, "and.pred");
  row<pred_or>(table, "or.pred");
  row<pred_xor>(table, "xor.pred");
  row<pred_not>(table, "not.pred");
  row<pred_mov>(table, "mov.pred");
  row<shf_l_wrap>(table, "shf.l.wrap.b32");
  row<shf_r_wrap>(table, "shf.r.wrap.b32");
  row<shf_l_clamp>(table, "shf.l.clamp.b32");
  row<shf_r_clamp>(table, "shf.r.clamp.b32");
  row<lop3>(table, "lop3.b32");
  row<prmt>(table, "prmt.b32");
  rare_row<prmt_mode<f4e>>(table, "prmt.b32.f4e");
  rare_row<prmt_mode<b4e>>(table, "prmt.b32.b4e");
  rare_row<prmt_mode<rc8>>(table, "prmt.b32.rc8");
  rare_row<prmt_mode<ecl>>(table, "prmt.b32.ecl");
  rare_row<prmt_mode<ecr>>(table, "prmt.b32.ecr");
  rare_row<prmt_mode<rc16>>(table, "prmt.b32.rc16");
  rare_row<fns>(table, "fns.b32");
  rare_row<bmsk<false>>(table, "bmsk.clamp.b32");
  rare_row<bmsk<true>>(table, "bmsk.wrap.b32");
  for_each_type<u32, s32>([&]<class T>() {
    rare_row<szext<T, false>>(table, "szext.clamp.", type_name<T>());
    rare_row<szext<T, true>>(table, "szext.wrap.", type_name<T>());
  });
  for_each_type<u32, u64>([&]<class T>() {
    row<popc<T>>(table, "popc.", bits_name<T>());
    row<clz<T>>(table, "clz.", bits_name<T>());
    row<brev<T>>(table, "brev.", bits_name<T>());
    row<bfi<T>>(table, "bfi.", bits_name<T>());
  });
  for_each_type<u32, s32, u64, s64>([&]<class T>() {
    row<bfind<T>>(table, "bfind.", type_name<T>());
    row<bfind_shiftamt<T>>(table, "bfind.shiftamt.", type_name<T>());
    row<bfe<T>>(table, "bfe.", type_name<T>());
  });
}

}  // namespace warpwright::isa
