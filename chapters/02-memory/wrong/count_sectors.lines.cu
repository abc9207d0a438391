// wrong: counts lines of 128 bytes, as before Maxwell; rejected by: right: neighbouring floats share sectors
#include "memory.h"

unsigned memory::count_sectors(const std::uint64_t* addresses, std::uint32_t active) {
  unsigned sectors = 0;
  for (unsigned lane = 0; lane < 32; ++lane) {
    if ((active >> lane & 1) == 0) continue;
    bool is_new = true;
    for (unsigned other = 0; other < lane; ++other) {
      if ((active >> other & 1) != 0 && addresses[other] / 128 == addresses[lane] / 128) is_new = false;
    }
    if (is_new) ++sectors;
  }
  return sectors;
}
