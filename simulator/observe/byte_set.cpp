#include "observe/byte_set.h"

#include <algorithm>
#include <bit>

namespace warpwright::observe {

ByteSet::Page& ByteSet::page(std::size_t number) {
  const auto [entry, is_new] = pages_.try_emplace(number);
  if (is_new) entry->second.words = std::make_unique<Words>();
  return entry->second;
}

void ByteSet::add(std::size_t offset, std::size_t bytes) {
  const std::size_t end = offset + bytes;
  while (offset < end) {
    const std::size_t number = offset / page_bytes;
    const std::size_t stop = std::min(end, (number + 1) * page_bytes);
    add_to_page(number, offset % page_bytes, stop - number * page_bytes);
    offset = stop;
  }
}

void ByteSet::add_to_page(std::size_t number, std::size_t first, std::size_t end) {
  if (end - first == page_bytes) {
    pages_[number].words.reset();
    return;
  }
  Page& to = page(number);
  if (to.is_whole()) return;
  for (std::size_t word = first / word_bits; word * word_bits < end; ++word) {
    const std::size_t from = std::max(first, word * word_bits) - word * word_bits;
    const std::size_t count = std::min(end - word * word_bits, word_bits) - from;
    const std::uint64_t ones = count == word_bits ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
    (*to.words)[word] |= ones << from;
  }
  // A page fills up from one end to the other, as a rule: the other end tells when to look at the rest.
  if ((first == 0 || end == page_bytes) && std::ranges::all_of(*to.words, [](auto word) { return ~word == 0; }))
    to.words.reset();
}

void ByteSet::add(const ByteSet& other) {
  for (const auto& [number, from] : other.pages_) {
    if (from.is_whole()) {
      pages_[number].words.reset();
      continue;
    }
    Page& to = page(number);
    if (to.is_whole()) continue;
    for (std::size_t word = 0; word < to.words->size(); ++word) (*to.words)[word] |= (*from.words)[word];
    if (std::ranges::all_of(*to.words, [](auto word) { return ~word == 0; })) to.words.reset();
  }
}

void ByteSet::remove(const ByteSet& other) {
  for (auto at = pages_.begin(); at != pages_.end();) {
    const auto there = other.pages_.find(at->first);
    if (there == other.pages_.end()) {
      ++at;
      continue;
    }
    Page& page = at->second;
    if (page.is_whole() && !there->second.is_whole()) {
      page.words = std::make_unique<Words>();
      page.words->fill(~std::uint64_t{0});
    }
    bool any = false;
    if (!there->second.is_whole())
      for (std::size_t word = 0; word < page.words->size(); ++word)
        any |= ((*page.words)[word] &= ~there->second.word(word)) != 0;
    at = any ? std::next(at) : pages_.erase(at);
  }
}

bool ByteSet::contains(std::size_t offset) const {
  const auto found = pages_.find(offset / page_bytes);
  const std::size_t bit = offset % page_bytes;
  return found != pages_.end() && (found->second.word(bit / word_bits) >> bit % word_bits & 1) != 0;
}

std::vector<ByteSet::Range> ByteSet::whole_pages(std::size_t size, std::size_t page) const {
  std::vector<Range> ranges;
  std::size_t at = 0;  // [at, end) is all there
  const auto close = [&](std::size_t end) {
    const std::size_t first = (at + page - 1) / page * page;
    const std::size_t last = end == size ? end : end / page * page;
    if (first < last) ranges.push_back({first, last});
  };
  std::size_t end = 0;
  for (const auto& [number, entry] : pages_) {
    const std::size_t start = number * page_bytes, stop = std::min(start + page_bytes, size);
    bool is_whole = true;
    for (std::size_t offset = start; is_whole && offset < stop; offset += word_bits) {
      const std::uint64_t missing = ~entry.word((offset - start) / word_bits);
      is_whole = stop - offset >= word_bits ? missing == 0 : missing << (word_bits - (stop - offset)) == 0;
    }
    if (!is_whole) continue;
    if (start != end) {
      close(end);
      at = start;
    }
    end = stop;
  }
  close(end);
  return ranges;
}

std::optional<std::size_t> ByteSet::first_common(const ByteSet& other) const {
  auto mine = pages_.begin();
  auto theirs = other.pages_.begin();
  while (mine != pages_.end() && theirs != other.pages_.end()) {
    if (mine->first < theirs->first) {
      mine = pages_.lower_bound(theirs->first);
      continue;
    }
    if (theirs->first < mine->first) {
      theirs = other.pages_.lower_bound(mine->first);
      continue;
    }
    for (std::size_t word = 0; word < page_bytes / word_bits; ++word)
      if (const std::uint64_t both = mine->second.word(word) & theirs->second.word(word); both != 0)
        return mine->first * page_bytes + word * word_bits + static_cast<std::size_t>(std::countr_zero(both));
    ++mine;
    ++theirs;
  }
  return std::nullopt;
}

}  // namespace warpwright::observe
