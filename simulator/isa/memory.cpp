#include "isa/memory.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "isa/half.h"
#include "isa/lanewise.h"
#include "isa/modifiers.h"
#include "isa/types.h"
#include "machine/access.h"
#include "machine/block.h"

namespace warpwright::isa {
namespace {

using machine::Addresses;
using machine::half_warp;

/// Whether in each half of the warp lane n's element lies n elements behind the first one's, as in its register: such a
/// half is one piece.
template <class Register, class Element>
bool in_pieces(const Instruction& instruction, const machine::Target& target, const machine::Stride& stride) {
  return sizeof(Register) == sizeof(Element) && stride.stride == sizeof(Element) && instruction.elements == 1 &&
         target.lanes == machine::all_lanes;
}

/// Sixteen elements, in pieces as wide as those in which instructions read registers: a processor waits before it reads
/// what was written in smaller ones.
template <class Element>
[[gnu::always_inline]] inline void copy_half(void* to, const void* from) {
  using Piece [[gnu::vector_size(32), gnu::aligned(1), gnu::may_alias]] = unsigned char;
  constexpr std::size_t pieces = half_warp * sizeof(Element) / sizeof(Piece);
  for (std::size_t i = 0; i < pieces; ++i) static_cast<Piece*>(to)[i] = static_cast<const Piece*>(from)[i];
}

/// Sixteen equal elements, which the compiler makes a vector of if it may not unroll them first.
template <class Register>
[[gnu::always_inline]] inline void fill_half(Register* to, Register value) {
#pragma GCC unroll 1
  for (int lane = 0; lane < half_warp; ++lane) to[lane] = value;
}

template <class Register, class Element>
Register widen(Element element) {
  return static_cast<Register>(element);  // sign-extends signed elements
}

/// Calls `take` with each of the target's lanes and where its datum lies.
template <class AddressOf, class Take>
[[gnu::always_inline]] inline void for_each_place(const machine::Target& target, AddressOf address_of, Take take) {
  const Lanes lanes = target.lanes;
  std::byte* const start = target.place(0);
  if (lanes == machine::all_lanes)
    for (int lane = 0; lane < warp_size; ++lane) take(lane, start + address_of(lane));
  else
    for (const int lane : machine::each_lane(lanes)) take(lane, start + address_of(lane));
}

template <class Take>
[[gnu::always_inline]] inline void for_each_place(const machine::Target& target, const Addresses& addresses,
                                                  Take take) {
  if (const machine::Stride stride = addresses.stride(); stride.regular)
    for_each_place(
        target, [&](int lane) { return stride.of_whole_warp(lane); }, take);
  else
    for_each_place(
        target, [of = addresses.list()](int lane) { return of[lane]; }, take);
}

template <class Register, class Element>
Register element_at(const std::byte* place) {
  Element element;
  std::memcpy(&element, place, sizeof element);
  return widen<Register>(element);
}

template <class Register, class Element>
[[gnu::always_inline]] inline void load_from(Warp& warp, const Instruction& instruction, const machine::Target& target,
                                             const Addresses& addresses) {
  const std::uint32_t* registers = warp.vector(instruction);
  for (unsigned element = 0; element < instruction.elements; ++element)
    for_each_place(
        target, addresses,
        [offset = element * sizeof(Element), destination = warp.reg<Register>(registers[element])](
            int lane, const std::byte* place) { destination[lane] = element_at<Register, Element>(place + offset); });
}

template <class Register, class Element>
WARPWRIGHT_WIDE void load(Warp& warp, const Instruction& instruction) {
  Addresses addresses = machine::addresses_of(warp, instruction);
  if (instruction.ordered) warp.note_polling();
  const machine::Target target = machine::resolve_at_once(warp, instruction, addresses);
  if (target.lanes == 0) {
    const machine::Targets targets = machine::resolve(warp, instruction, addresses);
    for (int t = 0; t < targets.count; ++t) load_from<Register, Element>(warp, instruction, targets.of[t], addresses);
    return;
  }
  const machine::Stride& stride = addresses.stride();
  const std::uint32_t* registers = warp.vector(instruction);
  if (in_pieces<Register, Element>(instruction, target, stride)) {
    auto* destination = warp.reg<Element>(*registers);
    copy_half<Element>(destination, target.place(stride.at(0)));
    copy_half<Element>(destination + half_warp, target.place(stride.at(half_warp)));
  } else if (stride.stride == 0 && target.lanes == machine::all_lanes) {
    for (unsigned element = 0; element < instruction.elements; ++element) {
      auto* destination = warp.reg<Register>(registers[element]);
      for (const int half : {0, half_warp}) {
        const std::byte* place = target.place(stride.at(half)) + element * sizeof(Element);
        fill_half(destination + half, element_at<Register, Element>(place));
      }
    }
  } else {
    load_from<Register, Element>(warp, instruction, target, addresses);
  }
}

template <class Register, class Element>
WARPWRIGHT_WIDE void load_parameter(Warp& warp, const Instruction& instruction) {
  const std::vector<std::byte>& parameters = warp.block.launch().parameters;
  for (unsigned element = 0; element < instruction.elements; ++element) {
    Element value;
    std::memcpy(&value, parameters.data() + instruction.offset + element * sizeof(Element), sizeof value);
    auto* destination = warp.reg<Register>(warp.vector(instruction)[element]);
    if (warp.active == machine::all_lanes)
      std::fill(destination, destination + warp_size, widen<Register>(value));
    else
      for (const int lane : machine::each_lane(warp.active)) destination[lane] = widen<Register>(value);
  }
}

template <class Register, class Element>
void load_argument(Warp& warp, const Instruction& instruction) {
  const std::byte* from = warp.reg<std::byte>(static_cast<std::uint32_t>(instruction.offset));
  for (unsigned element = 0; element < instruction.elements; ++element) {
    auto* destination = warp.reg<Register>(warp.vector(instruction)[element]);
    for (const int lane : machine::each_lane(warp.active)) {
      Element value;
      std::memcpy(&value, from + std::size_t{instruction.option} * lane + element * sizeof(Element), sizeof value);
      destination[lane] = widen<Register>(value);
    }
  }
}

template <class Register, class Element>
void store_argument(Warp& warp, const Instruction& instruction) {
  std::byte* to = warp.reg<std::byte>(static_cast<std::uint32_t>(instruction.offset));
  for (unsigned element = 0; element < instruction.elements; ++element) {
    const auto* source = warp.reg<Register>(warp.vector(instruction)[element]);
    for (const int lane : machine::each_lane(warp.active)) {
      const auto value = static_cast<Element>(source[lane]);
      std::memcpy(to + std::size_t{instruction.option} * lane + element * sizeof(Element), &value, sizeof value);
    }
  }
}

template <class Register, class Element>
[[gnu::always_inline]] inline void store_to(Warp& warp, const Instruction& instruction, const machine::Target& target,
                                            const Addresses& addresses) {
  const std::uint32_t* registers = warp.vector(instruction);
  for (unsigned element = 0; element < instruction.elements; ++element)
    for_each_place(target, addresses,
                   [offset = element * sizeof(Element), source = warp.reg<Register>(registers[element])](
                       int lane, std::byte* place) {
                     const auto value = static_cast<Element>(source[lane]);
                     std::memcpy(place + offset, &value, sizeof value);
                   });
}

template <class Register, class Element>
WARPWRIGHT_WIDE void store(Warp& warp, const Instruction& instruction) {
  Addresses addresses = machine::addresses_of(warp, instruction);
  const machine::Target target = machine::resolve_at_once(warp, instruction, addresses);
  if (target.lanes == 0) {
    const machine::Targets targets = machine::resolve(warp, instruction, addresses);
    for (int t = 0; t < targets.count; ++t) store_to<Register, Element>(warp, instruction, targets.of[t], addresses);
    return;
  }
  const machine::Stride& stride = addresses.stride();
  if (in_pieces<Register, Element>(instruction, target, stride)) {
    const auto* source = warp.reg<Element>(*warp.vector(instruction));
    copy_half<Element>(target.place(stride.at(0)), source);
    copy_half<Element>(target.place(stride.at(half_warp)), source + half_warp);
  } else {
    store_to<Register, Element>(warp, instruction, target, addresses);
  }
}

template <class T>
T atom_add(T old, T b, T) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<T>(static_cast<Unsigned<T>>(old) + static_cast<Unsigned<T>>(b));
  else
    return canonical(old + b);
}
/// .noftz: halves keep their subnormal numbers in any memory.
template <class T>
T sum_of_halves(T a, T b) {
  return to_half<T, Rounding::nearest_even>(to_f64(a) + to_f64(b));
}
template <class T>
T atom_add_half(T old, T b, T) {
  return sum_of_halves(old, b);
}
template <class T>
Packed<T> atom_add_halves(Packed<T> old, Packed<T> b, Packed<T>) {
  return x2<&sum_of_halves<T>>(old, b);
}
template <class T>
T atom_min(T old, T b, T) {
  return std::min(old, b);
}
template <class T>
T atom_max(T old, T b, T) {
  return std::max(old, b);
}
template <class T>
T atom_and(T old, T b, T) {
  return old & b;
}
template <class T>
T atom_or(T old, T b, T) {
  return old | b;
}
template <class T>
T atom_xor(T old, T b, T) {
  return old ^ b;
}
template <class T>
T atom_exch(T, T b, T) {
  return b;
}
template <class T>
T atom_cas(T old, T b, T c) {
  return old == b ? c : old;
}
u32 atom_inc(u32 old, u32 b, u32) { return old >= b ? 0 : old + 1; }
u32 atom_dec(u32 old, u32 b, u32) { return old == 0 || old > b ? b : old - 1; }

/// The lanes of a warp take turns, lowest first: one of the orders that the hardware may choose.
template <auto operation>
struct Atomic;

template <class T, T (*operation)(T, T, T)>
struct Atomic<operation> {
  /// PTX ISA, "atom": on global memory add.f32 takes and gives subnormal numbers as zeros of their sign.
  static T combined(bool is_global, T old, T b, T c) {
    if constexpr (std::is_same_v<T, f32>)
      if (is_global) return flushed(operation(flushed(old), flushed(b), c));
    return operation(old, b, c);
  }

  /// What was there before.
  static T update_at(std::byte* place, bool is_global, T b, T c) {
    T old;
    std::memcpy(&old, place, sizeof old);
    const T result = combined(is_global, old, b, c);
    std::memcpy(place, &result, sizeof result);
    return old;
  }

  static void execute(Warp& warp, const Instruction& instruction) {
    using Register = Lane<T>;
    Addresses addresses = machine::addresses_of(warp, instruction);
    warp.note_polling();
    const machine::Targets targets = machine::resolve(warp, instruction, addresses);
    const bool has_c = instruction.source[2] != machine::no_register;
    const auto* b = warp.reg<Register>(instruction.source[1]);
    const auto* c = has_c ? warp.reg<Register>(instruction.source[2]) : b;
    auto* destination =
        instruction.destination == machine::no_register ? nullptr : warp.reg<Register>(instruction.destination);
    for (int t = 0; t < targets.count; ++t)
      for (const int lane : machine::each_lane(targets.of[t].lanes)) {
        const bool is_global = targets.of[t].space == machine::Space::global;
        const T old =
            update_at(targets.of[t].place(addresses[lane]), is_global, from_lane<T>(b[lane]), from_lane<T>(c[lane]));
        if (destination != nullptr) destination[lane] = to_lane(old);
      }
  }
};

/// Calls `choose.operator()<Register, Element>()` for the types with these sizes.
template <class Choose>
machine::Execute by_width(unsigned register_bytes, unsigned element_bytes, bool is_signed, Choose choose) {
  const auto with_register = [&]<class Register>() -> machine::Execute {
    switch (element_bytes) {
      case 1:
        return is_signed ? choose.template operator()<Register, s8>() : choose.template operator()<Register, u8>();
      case 2:
        return is_signed ? choose.template operator()<Register, s16>() : choose.template operator()<Register, u16>();
      case 4:
        return is_signed ? choose.template operator()<Register, s32>() : choose.template operator()<Register, u32>();
      case 8:
        if constexpr (sizeof(Register) == 8) return choose.template operator()<Register, u64>();
    }
    return nullptr;
  };
  if (register_bytes == 16) return element_bytes == 16 ? choose.template operator()<u128, u128>() : nullptr;
  return register_bytes == 8 ? with_register.template operator()<u64>() : with_register.template operator()<u32>();
}

}  // namespace

machine::Execute load(unsigned register_bytes, unsigned element_bytes, bool sign_extended) {
  return by_width(register_bytes, element_bytes, sign_extended,
                  []<class R, class E>() -> machine::Execute { return &load<R, E>; });
}

machine::Execute load_parameter(unsigned register_bytes, unsigned element_bytes, bool sign_extended) {
  return by_width(register_bytes, element_bytes, sign_extended,
                  []<class R, class E>() -> machine::Execute { return &load_parameter<R, E>; });
}

machine::Execute load_argument(unsigned register_bytes, unsigned element_bytes, bool sign_extended) {
  return by_width(register_bytes, element_bytes, sign_extended,
                  []<class R, class E>() -> machine::Execute { return &load_argument<R, E>; });
}

machine::Execute store_argument(unsigned register_bytes, unsigned element_bytes) {
  return by_width(register_bytes, element_bytes, false,
                  []<class R, class E>() -> machine::Execute { return &store_argument<R, E>; });
}

machine::Execute store(unsigned register_bytes, unsigned element_bytes) {
  return by_width(register_bytes, element_bytes, false,
                  []<class R, class E>() -> machine::Execute { return &store<R, E>; });
}

machine::Execute atomic(std::string_view operation, std::string_view type) {
  machine::Execute found = nullptr;
  const auto entry = [&](std::string_view name, std::string_view of_type, machine::Execute execute) {
    if (operation == name && type == of_type) found = execute;
  };
  for_each_type<u32, s32, u64, s64>([&]<class T>() {
    entry("min", type_name<T>(), &Atomic<atom_min<T>>::execute);
    entry("max", type_name<T>(), &Atomic<atom_max<T>>::execute);
  });
  for_each_type<u32, s32, u64, f32, f64>(
      [&]<class T>() { entry("add", type_name<T>(), &Atomic<atom_add<T>>::execute); });
  for_each_type<u32, u64>([&]<class T>() {
    entry("and", bits_name<T>(), &Atomic<atom_and<T>>::execute);
    entry("or", bits_name<T>(), &Atomic<atom_or<T>>::execute);
    entry("xor", bits_name<T>(), &Atomic<atom_xor<T>>::execute);
    entry("exch", bits_name<T>(), &Atomic<atom_exch<T>>::execute);
    entry("cas", bits_name<T>(), &Atomic<atom_cas<T>>::execute);
  });
  for_each_type<f16, bf16>([&]<class T>() {
    entry("add", type_name<T>(), &Atomic<atom_add_half<T>>::execute);
    entry("add", type_name<Packed<T>>(), &Atomic<atom_add_halves<T>>::execute);
  });
  entry("exch", "b128", &Atomic<atom_exch<u128>>::execute);
  entry("cas", "b128", &Atomic<atom_cas<u128>>::execute);
  entry("cas", "b16", &Atomic<atom_cas<u16>>::execute);
  entry("inc", "u32", &Atomic<atom_inc>::execute);
  entry("dec", "u32", &Atomic<atom_dec>::execute);
  return found;
}

}  // namespace warpwright::isa
