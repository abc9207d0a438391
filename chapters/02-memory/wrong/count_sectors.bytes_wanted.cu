// wrong: divides the bytes that are wanted by 32; rejected by: right: a stride
#include "memory.h"

unsigned memory::count_sectors(const std::uint64_t* addresses, std::uint32_t active) {
  const unsigned bytes = static_cast<unsigned>(addresses[1] - addresses[0]);
  return (__builtin_popcount(active) * (bytes > 16 ? 4 : bytes) + addresses[0] % 32 + 31) / 32;
}
