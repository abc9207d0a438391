// Problem: what does a warp's access to shared memory cost?
// Idea: shared memory has 32 banks, each of which serves one 4-byte word at a time; word w lies in bank w mod 32. A
// warp instruction is served in passes of as many lanes as 128 bytes hold, and a pass takes as many wavefronts as its
// busiest bank has distinct words to serve.
//
//   bytes a lane     1, 2, 4        8                       16
//   store            32 lanes       16, 16                  8, 8, 8, 8
//   load             32 lanes       16, 16 or 32 if paired  8, 8, 8, 8 or 16, 16 if paired
//   atomic           32 lanes; equal words do not merge: every lane counts
//
// A warp's lanes are paired when every active lane n whose partner n^1 is active too has its partner's address, or when
// the same holds for n^2. The test spans the whole warp; a partner that is not active does not matter.
// Bank conflicts are the wavefronts beyond one for each pass that has an active lane.
//
// Source of the rules: 425 access patterns measured on an H200 (simulator/tests/observe/h200), all reproduced.
// Left out: atomics of 2, 8 and 16 bytes were not measured; they are costed in a store's passes, every lane counted.
#pragma once

#include <cstdint>

#include "machine/lanes.h"

namespace warpwright::observe {

inline constexpr unsigned banks = 32;
inline constexpr unsigned bank_bytes = 4;

enum class SharedOperation : std::uint8_t { load, store, atomic };

struct SharedCost {
  unsigned wavefronts = 0;
  unsigned passes = 0;  // that have an active lane: the least that lanes with distinct data of this width can cost
  unsigned conflicts() const { return wavefronts - passes; }
  friend bool operator==(const SharedCost&, const SharedCost&) = default;
};

/// Cost of one warp instruction in which each of `lanes` touches `bytes` (1, 2, 4, 8 or 16) at its own, aligned offset
/// in the shared window. `addresses` has 32 elements; those of other lanes may be anything.
SharedCost shared_cost(SharedOperation operation, unsigned bytes, machine::Lanes lanes, const std::uint64_t* addresses);

/// Whether a wide load's lanes are paired, as told above. Public for pictures and explanations.
bool lanes_are_paired(machine::Lanes lanes, const std::uint64_t* addresses);

}  // namespace warpwright::observe
