// Sorted, equal sectors lie side by side.
#include <algorithm>

#include "memory.h"

unsigned memory::count_sectors(const std::uint64_t* addresses, std::uint32_t active) {
  std::uint64_t sectors[32];
  std::uint64_t* end = sectors;
  for (unsigned lane = 0; lane < 32; ++lane) {
    if ((active & 1u << lane) != 0) *end++ = addresses[lane] & ~std::uint64_t{31};
  }
  std::sort(sectors, end);
  return static_cast<unsigned>(std::unique(sectors, end) - sectors);
}
