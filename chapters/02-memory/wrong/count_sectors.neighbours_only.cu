// wrong: looks at the lane before it alone; rejected by: right: lanes in any order share sectors
#include "memory.h"

unsigned memory::count_sectors(const std::uint64_t* addresses, std::uint32_t active) {
  unsigned sectors = 0;
  for (unsigned lane = 0; lane < 32; ++lane) {
    if ((active >> lane & 1) == 0) continue;
    if (lane == 0 || (active >> (lane - 1) & 1) == 0 || addresses[lane] / 32 != addresses[lane - 1] / 32) ++sectors;
  }
  return sectors;
}
