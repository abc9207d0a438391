// wrong: keeps 32 bits of an address; rejected by: right: sectors far apart are different ones
#include "memory.h"

unsigned memory::count_sectors(const std::uint64_t* addresses, std::uint32_t active) {
  unsigned sectors = 0;
  for (unsigned lane = 0; lane < 32; ++lane) {
    if ((active >> lane & 1) == 0) continue;
    bool is_new = true;
    for (unsigned other = 0; other < lane; ++other) {
      if ((active >> other & 1) != 0 &&
          static_cast<unsigned>(addresses[other]) / 32 == static_cast<unsigned>(addresses[lane]) / 32)
        is_new = false;
    }
    if (is_new) ++sectors;
  }
  return sectors;
}
