// Problem: what does a warp's access to global memory cost?
// Idea: memory moves in sectors of 32 bytes, so the cost of a warp instruction is the number of distinct sectors that
// its active lanes touch, for loads and stores of 1 to 16 bytes a lane.
// Source of the rule: 143 access patterns measured on an H200 (simulator/tests/observe/h200), all reproduced.
// Invariant: the answer depends on nothing but the set of sectors: not on the order of lanes, nor on how it is found.
// Left out: whether a sector is in a cache; accesses that straddle a sector (misaligned ones fault before they come
// here).
#pragma once

#include <cstdint>

#include "machine/lanes.h"

namespace warpwright::observe {

inline constexpr unsigned sector_bytes = 32;

/// Sectors that `lanes` touch, each with 1 to 16 bytes at its own address, aligned to the access: the sector of the
/// first byte is that of all of them. 0 when there are no lanes. `addresses` has 32 elements; those of other lanes may
/// be anything.
unsigned sectors(machine::Lanes lanes, const std::uint64_t* addresses);

/// What so many lanes cost when they touch neighbouring bytes from the start of a sector: the least for distinct data.
constexpr unsigned ideal_sectors(unsigned bytes, machine::Lanes lanes) {
  const unsigned wanted = lanes == machine::all_lanes ? 32 * bytes : machine::count_lanes(lanes) * bytes;
  return (wanted + sector_bytes - 1) / sector_bytes;
}

}  // namespace warpwright::observe
