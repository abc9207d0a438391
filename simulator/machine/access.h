// Problem: a wrong address must be named, never followed; a right one must cost next to nothing.
// Idea: check the range that the 32 lanes span first; only when that fails look at single lanes.
// Invariant: what `resolve` returns may be read and written by the host for every lane that it names.
// Left out: constant memory is device memory that no observer hears of, nor of a kernel's parameters, as the hardware's
// own counters keep both apart.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "machine/addresses.h"
#include "machine/warp.h"

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
  AddressShape& kept = warp.shapes[instruction.shape];
  AddressShape shape;
  if (instruction.knows_shape && kept.lanes == warp.active) {
    shape = kept;
  } else {
    shape.find(base, warp.active);
    if (instruction.keeps_shape) kept = shape;
  }
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

}  // namespace warpwright::machine
