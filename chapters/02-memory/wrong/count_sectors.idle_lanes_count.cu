// wrong: lets lanes that take no part hide the sectors of others; rejected by: safely: idle lanes
#include "memory.h"

unsigned memory::count_sectors(const std::uint64_t* addresses, std::uint32_t active) {
  unsigned sectors = 0;
  for (unsigned lane = 0; lane < 32; ++lane) {
    if ((active >> lane & 1) == 0) continue;
    bool is_new = true;
    for (unsigned other = 0; other < lane; ++other) {
      if (addresses[other] / 32 == addresses[lane] / 32) is_new = false;
    }
    if (is_new) ++sectors;
  }
  return sectors;
}
