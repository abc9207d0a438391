// Problem: a wrong address must be named, never followed; a right one must cost next to nothing.
// Idea: check the range that the 32 lanes span first; only when that fails look at single lanes.
// Invariant: what `resolve` returns may be read and written by the host for every lane that it names.
// Left out: constant memory is device memory that no observer hears of, nor of a kernel's parameters, as the hardware's
// own counters keep both apart.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "machine/addresses.h"
#include "machine/block.h"

namespace warpwright::machine {

/// What a generic address of shared memory, of local memory or of the kernel's parameters has in excess of the offset.
/// No host pointer comes near.
inline constexpr std::uint64_t shared_window = std::uint64_t{1} << 62;
inline constexpr std::uint64_t local_window = std::uint64_t{1} << 61;
inline constexpr std::uint64_t parameter_window = std::uint64_t{1} << 60;
/// An index may be wrong by so many bytes, upwards or downwards, and the address still names its space.
inline constexpr std::uint64_t window_reach = std::uint64_t{1} << 40;

/// The space that a generic address names.
Space space_of(std::uint64_t generic_address);

/// Lanes whose accesses go to one space.
struct Target {
  Lanes lanes;
  Space space;
  std::uint64_t base;  // in the host's memory, of the address 0 that `resolve` leaves

  std::byte* place(std::uint64_t address) const { return reinterpret_cast<std::byte*>(base + address); }
};

struct Targets {
  std::array<Target, 4> of;  // the first `count` of them; the others are not even cleared
  int count = 0;
};

/// A shape that other lanes have left in its place, as schedules may let them, is not asked for.
template <class Register>
[[gnu::always_inline]] inline Addresses addresses_from(Warp& warp, const Instruction& instruction) {
  const auto* base = warp.reg<Register>(instruction.source[0]);
  AddressShape& shape = warp.shapes[instruction.shape];
  if (!instruction.knows_shape || shape.lanes != warp.active) shape.find(base, warp.active);
  return {base, static_cast<Register>(instruction.offset), shape};
}

/// Where the active lanes of a memory instruction want to go, as PTX computes it.
[[gnu::always_inline]] inline Addresses addresses_of(Warp& warp, const Instruction& instruction) {
  return instruction.wide_address ? addresses_from<std::uint64_t>(warp, instruction)
                                  : addresses_from<std::uint32_t>(warp, instruction);
}

/// Finds and checks where the active lanes' accesses go, and tells the observers. `addresses` go out relative to their
/// target's base. Throws LaunchEnded after telling of the fault.
Targets resolve(Warp& warp, const Instruction& instruction, Addresses& addresses);

[[gnu::always_inline]] inline observe::Access describe(Warp& warp, const Instruction& instruction, Space space,
                                                       Lanes lanes, const Addresses& addresses) {
  observe::Access access{instruction, warp.where()};
  access.space = space;
  access.lanes = lanes;
  access.addresses = &addresses;
  access.registers = warp.reg<std::byte>(0);
  return access;
}

[[gnu::always_inline]] inline void tell(Warp& warp, const observe::Access& access) {
  for (observe::Observer* observer : warp.block.watch().access[static_cast<std::size_t>(access.space)])
    observer->access(access);
}

/// The same at little cost where nothing is wrong, the addresses have a stride, and all go to one object of global or
/// shared memory. Else no lanes, and nothing has been told.
[[gnu::always_inline]] inline Target resolve_at_once(Warp& warp, const Instruction& instruction,
                                                     const Addresses& addresses) {
  constexpr Target none{0, Space::global, 0};
  const std::uint64_t bytes = instruction.bytes;
  if (instruction.generic || !addresses.stride().by_half || (addresses.bits() & (bytes - 1)) != 0) return none;
  Block& block = warp.block;
  const std::byte* base = nullptr;
  std::uint64_t from = 0;
  if (instruction.space == Space::shared) {
    if (!block.is_in_one_array(addresses.low(), addresses.high(), bytes)) return none;
    base = block.shared();
    from = reinterpret_cast<std::uint64_t>(base);
  } else if (instruction.space == Space::global) {
    const Allocation* one = block.find_global(addresses.low(), addresses.high() - addresses.low() + bytes);
    if (one == nullptr) return none;
    from = one->shift;
  } else {
    return none;
  }
  observe::Access access = describe(warp, instruction, instruction.space, warp.active, addresses);
  access.base = base;
  tell(warp, access);
  return {warp.active, instruction.space, from};
}

}  // namespace warpwright::machine
