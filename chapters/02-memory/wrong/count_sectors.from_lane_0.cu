// wrong: measures sectors from lane 0 on; rejected by: right: a shifted start touches one sector more
#include "memory.h"

unsigned memory::count_sectors(const std::uint64_t* addresses, std::uint32_t active) {
  unsigned sectors = 0;
  for (unsigned lane = 0; lane < 32; ++lane) {
    if ((active >> lane & 1) == 0) continue;
    bool is_new = true;
    for (unsigned other = 0; other < lane; ++other) {
      if ((active >> other & 1) != 0 && (addresses[other] - addresses[0]) / 32 == (addresses[lane] - addresses[0]) / 32)
        is_new = false;
    }
    if (is_new) ++sectors;
  }
  return sectors;
}
