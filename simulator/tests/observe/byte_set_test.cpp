#include "observe/byte_set.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace warpwright::observe {
namespace {

/// Held against sets of the standard library, over three pages.
struct Both {
  void add(std::size_t offset, std::size_t bytes) {
    set.add(offset, bytes);
    for (std::size_t i = 0; i < bytes; ++i) plain.insert(offset + i);
  }
  ByteSet set;
  std::set<std::size_t> plain;
};

std::optional<std::size_t> first_common(const Both& one, const Both& other) {
  for (const std::size_t offset : one.plain)
    if (other.plain.contains(offset)) return offset;
  return std::nullopt;
}

constexpr std::size_t room = 3 * 4096;

Both random_set(std::mt19937& random) {
  Both made;
  for (int ranges = static_cast<int>(random() % 6); ranges > 0; --ranges) {
    const std::size_t offset = random() % room;
    const bool is_long = random() % 2 == 0;
    made.add(offset, 1 + random() % std::min<std::size_t>(room - offset, is_long ? room : 40));
  }
  return made;
}

TEST(AByteSet, HoldsWhatWasAddedAndNotRemoved) {
  std::mt19937 random(1);
  for (int round = 0; round < 2000; ++round) {
    Both one = random_set(random);
    const Both other = random_set(random), third = random_set(random);
    if (round % 2 == 0) {
      one.set.remove(other.set);
      for (const std::size_t offset : other.plain) one.plain.erase(offset);
    } else {
      one.set.add(other.set);
      one.plain.insert(other.plain.begin(), other.plain.end());
    }
    ASSERT_EQ(one.set.empty(), one.plain.empty());
    ASSERT_EQ(one.set.first_common(third.set), first_common(one, third));
    ASSERT_EQ(third.set.first_common(one.set), first_common(third, one));
  }
}

TEST(AByteSet, KnowsItsWholePages) {
  std::mt19937 random(2);
  for (int round = 0; round < 600; ++round) {
    const std::size_t page = round % 3 == 0 ? 8192 : 4096, size = 1 + random() % room;
    Both one = random_set(random);
    const Both more = random_set(random);
    one.set.add(more.set);
    one.plain.insert(more.plain.begin(), more.plain.end());
    for (std::size_t offset = 0; offset < room; offset += 7)
      ASSERT_EQ(one.set.contains(offset), one.plain.contains(offset));
    std::vector<ByteSet::Range> expected;
    for (std::size_t first = 0; first < size; first += page) {
      const std::size_t end = std::min(first + page, size);
      std::size_t there = 0;
      for (std::size_t offset = first; offset < end; ++offset) there += one.plain.count(offset);
      if (there != end - first) continue;
      if (!expected.empty() && expected.back().end == first)
        expected.back().end = end;
      else
        expected.push_back({first, end});
    }
    ASSERT_EQ(one.set.whole_pages(size, page), expected) << "of " << page << " bytes, up to " << size;
  }
}

TEST(AByteSet, TellsNeighbouringBytesApart) {
  ByteSet even, odd;
  for (std::size_t offset = 0; offset < room; offset += 2) {
    even.add(offset, 1);
    odd.add(offset + 1, 1);
  }
  EXPECT_EQ(even.first_common(odd), std::nullopt);
  odd.add(room - 2, 1);
  EXPECT_EQ(even.first_common(odd), room - 2);
}

}  // namespace
}  // namespace warpwright::observe
