// Problem: work runs here before its call returns, so host code that forgets to wait for it is right here, and by luck
// on a GPU. Its accesses are the compiler's, and pass by every function of ours.
// Idea: memory that host code reaches too is mapped twice (reservation.h). What an operation uses that the host has not
// waited for is closed at the addresses that host code knows: to reads and writes where the operation writes, to writes
// where it reads. Host code that touches it there stops (host_access.h), is told, and goes on.
// Invariant: a page is closed only when each of its bytes that belongs to the program is in use, so that whatever stops
// there races: nobody who keeps to the rules ever meets a closed page.
// Left out: pages that are in use in part, registered memory, whose pages have other owners too, and of memory that is
// in use in patches all but the first `most_ranges`. A system call that is given closed memory fails with EFAULT, and
// nothing is told. Once told, an allocation is open until the next operation that uses it.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "cudart/stream_order.h"
#include "machine/memory.h"
#include "observe/byte_set.h"

namespace warpwright::cudart {

class HostGuard {
 public:
  /// Closes and opens what the last operations and waits ask for. Is done behind every call.
  void refresh();
  /// Host code may use all of it, until an operation uses it again.
  void open(const machine::Allocation& allocation);

 private:
  static constexpr std::size_t most_ranges = 16;

  using Ranges = std::vector<observe::ByteSet::Range>;
  struct Closed {
    machine::Address base = 0;
    Ranges to_read, to_write;
  };

  void refresh(std::uint64_t number, machine::Address base);

  std::map<std::uint64_t, Closed> closed_;  // by the allocation's number
  StreamOrder::Clock host_;                 // what it knew the last time
};

}  // namespace warpwright::cudart
