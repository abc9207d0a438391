// Problem: an asynchronous copy may arrive at any time until somebody waits for it; a program that does not wait is
// wrong even where the data would come soon enough by luck.
// Idea: copies are only noted when they are issued, and made when somebody waits: as late as a GPU may.
// Invariant: copies of one lane are made in the order of their issue; whatever a lane has issued is made when it exits.
// Left out: which instructions issue and wait (isa/copy_async.h, isa/bulk.h).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "machine/lanes.h"

namespace warpwright::machine {

class Warp;

/// One instruction's copies, a lane each.
struct AsyncCopy {
  std::uint32_t pc = 0;
  Lanes lanes = 0;          // whose copy is still to be made
  std::uint32_t bytes = 0;  // written, by each
  bool to_shared = true;    // else from shared to global memory
  bool bulk = false;
  std::uint64_t barrier = 0;  // bulk: offset in shared memory of the mbarrier that is told of it
  std::array<std::uint64_t, warp_size> from{}, to{};  // shared memory: the offset in the window
  std::array<std::uint32_t, warp_size> read{};        // bytes that are read; zeros fill the rest
  std::array<std::uint32_t, warp_size> group{};
};

/// The copies of a warp's lanes that were issued in groups.
class AsyncCopies {
 public:
  bool empty() const { return copies_.empty(); }
  void clear() { copies_.clear(); }
  /// The copy joins the group that each of its lanes has open.
  void issue(AsyncCopy copy);
  /// Closes the lanes' open groups.
  void commit(Lanes lanes);
  /// Makes the lanes' copies but those of the `newest` groups that they closed last, and of the open one.
  void wait(Warp& warp, Lanes lanes, std::uint32_t newest);
  /// Makes all of them.
  void wait_all(Warp& warp, Lanes lanes);

 private:
  template <class Ready>
  void make(Warp& warp, Lanes lanes, Ready ready);

  std::vector<AsyncCopy> copies_;
  std::array<std::uint32_t, warp_size> open_{};  // by lane: the number of the group that is open
};

/// Tells that a copy into shared memory was issued.
void tell_issued(Warp& warp, const AsyncCopy& copy);

/// Makes a copy for some of its lanes and tells of what it writes, at the place of its issue.
void make_copy(Warp& warp, const AsyncCopy& copy, Lanes lanes);

}  // namespace warpwright::machine
