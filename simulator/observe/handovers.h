// Problem: threads of different blocks, and threads of one block without a barrier, hand data over by a flag: fence,
// then write the flag; read the flag, then the data. Whoever does it right must not be accused.
// Idea: what a thread did before its fence is released with the next strong write that it makes; the place that it
// writes keeps a list of who released what. Who reads the place has acquired the list as it is then. An access is
// ordered before a thread when a release covers it that the thread has acquired, or acquired from one who had acquired
// it, and so on.
// Invariant: it only ever says "ordered" more often than the PTX ISA's model does: a read of a flag acquires without a
// fence behind it, and a release covers what each thread of the block had fenced before its last barrier.
// Left out: which write the read saw. A flag that is read before it was set hands over nothing, because the list is
// still empty.
#pragma once

#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

#include "observe/happens_before.h"
#include "observe/observer.h"
#include "observe/roles.h"

namespace warpwright::observe {

/// A thread of the grid at a moment of its block.
struct Moment {
  std::uint64_t block = 0;
  std::uint32_t thread = 0;
  Stamp stamp = 0;
};

class Handovers {
 public:
  explicit Handovers(std::uint32_t threads_per_block) : threads_(threads_per_block) {}

  void begin_block(std::uint64_t block);
  void end_block(std::uint64_t block);
  void fence(const Fence& fence, Clocks& clocks);
  /// A strong access in global memory, or in shared memory (of that block).
  void access(const Access& access, const Roles::Entry& role, Clocks& clocks);

  /// Whether what was done at `then` is ordered before what thread `me` of `block` does now.
  bool ordered(const Moment& then, std::uint64_t block, std::uint32_t me, const Clocks& clocks) const;
  /// Whether `then` was the release of a flag in global memory that `me` knows of: who finds itself the last one to
  /// come may set the flag for the next launch.
  bool knows_flag(const Moment& then, std::uint64_t address, std::uint64_t block, std::uint32_t me,
                  const Clocks& clocks) const;

 private:
  struct Place;
  /// The first `length` releases of a place, known to `thread` since `stamp`, or to the whole block.
  struct Acquired {
    const Place* place = nullptr;
    std::size_t length = 0;
    std::uint32_t thread = 0;
    Stamp stamp = 0;
    bool whole_block = false;
    bool whole_device = true;
  };
  /// Threads up to `end`, and behind those of the run before: what they did before `stamp`.
  struct Run {
    std::uint32_t end = 0;
    Stamp stamp = 0;
  };
  struct Release {
    std::uint64_t block = 0;
    std::uint32_t thread = 0;
    Stamp at = 0;             // when the flag was written
    Stamp own = 0;            // what the thread itself did before this is released
    Stamp warp = 0;           // what its warp did before this
    Stamp other = 0;          // what other threads of the block did before this
    std::vector<Run> fenced;  // what each of them did before its own fence, where that came after `other`
    bool whole_device = true;
    std::vector<Acquired> known;
  };
  struct Place {
    std::vector<Release> releases;
    std::unordered_map<std::uint64_t, std::vector<std::size_t>> by_block;
  };
  struct Fenced {
    Stamp at = 0;     // what the thread did before was fenced; 0: nothing
    Stamp epoch = 0;  // Clocks::epoch then
  };
  struct Fences {
    Fenced device, block;  // a fence for the whole device is one within the block too
  };
  struct BlockState {
    std::vector<Fences> fenced;  // by thread
    std::vector<Acquired> acquired;
    std::vector<std::size_t> latest;  // by thread: where in `acquired` it found what it asked for, if it is still there
  };
  struct Search;

  void acquire(BlockState& state, const Place& place, std::uint32_t thread, bool whole_device, const Clocks& clocks);
  void release(BlockState& state, Place& place, std::uint64_t block, std::uint32_t thread, const Roles::Entry& role,
               const Clocks& clocks);
  static bool is_known(const Acquired& known, std::uint32_t me, const Clocks& clocks);
  static std::vector<Run> fenced_by_all(const BlockState& state, bool whole_device, Stamp until);
  static bool covers(const Release& release, const Moment& then);

  std::uint32_t threads_;
  std::unordered_map<std::uint64_t, BlockState> blocks_;
  std::unordered_map<std::uint64_t, Place> places_;  // by address; nodes stay where they are
};

}  // namespace warpwright::observe
