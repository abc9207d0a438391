// Problem: what does a warp's access to shared memory cost?
// Idea: shared memory has 32 banks, each of which serves one 4-byte word at a time; word w lies in bank w mod 32. A
// warp instruction is served in passes of as many lanes as 128 bytes hold, and a pass takes as many wavefronts as its
// busiest bank has distinct words to serve.
//
//   bytes a lane     1, 2, 4        8                       16
//   store            32 lanes       16, 16                  8, 8, 8, 8
//   load             32 lanes       16, 16 or 32 if paired  8, 8, 8, 8 or 16, 16 if paired
//   atomic           as a store, but equal words do not merge: every lane counts
//
// An atomic that adds 1 and whose result nobody wants is a store in this: equal words merge (ptxas makes ATOMS.POPC.INC
// of it). Every wavefront of a compare-and-swap is counted twice, its conflicts are not.
//
// A warp's lanes are paired when every active lane n whose partner n^1 is active too has its partner's address, or when
// the same holds for n^2. The test spans the whole warp; a partner that is not active does not matter.
// Bank conflicts are the wavefronts beyond one for each pass that has an active lane.
//
// Source of the rules: 561 access patterns measured on an H200 (simulator/tests/observe/h200), all reproduced.
// Left out: an addition of f32, f64 or u64 is a loop of compare-and-swap on the hardware, which loads in every round
// and takes one round for every lane of the busiest bank, more where other warps come in between; here it is an atomic
// as all others. Where an address is the same for all lanes as far as ptxas can see, it has the lanes add up integers
// first, and one of them do the atomic; here all do it.
#pragma once

#include <cstdint>

#include "machine/lanes.h"
#include "machine/program.h"

namespace warpwright::observe {

inline constexpr unsigned banks = 32;
inline constexpr unsigned bank_bytes = 4;

enum class SharedOperation : std::uint8_t { load, store, atomic };

/// Which rule holds; `counts_up`: of an atomic, see machine::Instruction.
constexpr SharedOperation shared_operation(machine::AccessKind kind, bool counts_up) {
  if (kind == machine::AccessKind::load) return SharedOperation::load;
  return kind == machine::AccessKind::store || counts_up ? SharedOperation::store : SharedOperation::atomic;
}
/// How often each wavefront of a compare-and-swap is counted.
inline constexpr double compare_trips = 2;

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
