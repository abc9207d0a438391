// memory.count_sectors: what a warp's access to global memory moves. A rule, in host C++: no kernel yet.
//
// Global memory moves in sectors: 32 bytes from a multiple of 32 on. When a warp loads or stores, the hardware collects
// the sectors that its lanes touch, and moves each of them once, whole, whoever wants how much of it.
//
// fails now: right: neighbouring floats share sectors

#include "memory.h"

unsigned memory::count_sectors(const std::uint64_t* addresses, std::uint32_t active) {
  unsigned sectors = 0;
  // TODO: count each sector that an active lane touches once, however many lanes share it.
  for (unsigned lane = 0; lane < 32; ++lane) {
    if ((active >> lane & 1) != 0) ++sectors;
  }
  // END
  return sectors;
}
