// The types of the PTX manual as C++ has them, and their names, so that rows can be made for lists of types.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>

namespace warpwright::isa {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using u128 = unsigned __int128;
using s8 = std::int8_t;
using s16 = std::int16_t;
using s32 = std::int32_t;
using s64 = std::int64_t;
using f32 = float;
using f64 = double;

/// Sixteen bits of a float, which C++20 has no type for, and two of them in one register, the lower one first.
struct f16 {
  u16 bits;
};
struct bf16 {
  u16 bits;
};
struct f16x2 {
  u32 bits;
};
struct bf16x2 {
  u32 bits;
};

template <class T>
constexpr std::string_view type_name() {
  if constexpr (std::is_same_v<T, u8>)
    return "u8";
  else if constexpr (std::is_same_v<T, u16>)
    return "u16";
  else if constexpr (std::is_same_v<T, u32>)
    return "u32";
  else if constexpr (std::is_same_v<T, u64>)
    return "u64";
  else if constexpr (std::is_same_v<T, s8>)
    return "s8";
  else if constexpr (std::is_same_v<T, s16>)
    return "s16";
  else if constexpr (std::is_same_v<T, s32>)
    return "s32";
  else if constexpr (std::is_same_v<T, s64>)
    return "s64";
  else if constexpr (std::is_same_v<T, f32>)
    return "f32";
  else if constexpr (std::is_same_v<T, f64>)
    return "f64";
  else if constexpr (std::is_same_v<T, f16>)
    return "f16";
  else if constexpr (std::is_same_v<T, bf16>)
    return "bf16";
  else if constexpr (std::is_same_v<T, f16x2>)
    return "f16x2";
  else if constexpr (std::is_same_v<T, bf16x2>)
    return "bf16x2";
}

/// Name of the untyped bits of T's size: "b32".
template <class T>
constexpr std::string_view bits_name() {
  if constexpr (sizeof(T) == 2)
    return "b16";
  else if constexpr (sizeof(T) == 4)
    return "b32";
  else if constexpr (sizeof(T) == 8)
    return "b64";
  else
    return "b128";
}

/// Calls `body.operator()<T>()` for each T.
template <class... T, class Body>
constexpr void for_each_type(Body body) {
  (body.template operator()<T>(), ...);
}

/// Unsigned arithmetic on any integer type: wraps, as the hardware does, and is defined in C++.
template <class T>
using Unsigned = std::make_unsigned_t<T>;

/// PTX ISA, "Floating Point Instructions": single-precision results that are NaN are the canonical NaN.
inline f32 canonical(f32 value) { return value == value ? value : std::bit_cast<f32>(u32{0x7fffffff}); }
/// Double precision keeps the payload.
inline f64 canonical(f64 value) { return value; }

}  // namespace warpwright::isa
