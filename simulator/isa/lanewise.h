// Problem: most instructions do the same scalar thing in 32 lanes; each should read like the manual and run as vector
// code.
// Idea: an instruction is a scalar function; `lanewise<f>` makes the loop over the warp around it. The function's own
// types say how wide its registers are, and the compiler vectorises the loop.
// Invariant: the function is total: it is also computed in lanes that are not active, on whatever lies there.
// Left out: memory and collectives (memory.cpp, collective.cpp).
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "machine/warp.h"
#include "machine/wide.h"

namespace warpwright::isa {

using machine::Instruction;
using machine::Lanes;
using machine::Warp;
using machine::warp_size;

/// How a value lies in its register's lane: types of 128 and 64 bits in as many, all smaller ones in 32.
template <class T>
using Lane = std::conditional_t<(sizeof(T) > 8), unsigned __int128,
                                std::conditional_t<(sizeof(T) > 4), std::uint64_t, std::uint32_t>>;

template <class T>
struct LaneOf {
  using type = Lane<T>;
};

template <class T>
T from_lane(Lane<T> lane) {
  if constexpr (sizeof(T) == sizeof(Lane<T>))
    return std::bit_cast<T>(lane);
  else if constexpr (std::is_integral_v<T>)
    return static_cast<T>(lane);
  else
    return std::bit_cast<T>(static_cast<std::uint16_t>(lane));
}

template <class T>
Lane<T> to_lane(T value) {
  if constexpr (sizeof(T) == sizeof(Lane<T>))
    return std::bit_cast<Lane<T>>(value);
  else if constexpr (std::is_integral_v<T>)
    return static_cast<Lane<T>>(value);  // sign-extends signed types: a narrow result may live in a wider register
  else
    return std::bit_cast<std::uint16_t>(value);
}

/// A source register: lanes of T, or a predicate, whose 32 lanes are one mask.
template <class T>
struct Source {
  const Lane<T>* lanes;
  Source(Warp& warp, std::uint32_t reg) : lanes(warp.reg<Lane<T>>(reg)) {}
  T operator[](int lane) const { return from_lane<T>(lanes[lane]); }
};

template <>
struct Source<bool> {
  Lanes mask;
  Source(Warp& warp, std::uint32_t reg) : mask(*warp.reg<Lanes>(reg)) {}
  bool operator[](int lane) const { return (mask & machine::lane_bits.of[lane]) != 0; }
};

template <auto function, class D, class... S>
[[gnu::always_inline]] inline void compute_lanes(Warp& warp, const Instruction& instruction, Source<S>... source) {
  const Lanes active = warp.active;
  if constexpr (std::is_same_v<D, bool>) {
    Lanes result = 0;
#pragma GCC ivdep
    for (int lane = 0; lane < warp_size; ++lane) result |= function(source[lane]...) ? machine::lane_bits.of[lane] : 0;
    Lanes& mask = *warp.reg<Lanes>(instruction.destination);
    mask = (mask & ~active) | (result & active);
  } else {
    auto* destination = warp.reg<Lane<D>>(instruction.destination);
    if (active == machine::all_lanes) {
#pragma GCC ivdep
      for (int lane = 0; lane < warp_size; ++lane) destination[lane] = to_lane<D>(function(source[lane]...));
    } else {
#pragma GCC ivdep
      for (int lane = 0; lane < warp_size; ++lane) {
        const Lane<D> value = to_lane<D>(function(source[lane]...));
        destination[lane] = (active & machine::lane_bits.of[lane]) != 0 ? value : destination[lane];
      }
    }
  }
}

template <auto function>
struct Lanewise;

template <class D, class... S, D (*function)(S...)>
struct Lanewise<function> {
  WARPWRIGHT_WIDE static void execute(Warp& warp, const Instruction& instruction) {
    apply(warp, instruction, std::index_sequence_for<S...>());
  }

 private:
  template <std::size_t... I>
  [[gnu::always_inline]] static void apply(Warp& warp, const Instruction& instruction, std::index_sequence<I...>) {
    compute_lanes<function, D, S...>(warp, instruction, Source<S>(warp, instruction.source[I])...);
  }
};

/// A predicate's lane is a bool, when it stands alone.
template <class T>
using Alone = typename std::conditional_t<std::is_same_v<T, bool>, std::type_identity<bool>, LaneOf<T>>::type;

/// The loop that all rare instructions with operands of the same widths share.
template <class D, class... S>
void call_on(Warp& warp, const Instruction& instruction, D (*function)(S...), Source<S>... source) {
  if constexpr (std::is_same_v<D, bool>) {
    Lanes result = 0;
    for (const int lane : machine::each_lane(warp.active))
      result |= function(source[lane]...) ? machine::lane_bit(lane) : 0;
    Lanes& mask = *warp.reg<Lanes>(instruction.destination);
    mask = (mask & ~warp.active) | result;
  } else {
    auto* destination = warp.reg<D>(instruction.destination);
    for (const int lane : machine::each_lane(warp.active)) destination[lane] = function(source[lane]...);
  }
}

template <class D, class... S, std::size_t... I>
[[gnu::noinline, gnu::noclone]] void call_in_lanes(Warp& warp, const Instruction& instruction, D (*function)(S...),
                                                   std::index_sequence<I...>) {
  call_on<D, S...>(warp, instruction, function, Source<S>(warp, instruction.source[I])...);
}

/// The rare instruction: called for one lane after the other.
template <auto function>
struct LaneByLane;

template <class D, class... S, D (*function)(S...)>
struct LaneByLane<function> {
  static void execute(Warp& warp, const Instruction& instruction) {
    call_in_lanes(warp, instruction, &in_lane, std::index_sequence_for<S...>());
  }

 private:
  template <class T>
  static auto out_of(Alone<T> lane) {
    if constexpr (std::is_same_v<T, bool>)
      return lane;
    else
      return from_lane<T>(lane);
  }
  static Alone<D> in_lane(Alone<S>... lanes) {
    if constexpr (std::is_same_v<D, bool>)
      return function(out_of<S>(lanes)...);
    else
      return to_lane<D>(function(out_of<S>(lanes)...));
  }
};

}  // namespace warpwright::isa
