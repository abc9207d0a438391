// Problem: nvcc hides a program's PTX in a container of its own, compressed, among machine code for real GPUs.
// Idea: list the entries that the container's headers describe, choose one, decompress it.
// Invariant: no byte outside the container is read, whatever its headers claim; every failure is a FatBinaryError.
// Left out: machine code. Only PTX can be simulated.
//
// The layout was read off objects made by nvcc 13.0 with every --compress-mode. All integers are little-endian.
//   wrapper       u32 magic 0x466243b1, u32 version (1; 2 when device code was linked), pointer to the fat binary
//   fat binary    u32 magic 0xba55ed50, u16 version 1, u16 size of this header (16), u64 size of what follows it
//   entry         u16 kind (1 PTX, 2 machine code), u16, u32 header size at 4, u64 payload size at 8 (padded to 8),
//                 u32 compressed size at 16, u32 architecture at 28 (90), u64 flags at 40, u64 text size at 56
//   flags         0x2000 LZ4 block, 0x8000 zstd frame, 0x100000 architecture-specific (90a), 0x200000 family (100f)
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace warpwright::ptx {

class FatBinaryError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// One entry of a fat binary, as its header describes it.
struct FatBinaryEntry {
  enum class Kind : std::uint16_t { ptx = 1, machine_code = 2 };  // other values occur and are of no use here
  enum class Compression : std::uint8_t { none, lz4, zstd };
  enum class Feature : std::uint8_t { portable, architecture_specific, family_specific };

  Kind kind = Kind::ptx;
  Compression compression = Compression::none;
  Feature feature = Feature::portable;
  std::uint32_t architecture = 0;      // 90 for compute_90 or sm_90
  std::uint64_t text_bytes = 0;        // after decompression
  std::span<const std::byte> payload;  // without padding when it is compressed
};

/// Lists the entries of a fat binary (not of its wrapper). The payloads are views. Throws FatBinaryError.
std::vector<FatBinaryEntry> entries_of(std::span<const std::byte> fat_binary);

/// The PTX for a device of `compute_capability` (90 for 9.0): of the newest architecture that it can run, the portable
/// form before one with features of that architecture alone. Throws FatBinaryError; when nothing fits, the message says
/// what there is and how to compile.
std::string ptx_for(std::span<const std::byte> fat_binary, std::uint32_t compute_capability);

/// The same from the pointer that __cudaRegisterFatBinary receives: nothing but the magic numbers vouches for it.
std::string ptx_for_registered(const void* wrapper, std::uint32_t compute_capability);

}  // namespace warpwright::ptx
