// The sectors as a set: what is in it twice is there once.
#include <set>

#include "memory.h"

unsigned memory::count_sectors(const std::uint64_t* addresses, std::uint32_t active) {
  std::set<std::uint64_t> sectors;
  for (; active != 0; active &= active - 1) sectors.insert(addresses[__builtin_ctz(active)] >> 5);
  return static_cast<unsigned>(sectors.size());
}
