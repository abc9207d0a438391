#include "ptx/fat_binary.h"

#include <gtest/gtest.h>
#include <lz4.h>
#include <zstd.h>

#include <cstring>
#include <random>

namespace warpwright::ptx {
namespace {

using Kind = FatBinaryEntry::Kind;
using Compression = FatBinaryEntry::Compression;
using Feature = FatBinaryEntry::Feature;

const std::string mending = "; compile with `-gencode arch=compute_90,code=compute_90`";

std::string ptx_text(int architecture) {
  std::string text = "\n.version 9.0\n.target sm_" + std::to_string(architecture) + "\n.address_size 64\n";
  for (int i = 0; i < 50; ++i) text += "// a line that compresses well\n";
  return text;
}

/// Writes the container byte by byte, as fat_binary.h describes it.
class Writer {
 public:
  template <typename Integer>
  void put(Integer value) {
    for (std::size_t i = 0; i < sizeof(Integer); ++i) bytes_ += static_cast<char>(value >> (8 * i));
  }

  void add(std::uint16_t kind, std::uint32_t architecture, const std::string& content,
           Compression compression = Compression::none, Feature feature = Feature::portable) {
    const std::string text = content + '\0';
    std::string payload = text;
    std::uint64_t flags = 0x11;
    if (compression == Compression::zstd) {
      payload.resize(ZSTD_compressBound(text.size()));
      payload.resize(ZSTD_compress(payload.data(), payload.size(), text.data(), text.size(), 3));
      flags |= 0x8000;
    } else if (compression == Compression::lz4) {
      payload.resize(LZ4_compressBound(static_cast<int>(text.size())));
      payload.resize(LZ4_compress_default(text.data(), payload.data(), static_cast<int>(text.size()),
                                          static_cast<int>(payload.size())));
      flags |= 0x2000;
    }
    if (feature == Feature::architecture_specific) flags |= 0x100000;
    if (feature == Feature::family_specific) flags |= 0x200000;
    const bool is_compressed = compression != Compression::none;
    const auto compressed_bytes = static_cast<std::uint32_t>(is_compressed ? payload.size() : 0);
    payload.resize((payload.size() + 7) / 8 * 8, '\0');

    put<std::uint16_t>(kind);
    put<std::uint16_t>(0x101);
    put<std::uint32_t>(72);  // header size: with a name of eight bytes
    put<std::uint64_t>(payload.size());
    put<std::uint32_t>(compressed_bytes);
    put<std::uint32_t>(64);
    put<std::uint32_t>(0x90000);
    put<std::uint32_t>(architecture);
    put<std::uint32_t>(64);
    put<std::uint32_t>(4);
    put<std::uint64_t>(flags);
    put<std::uint64_t>(0);
    put<std::uint64_t>(is_compressed ? text.size() : 0);
    bytes_ += std::string("k.cu\0\0\0\0", 8);
    bytes_ += payload;
  }

  std::string container() const {
    Writer head;
    head.put<std::uint32_t>(0xba55ed50);
    head.put<std::uint16_t>(1);
    head.put<std::uint16_t>(16);
    head.put<std::uint64_t>(bytes_.size());
    return head.bytes_ + bytes_;
  }

 private:
  std::string bytes_;
};

std::span<const std::byte> bytes_of(const std::string& text) { return std::as_bytes(std::span(text)); }

std::string container_of(Compression compression) {
  Writer writer;
  writer.add(1, 90, ptx_text(90), compression);
  return writer.container();
}

std::string refusal_of(const std::string& container) {
  try {
    ptx_for(bytes_of(container), 90);
  } catch (const FatBinaryError& error) {
    return error.what();
  }
  return "";
}

TEST(FatBinaries, GiveTheirTextInEveryCompression) {
  for (const Compression compression : {Compression::none, Compression::lz4, Compression::zstd}) {
    const std::string container = container_of(compression);
    EXPECT_EQ(ptx_for(bytes_of(container), 90), ptx_text(90));
  }
}

TEST(FatBinaries, ListTheirEntries) {
  Writer writer;
  writer.add(2, 86, "machine code");
  writer.add(1, 90, ptx_text(90), Compression::lz4, Feature::architecture_specific);
  const std::string container = writer.container();
  const std::vector<FatBinaryEntry> entries = entries_of(bytes_of(container));
  ASSERT_EQ(entries.size(), 2u);
  EXPECT_EQ(entries[0].kind, Kind::machine_code);
  EXPECT_EQ(entries[0].architecture, 86u);
  EXPECT_EQ(entries[0].compression, Compression::none);
  EXPECT_EQ(entries[1].kind, Kind::ptx);
  EXPECT_EQ(entries[1].compression, Compression::lz4);
  EXPECT_EQ(entries[1].feature, Feature::architecture_specific);
  EXPECT_EQ(entries[1].text_bytes, ptx_text(90).size() + 1);
}

TEST(FatBinaries, ChooseTheNewestPtxThatTheDeviceCanRun) {
  Writer writer;
  writer.add(2, 90, "machine code");
  writer.add(1, 80, ptx_text(80));
  writer.add(1, 100, ptx_text(100));
  writer.add(1, 89, ptx_text(89), Compression::zstd);
  writer.add(1, 75, ptx_text(75));
  const std::string container = writer.container();
  EXPECT_EQ(ptx_for(bytes_of(container), 90), ptx_text(89));
  EXPECT_EQ(ptx_for(bytes_of(container), 100), ptx_text(100));
  EXPECT_EQ(ptx_for(bytes_of(container), 75), ptx_text(75));
}

TEST(FatBinaries, TakeArchitectureSpecificPtxOnlyForThatArchitecture) {
  Writer specific;
  specific.add(1, 90, "specific", Compression::none, Feature::architecture_specific);
  specific.add(1, 80, "portable");
  const std::string container = specific.container();
  EXPECT_EQ(ptx_for(bytes_of(container), 90), "specific");
  EXPECT_EQ(ptx_for(bytes_of(container), 100), "portable");

  Writer family;
  family.add(1, 100, "family", Compression::none, Feature::family_specific);
  const std::string family_container = family.container();
  EXPECT_EQ(ptx_for(bytes_of(family_container), 103), "family");
  EXPECT_THROW(ptx_for(bytes_of(family_container), 110), FatBinaryError);
}

TEST(FatBinaries, PreferPortablePtxOfTheSameArchitecture) {
  for (const bool portable_first : {false, true}) {
    Writer writer;
    if (portable_first) writer.add(1, 90, "portable");
    writer.add(1, 90, "specific", Compression::none, Feature::architecture_specific);
    if (!portable_first) writer.add(1, 90, "portable");
    const std::string container = writer.container();
    EXPECT_EQ(ptx_for(bytes_of(container), 90), "portable");
  }
}

TEST(FatBinaries, WithoutPtxSayHowToCompile) {
  Writer machine_code;
  machine_code.add(2, 90, "machine code");
  machine_code.add(2, 80, "machine code");
  EXPECT_EQ(
      refusal_of(machine_code.container()),
      "this program holds no PTX, only machine code (sm_90, sm_80), which the simulated GPU cannot run" + mending);

  Writer newer;
  newer.add(1, 100, ptx_text(100));
  newer.add(1, 120, ptx_text(120), Compression::none, Feature::family_specific);
  newer.add(2, 90, "machine code");
  EXPECT_EQ(
      refusal_of(newer.container()),
      "this program's PTX (compute_100, compute_120f) is not for the simulated GPU, whose compute capability is 9.0" +
          mending);

  EXPECT_EQ(
      refusal_of(Writer().container()),
      "this program holds no device code of its own: if it was compiled with -rdc=true, leave that out" + mending);
}

TEST(FatBinaries, AreFoundThroughTheRegisteredWrapper) {
  const std::string container = container_of(Compression::zstd);
  struct {
    std::uint32_t magic = 0x466243b1;
    std::uint32_t version = 1;
    const void* fat_binary = nullptr;
    void* unused = nullptr;
  } wrapper;
  wrapper.fat_binary = container.data();
  EXPECT_EQ(ptx_for_registered(&wrapper, 90), ptx_text(90));
  wrapper.version = 3;
  EXPECT_THROW(ptx_for_registered(&wrapper, 90), FatBinaryError);
  wrapper.version = 2;
  EXPECT_EQ(ptx_for_registered(&wrapper, 90), ptx_text(90));
  wrapper.magic = 0;
  EXPECT_THROW(ptx_for_registered(&wrapper, 90), FatBinaryError);
  wrapper.magic = 0x466243b1;
  wrapper.fat_binary = &wrapper;
  EXPECT_THROW(ptx_for_registered(&wrapper, 90), FatBinaryError);
  wrapper.fat_binary = nullptr;
  EXPECT_THROW(ptx_for_registered(&wrapper, 90), FatBinaryError);
  EXPECT_THROW(ptx_for_registered(nullptr, 90), FatBinaryError);
}

TEST(FatBinaries, CutShortAtAnyLengthAreRefused) {
  for (const Compression compression : {Compression::none, Compression::lz4, Compression::zstd}) {
    const std::string container = container_of(compression);
    for (std::size_t length = 0; length < container.size(); ++length) {
      // A copy of exactly this length, so that a sanitizer sees any read beyond it.
      const std::vector<char> cut(container.begin(), container.begin() + static_cast<std::ptrdiff_t>(length));
      EXPECT_THROW(ptx_for(std::as_bytes(std::span(cut)), 90), FatBinaryError) << length;
    }
  }
}

TEST(FatBinaries, WithAnySingleByteChangedAreReadOrRefused) {
  std::mt19937 random(1);
  for (const Compression compression : {Compression::none, Compression::lz4, Compression::zstd}) {
    const std::string container = container_of(compression);
    for (std::size_t at = 0; at < container.size(); ++at) {
      for (const int change : {0x01, 0x80, 0xff, static_cast<int>(random() % 255 + 1)}) {
        std::string damaged = container;
        damaged[at] = static_cast<char>(damaged[at] ^ change);
        try {
          EXPECT_LE(ptx_for(bytes_of(damaged), 90).size(), std::size_t{256} << 20);
        } catch (const FatBinaryError&) {
        }
      }
    }
  }
}

TEST(FatBinaries, WithDamagedHeadersSayWhatIsWrong) {
  const auto damaged = [](Compression compression, std::size_t at, const std::string& bytes) {
    std::string container = container_of(compression);
    container.replace(at, bytes.size(), bytes);
    return refusal_of(container);
  };
  constexpr std::size_t entry = 16;
  const std::string huge("\xff\xff\xff\xff\xff\xff\xff\x7f", 8);
  EXPECT_EQ(damaged(Compression::none, 0, "X"), "this is no fat binary: its magic number is wrong");
  EXPECT_EQ(damaged(Compression::none, 6, std::string(1, '\x08')),
            "this fat binary is damaged: its header is too small");
  EXPECT_EQ(damaged(Compression::none, 8, huge), "this fat binary is cut short");
  EXPECT_EQ(damaged(Compression::none, entry + 4, std::string(1, '\x3f')),
            "this fat binary is damaged: an entry's header is too small");
  EXPECT_EQ(damaged(Compression::none, entry + 8, huge), "this fat binary is cut short");
  EXPECT_EQ(damaged(Compression::zstd, entry + 16, std::string("\xff\xff", 2)),
            "this fat binary is damaged: an entry claims more compressed bytes than it holds");
  EXPECT_EQ(damaged(Compression::zstd, entry + 56, huge),
            "this fat binary is damaged: it claims PTX of 9223372036854775807 bytes, more than the 256 MiB that are "
            "believed");
  EXPECT_EQ(damaged(Compression::zstd, entry + 56, std::string(1, '\x01')),
            "this fat binary's zstd-compressed PTX is damaged");
  EXPECT_EQ(damaged(Compression::lz4, entry + 56, std::string("\x01\x00", 2)),
            "this fat binary's LZ4-compressed PTX is damaged");
  EXPECT_EQ(damaged(Compression::lz4, entry + 56, std::string("\0\0\0\x01", 4)),
            "this fat binary's LZ4-compressed PTX is damaged")
      << "16 MiB out of a few hundred bytes are more than LZ4 can code";
}

}  // namespace
}  // namespace warpwright::ptx
