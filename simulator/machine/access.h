// Problem: a wrong address must be named, never followed; a right one must cost next to nothing.
// Idea: check the range that the 32 lanes span first; only when that fails look at single lanes.
// Invariant: what `resolve` returns may be read and written by the host for every lane that it names.
// Left out: constant memory is device memory that no observer hears of, nor of a kernel's parameters, as the hardware's
// own counters keep both apart.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "machine/stride.h"
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
  Stride stride;  // of the addresses, if there is one target and they have one

  /// Whether all 32 lanes' addresses follow from those of lanes 0 and 16.
  bool whole_halves() const { return of[0].lanes == all_lanes && stride.by_half; }
};

/// Finds and checks where the active lanes' accesses go, and tells the observers. `addresses[lane]` comes in as PTX
/// computes it, and goes out relative to its target's base. Throws LaunchEnded after telling of the fault.
Targets resolve(Warp& warp, const Instruction& instruction, std::uint64_t* addresses);

}  // namespace warpwright::machine
