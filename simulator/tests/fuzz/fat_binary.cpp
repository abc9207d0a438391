// Whatever bytes claim to be a fat binary, they give PTX or a reason, and nothing outside them is read.
#include "ptx/fat_binary.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "demand.h"

using namespace warpwright;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::uint32_t hopper = 90;
  const std::span<const std::byte> bytes(reinterpret_cast<const std::byte*>(data), size);
  const std::less_equal<> before;
  try {
    for (const ptx::FatBinaryEntry& entry : ptx::entries_of(bytes)) {
      const bool inside = before(bytes.data(), entry.payload.data()) &&
                          before(entry.payload.data() + entry.payload.size(), bytes.data() + bytes.size());
      demand(inside, "an entry lies inside its fat binary");
    }
    ptx::ptx_for(bytes, hopper);
  } catch (const ptx::FatBinaryError&) {
  }
  return 0;
}
