#include "machine/contents.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdlib>
#include <new>

namespace warpwright::machine {
namespace {

constexpr std::size_t word_bits = 64;

/// Calls `change(word, mask)` for every word that holds some of the bits.
template <class Change>
void for_each_word(std::size_t first, std::size_t count, Change change) {
  while (count > 0) {
    const std::size_t bit = first % word_bits;
    const std::size_t here = std::min(count, word_bits - bit);
    const std::uint64_t ones = here == word_bits ? ~std::uint64_t{0} : (std::uint64_t{1} << here) - 1;
    change(first / word_bits, ones << bit);
    first += here;
    count -= here;
  }
}

void set(std::uint64_t* words, std::size_t first, std::size_t count) {
  for_each_word(first, count, [&](std::size_t word, std::uint64_t mask) {
    const std::atomic_ref<std::uint64_t> at(words[word]);
    if (mask == ~std::uint64_t{0})
      at.store(mask, std::memory_order_relaxed);
    else if ((at.load(std::memory_order_relaxed) & mask) != mask)
      at.fetch_or(mask, std::memory_order_relaxed);
  });
}

void clear(std::uint64_t* words, std::size_t first, std::size_t count) {
  for_each_word(first, count, [&](std::size_t word, std::uint64_t mask) {
    std::atomic_ref<std::uint64_t>(words[word]).fetch_and(~mask, std::memory_order_relaxed);
  });
}

bool has(const std::uint64_t* words, std::size_t bit) {
  return (std::atomic_ref<std::uint64_t>(const_cast<std::uint64_t&>(words[bit / word_bits]))
                  .load(std::memory_order_relaxed) >>
              (bit % word_bits) &
          1) != 0;
}

/// Zeroes that cost nothing until they are touched.
std::uint64_t* zeroes(std::size_t words) {
  auto* memory = static_cast<std::uint64_t*>(std::calloc(words, sizeof(std::uint64_t)));
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

Contents::Contents(std::size_t bytes)
    : words_((bytes + word_bits - 1) / word_bits + 1), defined_(zeroes(words_)), launched_(zeroes(words_)) {}

Contents::~Contents() {
  std::free(defined_);
  std::free(launched_);
}

bool Contents::is_defined(std::size_t offset, std::size_t bytes) const {
  if (given_up_) return true;
  bool all = true;
  for_each_word(offset, bytes, [&](std::size_t word, std::uint64_t mask) {
    all &= (std::atomic_ref<Word>(defined_[word]).load(std::memory_order_relaxed) & mask) == mask;
  });
  return all;
}

std::uint32_t Contents::undefined(std::size_t offset, std::size_t bytes) const {
  if (is_defined(offset, bytes)) return 0;
  std::uint32_t result = 0;
  for (std::size_t byte = 0; byte < bytes; ++byte)
    if (!has(defined_, offset + byte)) result |= 1u << byte;
  return result;
}

bool Contents::is_output(std::size_t offset) const { return given_up_ || has(launched_, offset); }

void Contents::launch_writes(std::size_t offset, std::size_t bytes) {
  set(defined_, offset, bytes);
  set(launched_, offset, bytes);
}

void Contents::host_writes(std::size_t offset, std::size_t bytes) {
  set(defined_, offset, bytes);
  clear(launched_, offset, bytes);
}

void Contents::undefine(std::size_t offset, std::size_t bytes) {
  clear(defined_, offset, bytes);
  set(launched_, offset, bytes);
}

void Contents::copy(std::size_t offset, const Contents& from, std::size_t from_offset, std::size_t bytes) {
  host_writes(offset, bytes);
  if (from.is_defined(from_offset, bytes)) return;
  for (std::size_t byte = 0; byte < bytes; ++byte)
    if (!has(from.defined_, from_offset + byte)) clear(defined_, offset + byte, 1);
}

std::vector<Contents::Gap> Contents::gaps(std::size_t offset, std::size_t bytes) const {
  std::vector<Gap> result;
  if (given_up_) return result;
  const auto add = [&](std::size_t at, std::size_t count) {
    if (!result.empty() && result.back().offset + result.back().bytes == at)
      result.back().bytes += count;
    else
      result.push_back({at, count});
  };
  for_each_word(offset, bytes, [&](std::size_t word, std::uint64_t mask) {
    const std::uint64_t missing = ~launched_[word] & mask;
    const std::size_t first = word * word_bits;
    if (missing == ~Word{0}) return add(first, word_bits);
    for (std::uint64_t rest = missing; rest != 0; rest &= rest - 1)
      add(first + static_cast<std::size_t>(std::countr_zero(rest)), 1);
  });
  return result;
}

}  // namespace warpwright::machine
