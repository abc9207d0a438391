#include "hints.h"

#include <gtest/gtest.h>

#include "problem.h"

namespace warpwright::lab {
namespace {

TEST(Hints, AreThreeTiersAndWhatIsSaidAfterwards) {
  const Hints hints = Hints::parse(
      "# reduce.v1: whole warps\n\n## Idea\n\nPick the first.\n\n## Where to look\n\nOne line.\n\n"
      "## Pseudocode\n\n    i = 2\n\n## Afterwards\n\nConflicts rose.\n");
  ASSERT_EQ(hints.tiers.size(), 3u);
  EXPECT_EQ(hints.tiers[0].title, "Idea");
  EXPECT_EQ(hints.tiers[0].text, "Pick the first.");
  EXPECT_EQ(hints.tiers[1].title, "Where to look");
  EXPECT_EQ(hints.tiers[2].text, "    i = 2");
  EXPECT_EQ(hints.afterwards, "Conflicts rose.");
}

TEST(Hints, TakeAHeadingInsideAFenceForText) {
  const Hints hints = Hints::parse("## Idea\n```\n## not a heading\n```\n");
  ASSERT_EQ(hints.tiers.size(), 1u);
  EXPECT_EQ(hints.tiers[0].text, "```\n## not a heading\n```");
  EXPECT_EQ(hints.afterwards, "");
}

TEST(Hints, AreMissedWhenThereAreNone) { EXPECT_THROW(Hints::parse("# reduce.v1: whole warps\n"), Problem); }

}  // namespace
}  // namespace warpwright::lab
