// Problem: every access to shared memory is held against all earlier ones, and nearly all of them are fine.
// Idea: an access whose elements nobody has touched in a conflicting way since the last barrier of the block is fine
// for sure. That is found, and the access noted down, in sweeps over all lanes; only what is left is looked at lane by
// lane.
// Invariant: `settle` leaves the shadow as looking at the settled lanes one by one would have.
#pragma once

#include <cstdint>
#include <vector>

#include "observe/accessors.h"
#include "observe/copies_in_flight.h"
#include "observe/happens_before.h"
#include "observe/observer.h"
#include "observe/roles.h"
#include "observe/synchronisation.h"

namespace warpwright::observe {

/// What is remembered of a block's shared memory, by cell: `1 << cell_shift` bytes of the shared window.
class RaceShadow {
 public:
  RaceShadow(std::uint32_t threads, std::uint32_t window_bytes, unsigned cell_shift,
             const Synchronisation& synchronisation);

  /// Forgets the block before.
  void begin_block();
  /// To be called after every synchronisation.
  void forget_if_exhausted();

  /// Notes down the lanes of an access that race with nothing, as far as that can be told at once, and returns the
  /// others.
  machine::Lanes settle(const Access& access, Role role);

  std::size_t cell_of(std::uint64_t offset) const { return offset >> cell_shift_; }
  std::uint64_t offset_of(std::size_t cell) const { return std::uint64_t{cell} << cell_shift_; }

  /// Whether a race over this cell was told since the last barrier of the block; from now on, one was.
  bool tell(std::size_t cell);

  Clocks clocks;
  Cells writer;  // the last plain write
  Accessors readers;
  Accessors atomics;  // no cells when the program has none
  CopiesInFlight copies;
  std::uint64_t order = 0;  // of accesses in the block

 private:
  struct Watched;
  template <std::uint32_t cells>
  bool settle_row(const Watched& watched, std::size_t first, Who base);
  bool settle_row(const Watched& watched, std::size_t first, std::uint32_t cells_a_lane, Who base);
  bool settle_one_place(const Watched& watched, std::size_t cell, std::uint32_t cells, Who base);
  machine::Lanes settle_scattered(const Watched& watched, const Access& access, Who base);

  unsigned cell_shift_;
  std::vector<Stamp> told_;  // by cell; empty until there is a race
  bool has_atomics_;
  bool partial_;
};

}  // namespace warpwright::observe
