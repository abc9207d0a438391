#include "words.h"

#include <gtest/gtest.h>

namespace warpwright {
namespace {

TEST(Words, GroupDigitsByThousands) {
  EXPECT_EQ(thousands(0), "0");
  EXPECT_EQ(thousands(999), "999");
  EXPECT_EQ(thousands(1000), "1,000");
  EXPECT_EQ(thousands(1048576), "1,048,576");
}

TEST(Words, TellOneFromMany) {
  EXPECT_EQ(so_many(0, "byte"), "0 bytes");
  EXPECT_EQ(so_many(1, "byte"), "1 byte");
  EXPECT_EQ(so_many(4096, "byte"), "4,096 bytes");
}

TEST(Words, ShowWholeCountsWithoutDecimals) {
  EXPECT_EQ(count_text(143360), "143,360");
  EXPECT_EQ(count_text(2.5), "2.50");
}

TEST(Words, ReadAClaimAsASentence) {
  EXPECT_EQ(words_of("NoTwoLanesWaitForOneBank"), "no two lanes wait for one bank");
  EXPECT_EQ(words_of("KeepsNaNAndInfinity"), "keeps NaN and infinity");
  EXPECT_EQ(words_of("ReadsTheL2Once"), "reads the L2 once");
  EXPECT_EQ(words_of("AddsATree"), "adds a tree");
  EXPECT_EQ(words_of("Sums32Values"), "sums 32 values");
  EXPECT_EQ(words_of("V1MendsV0"), "V1 mends V0");
  EXPECT_EQ(words_of("Contract"), "contract");
}

TEST(Words, WrapAtSpacesAndKeepLineBreaks) {
  EXPECT_EQ(wrap("one two three", 2, 9), "  one two\n  three");
  EXPECT_EQ(wrap("one\ntwo", 1, 80), " one\n two");
  EXPECT_EQ(wrap("indivisible word", 0, 5), "indivisible\nword");
  EXPECT_EQ(wrap("", 2, 80), "  ");
}

TEST(Words, QuoteASourceLineWithoutItsIndentation) {
  EXPECT_EQ(source_line("common/words.h", 1), "#pragma once");
  EXPECT_EQ(source_line("common/words.h", 0), "");
  EXPECT_EQ(source_line("common/words.h", 100000), "");
  EXPECT_EQ(source_line("no/such/file", 1), "");
}

TEST(Words, ShowPathsOutsideTheRepositoryAsTheyAre) {
  EXPECT_EQ(shown_path("/usr/include/math.h"), "/usr/include/math.h");
}

}  // namespace
}  // namespace warpwright
