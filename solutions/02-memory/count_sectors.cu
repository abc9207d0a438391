// memory.count_sectors: what a warp's access to global memory moves. A rule, in host C++: no kernel yet.
//
// Global memory moves in sectors: 32 bytes from a multiple of 32 on. When a warp loads or stores, the hardware collects
// the sectors that its lanes touch, and moves each of them once, whole, whoever wants how much of it.

#include "memory.h"

unsigned memory::count_sectors(const std::uint64_t* addresses, std::uint32_t active) {
  unsigned sectors = 0;
  // SOLUTION: a lane's sector counts unless a lane before it has brought the same one. The order of the lanes does not
  // matter, nor how far apart they are, nor how many share a sector.
  for (unsigned lane = 0; lane < 32; ++lane) {
    if ((active >> lane & 1) == 0) continue;
    bool is_new = true;
    for (unsigned other = 0; other < lane; ++other) {
      if ((active >> other & 1) != 0 && addresses[other] / 32 == addresses[lane] / 32) is_new = false;
    }
    if (is_new) ++sectors;
  }
  // END
  return sectors;
}
