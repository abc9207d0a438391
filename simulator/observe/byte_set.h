// Problem: what an operation has touched of an array is most often all of it, or every so many bytes of it, and arrays
// are large.
// Idea: pages of 4096 bytes, made as they are touched, with a bit for each byte. A page that is touched as a whole
// needs no bits.
// Invariant: no page is empty.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace warpwright::observe {

/// A set of offsets in an allocation.
class ByteSet {
 public:
  void add(std::size_t offset, std::size_t bytes);
  void add(const ByteSet& other);
  void remove(const ByteSet& other);

  bool empty() const { return pages_.empty(); }
  bool contains(std::size_t offset) const;
  /// Ranges of pages of `page` bytes, a multiple of ours, that are in the set as a whole, in ascending order; the last
  /// page of an allocation of `size` bytes ends there.
  struct Range {
    std::size_t first, end;
    bool operator==(const Range&) const = default;
  };
  std::vector<Range> whole_pages(std::size_t size, std::size_t page) const;
  /// The lowest offset that is in both.
  std::optional<std::size_t> first_common(const ByteSet& other) const;

 private:
  static constexpr std::size_t page_bytes = 4096;
  static constexpr std::size_t word_bits = 64;
  using Words = std::array<std::uint64_t, page_bytes / word_bits>;

  /// Without words: all of it.
  struct Page {
    std::unique_ptr<Words> words = nullptr;
    bool is_whole() const { return words == nullptr; }
    std::uint64_t word(std::size_t number) const { return is_whole() ? ~std::uint64_t{0} : (*words)[number]; }
  };

  void add_to_page(std::size_t number, std::size_t first, std::size_t end);
  Page& page(std::size_t number);

  std::map<std::size_t, Page> pages_;
};

}  // namespace warpwright::observe
