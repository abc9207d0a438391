#include "machine/contents.h"

#include <gtest/gtest.h>

#include <thread>

namespace warpwright::machine {
namespace {

using Gaps = std::vector<std::pair<std::size_t, std::size_t>>;

Gaps gaps_of(const Contents& contents, std::size_t bytes) {
  Gaps found;
  for (const Contents::Gap& gap : contents.gaps(0, bytes)) found.emplace_back(gap.offset, gap.bytes);
  return found;
}

TEST(Contents, NothingIsDefinedAtFirst) {
  const Contents contents(1000);
  EXPECT_FALSE(contents.is_defined(0, 1));
  EXPECT_FALSE(contents.is_defined(999, 1));
  EXPECT_EQ(contents.undefined(100, 16), 0xffffu);
}

TEST(Contents, KnowsEveryByte) {
  Contents contents(1000);
  contents.host_writes(61, 7);  // across two words
  EXPECT_TRUE(contents.is_defined(61, 7));
  EXPECT_FALSE(contents.is_defined(60, 2));
  EXPECT_FALSE(contents.is_defined(67, 2));
  EXPECT_EQ(contents.undefined(60, 10), 0b1100000001u);
}

TEST(Contents, WhatOnlyTheHostWroteIsNoOutput) {
  Contents contents(300);
  contents.host_writes(0, 300);
  contents.launch_writes(10, 200);
  contents.launch_writes(250, 1);
  EXPECT_EQ(gaps_of(contents, 300), (Gaps{{0, 10}, {210, 40}, {251, 49}}));
  contents.host_writes(0, 300);
  EXPECT_EQ(gaps_of(contents, 300), (Gaps{{0, 300}}));
}

TEST(Contents, ACopyOfUndefinedBytesIsUndefined) {
  Contents from(100);
  Contents to(100);
  from.host_writes(3, 4);
  to.copy(50, from, 0, 10);
  EXPECT_EQ(to.undefined(50, 10), 0b1110000111u);
  to.undefine(53, 1);
  EXPECT_EQ(to.undefined(50, 10), 0b1110001111u);
}

TEST(Contents, WhatIsGivenUpCountsAsWritten) {
  Contents contents(100);
  contents.give_up();
  EXPECT_TRUE(contents.is_defined(0, 100));
  EXPECT_TRUE(gaps_of(contents, 100).empty());
}

TEST(Contents, ThreadsLoseNothing) {
  Contents contents(4096);
  const auto every_second = [&](std::size_t first) {
    for (std::size_t at = first; at < 4096; at += 2) contents.launch_writes(at, 1);
  };
  {
    const std::jthread even([&] { every_second(0); });
    const std::jthread odd([&] { every_second(1); });
  }
  EXPECT_TRUE(contents.is_defined(0, 4096));
  EXPECT_TRUE(gaps_of(contents, 4096).empty());
}

}  // namespace
}  // namespace warpwright::machine
