// Whatever a compressed text holds, it gives as many bytes as its entry claims, or a reason.
//
// The input is a byte that chooses the compression, the claimed size in eight bytes, and what is to be decompressed.
// Around it lies a fat binary without a fault.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>

#include "demand.h"
#include "ptx/fat_binary.h"

using namespace warpwright;

namespace {

constexpr std::size_t head_bytes = 1 + 8;
constexpr std::size_t fat_header_bytes = 16;
constexpr std::size_t entry_header_bytes = 64;

template <typename Integer>
void put(std::string& to, std::size_t at, Integer value) {
  std::memcpy(to.data() + at, &value, sizeof value);
}

std::string container(bool is_zstd, std::uint64_t claimed, std::string_view payload) {
  const std::size_t padded = (payload.size() + 7) / 8 * 8;
  std::string bytes(fat_header_bytes + entry_header_bytes + padded, '\0');
  put<std::uint32_t>(bytes, 0, 0xba55ed50);
  put<std::uint16_t>(bytes, 4, 1);
  put<std::uint16_t>(bytes, 6, fat_header_bytes);
  put<std::uint64_t>(bytes, 8, entry_header_bytes + padded);
  constexpr std::size_t entry = fat_header_bytes;
  put<std::uint16_t>(bytes, entry, 1);  // PTX
  put<std::uint32_t>(bytes, entry + 4, entry_header_bytes);
  put<std::uint64_t>(bytes, entry + 8, padded);
  put<std::uint32_t>(bytes, entry + 16, static_cast<std::uint32_t>(payload.size()));
  put<std::uint32_t>(bytes, entry + 28, 90);
  put<std::uint64_t>(bytes, entry + 40, is_zstd ? 0x8000 : 0x2000);
  put<std::uint64_t>(bytes, entry + 56, claimed);
  payload.copy(bytes.data() + fat_header_bytes + entry_header_bytes, payload.size());
  return bytes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < head_bytes) return 0;
  std::uint64_t claimed = 0;
  std::memcpy(&claimed, data + 1, sizeof claimed);
  const std::string_view payload(reinterpret_cast<const char*>(data) + head_bytes, size - head_bytes);
  try {
    const std::string bytes = container((data[0] & 1) != 0, claimed, payload);
    const std::string text = ptx::ptx_for(std::as_bytes(std::span(bytes)), 90);
    demand(text.size() <= claimed, "the text is no longer than it claims to be");
  } catch (const ptx::FatBinaryError&) {
  }
  return 0;
}
