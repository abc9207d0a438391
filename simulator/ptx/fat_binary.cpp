#include "ptx/fat_binary.h"

#include <fmt/core.h>
#include <lz4.h>
#include <zstd.h>

#include <cstring>
#include <memory>
#include <string_view>
#include <type_traits>

namespace warpwright::ptx {
namespace {

constexpr std::uint32_t wrapper_magic = 0x466243b1;
constexpr std::uint32_t fat_binary_magic = 0xba55ed50;
constexpr std::size_t fat_header_bytes = 16;
constexpr std::size_t entry_header_bytes = 64;
constexpr std::uint64_t lz4_flag = 0x2000;
constexpr std::uint64_t zstd_flag = 0x8000;
constexpr std::uint64_t architecture_specific_flag = 0x100000;
constexpr std::uint64_t family_specific_flag = 0x200000;

/// The largest PTX text believed: ten times what a large library's biggest module takes.
constexpr std::uint64_t largest_text = std::uint64_t{256} << 20;
/// An LZ4 block codes at most 255 bytes in one, a block of zstd 128 KiB in four.
constexpr std::uint64_t largest_lz4_ratio = 255;
constexpr std::uint64_t largest_zstd_ratio = 32768;

/// Reads little-endian integers out of a span and nothing outside it.
class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  template <typename Integer>
  Integer at(std::size_t offset) const {
    static_assert(std::is_unsigned_v<Integer>);
    if (offset > bytes_.size() || bytes_.size() - offset < sizeof(Integer)) {
      throw FatBinaryError("this fat binary is cut short");
    }
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < sizeof(Integer); ++i) {
      value |= std::uint64_t{std::to_integer<std::uint8_t>(bytes_[offset + i])} << (8 * i);
    }
    return static_cast<Integer>(value);
  }

  std::span<const std::byte> slice(std::size_t offset, std::uint64_t size) const {
    if (offset > bytes_.size() || size > bytes_.size() - offset) throw FatBinaryError("this fat binary is cut short");
    return bytes_.subspan(offset, static_cast<std::size_t>(size));
  }

 private:
  std::span<const std::byte> bytes_;
};

FatBinaryEntry read_entry(std::span<const std::byte> rest, std::size_t& entry_bytes) {
  const Reader reader(rest);
  const auto header_bytes = reader.at<std::uint32_t>(4);
  const auto payload_bytes = reader.at<std::uint64_t>(8);
  const auto compressed_bytes = reader.at<std::uint32_t>(16);
  const auto flags = reader.at<std::uint64_t>(40);
  if (header_bytes < entry_header_bytes)
    throw FatBinaryError("this fat binary is damaged: an entry's header is too small");

  FatBinaryEntry entry;
  entry.kind = static_cast<FatBinaryEntry::Kind>(reader.at<std::uint16_t>(0));
  entry.architecture = reader.at<std::uint32_t>(28);
  entry.payload = reader.slice(header_bytes, payload_bytes);
  entry.text_bytes = payload_bytes;
  if ((flags & architecture_specific_flag) != 0) entry.feature = FatBinaryEntry::Feature::architecture_specific;
  if ((flags & family_specific_flag) != 0) entry.feature = FatBinaryEntry::Feature::family_specific;
  if ((flags & (lz4_flag | zstd_flag)) != 0) {
    entry.compression = (flags & zstd_flag) != 0 ? FatBinaryEntry::Compression::zstd : FatBinaryEntry::Compression::lz4;
    entry.text_bytes = reader.at<std::uint64_t>(56);
    if (compressed_bytes > payload_bytes) {
      throw FatBinaryError("this fat binary is damaged: an entry claims more compressed bytes than it holds");
    }
    entry.payload = entry.payload.first(compressed_bytes);
  }
  entry_bytes = header_bytes + static_cast<std::size_t>(payload_bytes);
  return entry;
}

std::string decompress_zstd(const FatBinaryEntry& entry) {
  const unsigned long long claimed = ZSTD_getFrameContentSize(entry.payload.data(), entry.payload.size());
  if (claimed == ZSTD_CONTENTSIZE_ERROR || (claimed != ZSTD_CONTENTSIZE_UNKNOWN && claimed != entry.text_bytes) ||
      entry.text_bytes > entry.payload.size() * largest_zstd_ratio) {
    throw FatBinaryError("this fat binary's zstd-compressed PTX is damaged");
  }
  const auto bytes = static_cast<std::size_t>(entry.text_bytes);
  const std::unique_ptr<char[]> text(new char[bytes]);  // not cleared: a claim costs nothing until it proves right
  const std::size_t written = ZSTD_decompress(text.get(), bytes, entry.payload.data(), entry.payload.size());
  if (ZSTD_isError(written) != 0 || written != bytes) {
    throw FatBinaryError("this fat binary's zstd-compressed PTX is damaged");
  }
  return {text.get(), bytes};
}

std::string decompress_lz4(const FatBinaryEntry& entry) {
  if (entry.payload.size() > LZ4_MAX_INPUT_SIZE || entry.text_bytes > entry.payload.size() * largest_lz4_ratio) {
    throw FatBinaryError("this fat binary's LZ4-compressed PTX is damaged");
  }
  std::string text(static_cast<std::size_t>(entry.text_bytes), '\0');
  const int written = LZ4_decompress_safe(reinterpret_cast<const char*>(entry.payload.data()), text.data(),
                                          static_cast<int>(entry.payload.size()), static_cast<int>(text.size()));
  if (written < 0 || static_cast<std::size_t>(written) != text.size()) {
    throw FatBinaryError("this fat binary's LZ4-compressed PTX is damaged");
  }
  return text;
}

std::string text_of(const FatBinaryEntry& entry) {
  if (entry.text_bytes > largest_text) {
    throw FatBinaryError(
        fmt::format("this fat binary is damaged: it claims PTX of {} bytes, more than the 256 MiB that are believed",
                    entry.text_bytes));
  }
  std::string text;
  switch (entry.compression) {
    case FatBinaryEntry::Compression::none:
      text.assign(reinterpret_cast<const char*>(entry.payload.data()), entry.payload.size());
      break;
    case FatBinaryEntry::Compression::lz4:
      text = decompress_lz4(entry);
      break;
    case FatBinaryEntry::Compression::zstd:
      text = decompress_zstd(entry);
      break;
  }
  // The text ends with a NUL, and uncompressed with padding.
  const std::size_t end = text.find('\0');
  if (end != std::string::npos) text.resize(end);
  return text;
}

/// compute_90 runs on 9.0 and later, compute_90a on 9.0 alone, compute_100f on later members of 10.x.
bool can_run(const FatBinaryEntry& entry, std::uint32_t compute_capability) {
  if (entry.kind != FatBinaryEntry::Kind::ptx) return false;
  switch (entry.feature) {
    case FatBinaryEntry::Feature::architecture_specific:
      return entry.architecture == compute_capability;
    case FatBinaryEntry::Feature::family_specific:
      return entry.architecture <= compute_capability && entry.architecture / 10 == compute_capability / 10;
    default:
      return entry.architecture <= compute_capability;
  }
}

std::string name_of(const FatBinaryEntry& entry) {
  std::string_view suffix;
  if (entry.feature == FatBinaryEntry::Feature::architecture_specific) suffix = "a";
  if (entry.feature == FatBinaryEntry::Feature::family_specific) suffix = "f";
  const std::string_view prefix = entry.kind == FatBinaryEntry::Kind::ptx ? "compute_" : "sm_";
  return fmt::format("{}{}{}", prefix, entry.architecture, suffix);
}

std::string list_of(const std::vector<FatBinaryEntry>& entries, FatBinaryEntry::Kind kind) {
  std::string list;
  for (const FatBinaryEntry& entry : entries) {
    if (entry.kind != kind) continue;
    if (!list.empty()) list += ", ";
    list += name_of(entry);
  }
  return list;
}

FatBinaryError nothing_fits(const std::vector<FatBinaryEntry>& entries, std::uint32_t compute_capability) {
  const std::string machine_code = list_of(entries, FatBinaryEntry::Kind::machine_code);
  const std::string ptx = list_of(entries, FatBinaryEntry::Kind::ptx);
  std::string what;
  if (!ptx.empty()) {
    what = fmt::format("this program's PTX ({}) is not for the simulated GPU, whose compute capability is {}.{}", ptx,
                       compute_capability / 10, compute_capability % 10);
  } else if (!machine_code.empty()) {
    what = fmt::format("this program holds no PTX, only machine code ({}), which the simulated GPU cannot run",
                       machine_code);
  } else {
    what = "this program holds no device code of its own: if it was compiled with -rdc=true, leave that out";
  }
  return FatBinaryError(fmt::format("{}; compile with `-gencode arch=compute_{},code=compute_{}`", what,
                                    compute_capability, compute_capability));
}

}  // namespace

std::vector<FatBinaryEntry> entries_of(std::span<const std::byte> fat_binary) {
  const Reader reader(fat_binary);
  if (reader.at<std::uint32_t>(0) != fat_binary_magic)
    throw FatBinaryError("this is no fat binary: its magic number is wrong");
  const auto header_bytes = reader.at<std::uint16_t>(6);
  if (header_bytes < fat_header_bytes) throw FatBinaryError("this fat binary is damaged: its header is too small");
  std::span<const std::byte> rest = reader.slice(header_bytes, reader.at<std::uint64_t>(8));

  std::vector<FatBinaryEntry> entries;
  while (!rest.empty()) {
    std::size_t entry_bytes = 0;
    entries.push_back(read_entry(rest, entry_bytes));
    rest = rest.subspan(entry_bytes);
  }
  return entries;
}

std::string ptx_for(std::span<const std::byte> fat_binary, std::uint32_t compute_capability) {
  const std::vector<FatBinaryEntry> entries = entries_of(fat_binary);
  const FatBinaryEntry* best = nullptr;
  const auto is_portable = [](const FatBinaryEntry& entry) {
    return entry.feature == FatBinaryEntry::Feature::portable;
  };
  for (const FatBinaryEntry& entry : entries) {
    if (!can_run(entry, compute_capability)) continue;
    const bool is_better = best == nullptr || entry.architecture > best->architecture ||
                           (entry.architecture == best->architecture && is_portable(entry) && !is_portable(*best));
    if (is_better) best = &entry;
  }
  if (best == nullptr) throw nothing_fits(entries, compute_capability);
  return text_of(*best);
}

std::string ptx_for_registered(const void* wrapper, std::uint32_t compute_capability) {
  struct Wrapper {
    std::uint32_t magic;
    std::uint32_t version;
    const std::byte* fat_binary;
  };
  if (wrapper == nullptr) throw FatBinaryError("a null pointer was registered as a fat binary");
  Wrapper head;
  std::memcpy(&head, wrapper, sizeof head);
  if (head.magic != wrapper_magic || head.fat_binary == nullptr) {
    throw FatBinaryError("what was registered is no fat binary: its magic number is wrong");
  }
  if (head.version != 1 && head.version != 2) {
    throw FatBinaryError(fmt::format("a fat binary of unknown version {} was registered", head.version));
  }
  const Reader header({head.fat_binary, fat_header_bytes});
  if (header.at<std::uint32_t>(0) != fat_binary_magic) {
    throw FatBinaryError("what was registered is no fat binary: its magic number is wrong");
  }
  const std::uint64_t bytes = header.at<std::uint16_t>(6) + header.at<std::uint64_t>(8);
  return ptx_for({head.fat_binary, static_cast<std::size_t>(bytes)}, compute_capability);
}

}  // namespace warpwright::ptx
