#include "terminal.h"

#include <gtest/gtest.h>

namespace warpwright::lab {
namespace {

TEST(Terminal, PrintsNoEscapesWithoutColour) {
  const Terminal plain(true, false, 80), coloured(true, true, 80);
  EXPECT_EQ(plain.red("failed"), "failed");
  EXPECT_EQ(coloured.red("failed"), "\033[31mfailed\033[0m");
  EXPECT_EQ(coloured.red(""), "");
}

TEST(Terminal, CountsCodePointsAsColumns) {
  EXPECT_EQ(columns("warp"), 4);
  EXPECT_EQ(columns("µs"), 2);
  EXPECT_EQ(pad("µs", 4), "µs  ");
}

TEST(Terminal, CutsBetweenCodePointsAndSaysSo) {
  EXPECT_EQ(cut("reduction", 9), "reduction");
  EXPECT_EQ(cut("reduction", 8), "reduc...");
  EXPECT_EQ(cut("ééééé", 4), "é...");
  EXPECT_EQ(cut("reduction", 2), "..");
  EXPECT_EQ(cut("reduction", 0), "");
}

TEST(Wrap, BreaksParagraphsAtTheWidth) {
  EXPECT_EQ(wrap("one two\nthree four", 9), "one two\nthree\nfour\n");
  EXPECT_EQ(wrap("one two three", 9, 2), "  one two\n  three\n");
  EXPECT_EQ(wrap("a_word_longer_than_the_line x", 9), "a_word_longer_than_the_line\nx\n");
}

TEST(Wrap, KeepsBlankLinesListsCodeAndFences) {
  EXPECT_EQ(wrap("one\n\ntwo", 80), "one\n\ntwo\n");
  EXPECT_EQ(wrap("- one\n- two", 80, 2), "  - one\n  - two\n");
  EXPECT_EQ(wrap("text:\n\n    t = 1\n    wait\n", 80), "text:\n\n    t = 1\n    wait\n");
  EXPECT_EQ(wrap("```\na b\nc d\n```\nlast", 4), "```\na b\nc d\n```\nlast\n");
}

TEST(Wrap, IndentsTheSecondLineOfANumberedItem) {
  EXPECT_EQ(wrap("1. one two\n2. three", 8), "1. one\n   two\n2. three\n");
}

TEST(Wrap, TakesALongListItemTogetherWithItsContinuation) {
  EXPECT_EQ(wrap("- one two three\n  four five\n- six", 12, 1), " - one two\n   three\n   four five\n - six\n");
}

TEST(Thousands, SeparatesGroupsOfThree) {
  EXPECT_EQ(thousands(0), "0");
  EXPECT_EQ(thousands(999), "999");
  EXPECT_EQ(thousands(1000), "1,000");
  EXPECT_EQ(thousands(1234567), "1,234,567");
}

}  // namespace
}  // namespace warpwright::lab
