// PTX ISA, "Integer Arithmetic Instructions".
#include <algorithm>
#include <cstdlib>

#include "isa/rows.h"

namespace warpwright::isa {
namespace {

template <class T>
T add(T a, T b) {
  return static_cast<T>(static_cast<Unsigned<T>>(a) + static_cast<Unsigned<T>>(b));
}

template <class T>
T sub(T a, T b) {
  return static_cast<T>(static_cast<Unsigned<T>>(a) - static_cast<Unsigned<T>>(b));
}

/// The low half of the product. 16-bit operands would promote to int and could overflow there; 32 unsigned bits cannot.
template <class T>
T mul_lo(T a, T b) {
  using Wide = std::common_type_t<Unsigned<T>, u32>;
  return static_cast<T>(static_cast<Wide>(static_cast<Unsigned<T>>(a)) *
                        static_cast<Wide>(static_cast<Unsigned<T>>(b)));
}

template <class T>
struct TwiceAsWide;
template <>
struct TwiceAsWide<u16> {
  using type = u32;
};
template <>
struct TwiceAsWide<s16> {
  using type = s32;
};
template <>
struct TwiceAsWide<u32> {
  using type = u64;
};
template <>
struct TwiceAsWide<s32> {
  using type = s64;
};
template <>
struct TwiceAsWide<u64> {
  using type = unsigned __int128;
};
template <>
struct TwiceAsWide<s64> {
  using type = __int128;
};
template <class T>
using Wide = typename TwiceAsWide<T>::type;

template <class T>
Wide<T> mul_wide(T a, T b) {
  return static_cast<Wide<T>>(a) * static_cast<Wide<T>>(b);
}

template <class T>
T mul_hi(T a, T b) {
  return static_cast<T>((static_cast<Wide<T>>(a) * static_cast<Wide<T>>(b)) >> (8 * sizeof(T)));
}

template <class T>
T mad_lo(T a, T b, T c) {
  return add(mul_lo(a, b), c);
}

template <class T>
T mad_hi(T a, T b, T c) {
  return add(mul_hi(a, b), c);
}

template <class T>
Wide<T> mad_wide(T a, T b, Wide<T> c) {
  return add(mul_wide(a, b), c);
}

/// a / b, rounded towards zero, of a divisor that is neither 0 nor -1. Processors have no instruction that divides
/// integers lane by lane, but one for doubles. A quotient of 32-bit numbers that is no integer is so far from the next
/// one that a double does not round to it.
template <class T>
T quotient(T a, T b) {
  if constexpr (std::is_same_v<T, s32>) {
    return static_cast<s32>(static_cast<double>(a) / static_cast<double>(b));
  } else if constexpr (std::is_same_v<T, u32>) {
    // What converts numbers lane by lane knows signed ones only. But the low bits of the sum of `base` and n are n's.
    static constexpr double base = 0x1.8p52;
    const auto exactly = [](u32 value) { return std::bit_cast<double>(std::bit_cast<u64>(base) | value) - base; };
    // Halfway between a and a + 1, no quotient is an integer, and none is so near to one that a double rounds to it.
    const double above = (exactly(a) + 0.5) / exactly(b);
    return static_cast<u32>(std::bit_cast<u64>(above - 0.5 + base));
  } else {
    return static_cast<T>(a / b);
  }
}

/// One where `holds`, else zero: for sums in place of branches, which the compiler would not vectorise.
template <class T>
T one_if(bool holds) {
  return static_cast<T>(holds);
}

template <class T>
bool is_minus_one(T b) {
  return std::is_signed_v<T> && b == static_cast<T>(-1);
}

/// b, but 1 for 0 and -1.
template <class T>
T usual_divisor(T b) {
  return add(add(b, one_if<T>(b == 0)), mul_lo(T{2}, one_if<T>(is_minus_one(b))));
}

/// The manual leaves division by zero unspecified. The code that ptxas makes of div and rem selects all ones, and so do
/// we.
template <class T>
T div(T a, T b) {
  const T sign = sub(T{1}, mul_lo(T{2}, one_if<T>(is_minus_one(b))));
  return mul_lo(quotient(a, usual_divisor(b)), sign) | sub(T{0}, one_if<T>(b == 0));
}

template <class T>
T rem(T a, T b) {
  const T divisor = usual_divisor(b);
  return sub(a, mul_lo(quotient(a, divisor), divisor)) | sub(T{0}, one_if<T>(b == 0));
}

template <class T>
T min(T a, T b) {
  return std::min(a, b);
}

template <class T>
T max(T a, T b) {
  return std::max(a, b);
}

/// .sat: out of range clamps.
s32 saturate(s64 a) {
  return static_cast<s32>(std::clamp<s64>(a, std::numeric_limits<s32>::min(), std::numeric_limits<s32>::max()));
}
s32 add_sat(s32 a, s32 b) { return saturate(s64{a} + b); }
s32 sub_sat(s32 a, s32 b) { return saturate(s64{a} - b); }
s32 mad_hi_sat(s32 a, s32 b, s32 c) { return saturate(s64{mul_hi(a, b)} + c); }

/// The product of the low 24 bits, from the 16th bit on or from the lowest.
template <class T>
s64 product_of_24(T a, T b) {
  const auto low = [](T x) { return static_cast<s64>(static_cast<T>(static_cast<Unsigned<T>>(x) << 8) >> 8); };
  return low(a) * low(b);
}
template <class T>
T mul24_lo(T a, T b) {
  return static_cast<T>(product_of_24(a, b));
}
template <class T>
T mul24_hi(T a, T b) {
  return static_cast<T>(product_of_24(a, b) >> 16);
}
template <class T>
T mad24_lo(T a, T b, T c) {
  return add(mul24_lo(a, b), c);
}
template <class T>
T mad24_hi(T a, T b, T c) {
  return add(mul24_hi(a, b), c);
}
s32 mad24_hi_sat(s32 a, s32 b, s32 c) { return saturate(s64{mul24_hi(a, b)} + c); }

/// .relu: what is negative becomes 0.
template <s32 (*function)(s32, s32)>
s32 rectified(s32 a, s32 b) {
  return std::max(function(a, b), 0);
}

/// The function of two halves of a register each.
template <class T, T (*function)(T, T)>
u32 in_halves(u32 a, u32 b) {
  const u32 low = static_cast<u16>(function(static_cast<T>(a), static_cast<T>(b)));
  const u32 high = static_cast<u16>(function(static_cast<T>(a >> 16), static_cast<T>(b >> 16)));
  return high << 16 | low;
}
s16 min_relu(s16 a, s16 b) { return std::max<s16>(std::min(a, b), 0); }
s16 max_relu(s16 a, s16 b) { return std::max<s16>(std::max(a, b), 0); }

/// c and the distance of a and b.
template <class T>
T sad(T a, T b, T c) {
  return add(c, a < b ? sub(b, a) : sub(a, b));
}

/// Element i of a register that holds elements of type E, lowest first.
template <class E>
s32 element(u32 a, u32 i) {
  return static_cast<E>(a >> (8 * sizeof(E) * i));
}

/// c and the products of four bytes each.
template <class A, class B>
u32 dp4a(u32 a, u32 b, u32 c) {
  for (u32 i = 0; i < 4; ++i) c += static_cast<u32>(element<A>(a, i) * element<B>(b, i));
  return c;
}

/// c and the products of a's two halves with two bytes of b: its low ones or its high ones.
template <class A, class B, u32 first_byte>
u32 dp2a(u32 a, u32 b, u32 c) {
  for (u32 i = 0; i < 2; ++i) c += static_cast<u32>(element<A>(a, i) * element<B>(b, first_byte + i));
  return c;
}

/// vabsdiff2 and vabsdiff4: the distance of each element, in place; c is what elements that a mask leaves out would
/// keep. With .add, the sum of the distances and c.
template <class E, bool adds>
u32 vabsdiff(u32 a, u32 b, u32 c) {
  constexpr u32 width = 8 * sizeof(E);
  u32 result = adds ? c : 0;
  for (u32 i = 0; i < 4 / sizeof(E); ++i) {
    const auto distance = static_cast<u32>(std::abs(element<E>(a, i) - element<E>(b, i)));
    result += adds ? distance : distance << (width * i);
  }
  return result;
}

template <class T>
T neg(T a) {
  return sub(T{0}, a);
}

template <class T>
T abs(T a) {
  return a < 0 ? neg(a) : a;
}

template <class E>
void add_distances(Table& table, std::string_view types) {
  const char* mnemonic = sizeof(E) == 1 ? "vabsdiff4." : "vabsdiff2.";
  rare_row<vabsdiff<E, false>>(table, mnemonic, types);
  rare_row<vabsdiff<E, true>>(table, mnemonic, types, ".add");
}

template <class A, class B, class HalfOfA>
void add_dot_products(Table& table, std::string_view types) {
  rare_row<dp4a<A, B>>(table, "dp4a.", types);
  rare_row<dp2a<HalfOfA, B, 0>>(table, "dp2a.lo.", types);
  rare_row<dp2a<HalfOfA, B, 2>>(table, "dp2a.hi.", types);
}

/// The manual puts .relu before the type, nvcc behind it.
template <auto least, auto greatest>
void rectified_rows(Table& table, const std::string& type) {
  for (const std::string& qualifiers : {".relu." + type, "." + type + ".relu"}) {
    rare_row<least>(table, "min", qualifiers);
    rare_row<greatest>(table, "max", qualifiers);
  }
}

}  // namespace

void add_integer_rows(Table& table) {
  for_each_type<u16, s16, u32, s32, u64, s64>([&]<class T>() {
    constexpr auto type = type_name<T>();
    integer_row<T, add<T>>(table, "add.", type);
    integer_row<T, sub<T>>(table, "sub.", type);
    integer_row<T, mul_lo<T>>(table, "mul.lo.", type);
    integer_row<T, mul_hi<T>>(table, "mul.hi.", type);
    integer_row<T, mad_lo<T>>(table, "mad.lo.", type);
    integer_row<T, mad_hi<T>>(table, "mad.hi.", type);
    integer_row<T, div<T>>(table, "div.", type);
    integer_row<T, rem<T>>(table, "rem.", type);
    integer_row<T, min<T>>(table, "min.", type);
    integer_row<T, max<T>>(table, "max.", type);
    rare_row<sad<T>>(table, "sad.", type);
  });
  for_each_type<u16, s16, u32, s32>([&]<class T>() {
    integer_row<T, mul_wide<T>>(table, "mul.wide.", type_name<T>());
    integer_row<T, mad_wide<T>>(table, "mad.wide.", type_name<T>());
  });
  for_each_type<s16, s32, s64>([&]<class T>() {
    integer_row<T, neg<T>>(table, "neg.", type_name<T>());
    integer_row<T, abs<T>>(table, "abs.", type_name<T>());
  });
  for_each_type<u32, s32>([&]<class T>() {
    rare_row<mul24_lo<T>>(table, "mul24.lo.", type_name<T>());
    rare_row<mul24_hi<T>>(table, "mul24.hi.", type_name<T>());
    rare_row<mad24_lo<T>>(table, "mad24.lo.", type_name<T>());
    rare_row<mad24_hi<T>>(table, "mad24.hi.", type_name<T>());
  });
  rare_row<mad24_hi_sat>(table, "mad24.hi.sat.s32");
  rectified_rows<rectified<min<s32>>, rectified<max<s32>>>(table, "s32");
  rectified_rows<in_halves<s16, min_relu>, in_halves<s16, max_relu>>(table, "s16x2");
  for_each_type<u16, s16>([&]<class T>() {
    rare_row<in_halves<T, add<T>>>(table, "add.", type_name<T>(), "x2");
    rare_row<in_halves<T, min<T>>>(table, "min.", type_name<T>(), "x2");
    rare_row<in_halves<T, max<T>>>(table, "max.", type_name<T>(), "x2");
  });
  row<add_sat>(table, "add.sat.s32");
  row<sub_sat>(table, "sub.sat.s32");
  row<mad_hi_sat>(table, "mad.hi.sat.s32");
  add_distances<u8>(table, "u32.u32.u32");
  add_distances<u16>(table, "u32.u32.u32");
  add_distances<s8>(table, "u32.s32.s32");
  add_distances<s16>(table, "u32.s32.s32");
  add_dot_products<u8, u8, u16>(table, "u32.u32");
  add_dot_products<u8, s8, u16>(table, "u32.s32");
  add_dot_products<s8, u8, s16>(table, "s32.u32");
  add_dot_products<s8, s8, s16>(table, "s32.s32");
}

}  // namespace warpwright::isa
