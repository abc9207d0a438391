// Problem: shared memory holds what an earlier block left there; a value from an element that this block never wrote is
// right only by luck. But libraries read such elements in advance, and throw away what they read.
// Idea: every element remembers the last block that wrote it. A read that came too early is kept, and told when
// something has depended on its value (definedness.h finds that out) and the element was written after it for sure, or
// not at all; one that another thread might have preceded is a race (shared_race.h).
// Invariant: what is told does not depend on the order in which warps and lanes run, unless there is a race.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "observe/happens_before.h"
#include "observe/observer.h"
#include "observe/per_block.h"
#include "observe/report.h"
#include "observe/sightings.h"
#include "observe/synchronisation.h"
#include "observe/taint.h"

namespace warpwright::observe {

/// Which bytes of blocks' shared memory are defined.
class SharedInit {
 public:
  void launch_begin(const machine::Launch& launch);
  void block_begin(std::uint64_t block);
  void block_end(std::uint64_t block);
  void fault(const Fault& fault);
  void barrier_arrival(const BarrierArrival& arrival);
  void barrier_release(const BarrierRelease& release);
  void warp_sync(const WarpSync& sync);

  /// To be called once for each access, before its lanes: whether it stores defined values, or loads, and nothing
  /// undefined is there. Then its lanes are done with.
  bool is_plain(const Access& access);
  /// The bytes of what a lane reads that are undefined, and where they come from.
  std::uint32_t read(const Access& access, int lane, Origin& origin);
  /// A lane writes; of its bytes some may be undefined.
  void write(const Access& access, int lane, std::uint32_t undefined = 0, const Origin& origin = {});
  /// Something depends on a value that came from here.
  void use(std::uint64_t block, const Origin& origin);

  void join(SharedInit& other) { reads_.join(other.reads_); }
  /// Diagnoses of kind "uninitialised": one for each line that reads or updates an element of shared memory which its
  /// block has not written.
  void report(Report& report) const;

 private:
  struct Example {
    std::uint32_t thread = 0;
    std::uint64_t offset = 0;  // in the shared window
  };
  /// A read of an element that was not written yet.
  struct EarlyRead {
    Stamp stamp = 0;
    Example example;
    std::uint64_t order = 0;
    std::uint64_t uses = 0;
  };
  /// What a cell holds after an undefined value was copied there.
  struct Copied {
    std::uint32_t bytes = 0;  // as bits
    Origin origin;
  };
  /// What is remembered of a block.
  struct Contents {
    Contents(std::size_t cells, std::uint32_t threads, const Synchronisation& synchronisation)
        : by(cells, 0), clocks(threads, synchronisation.partial_block_barriers) {}
    void begin_block();

    std::uint32_t life = 0;         // counts the blocks that this state served
    std::vector<std::uint32_t> by;  // by cell: the life in which it was written last
    Clocks clocks;
    std::map<std::pair<std::size_t, std::uint32_t>, EarlyRead> early_reads;  // by cell and pc
    std::map<std::size_t, Copied> copied;                                    // by cell
    std::uint64_t order = 0;                                                 // of accesses in the block
  };

  /// Of an access to one cell a lane.
  bool were_written(const Contents& contents, const Access& access) const;
  void first_write(Contents& contents, std::size_t cell, std::uint32_t me);
  /// `to_its_end`: the block has come there, and nobody in it can write any more.
  void settle(Contents& contents, std::uint64_t block, bool to_its_end);

  const machine::Launch* launch_ = nullptr;
  unsigned cell_shift_ = 2;
  std::size_t cells_ = 0;
  Synchronisation synchronisation_;
  PerBlock<Contents> contents_;
  Sightings<Example> reads_;
};

}  // namespace warpwright::observe
