#include "nearest.h"

#include <gtest/gtest.h>

namespace warpwright::lab {
namespace {

TEST(Nearest, CountsOneSlipForEachWayToMistype) {
  EXPECT_EQ(slips_between("reduce", "reduce"), 0);
  EXPECT_EQ(slips_between("reduce", "redce"), 1);    // dropped
  EXPECT_EQ(slips_between("reduce", "reducce"), 1);  // doubled
  EXPECT_EQ(slips_between("reduce", "redice"), 1);   // replaced
  EXPECT_EQ(slips_between("reduce", "redcue"), 1);   // neighbours swapped
  EXPECT_EQ(slips_between("", "abc"), 3);
  EXPECT_EQ(slips_between("kitten", "sitting"), 3);
}

TEST(Nearest, FindsTheExerciseThatWasMeant) {
  const std::vector<std::string> names = {"warps.identify", "reduce.v0", "reduce.v1", "reduce.v2"};
  EXPECT_EQ(nearest("reduce.v11", names), "reduce.v1");
  EXPECT_EQ(nearest("Reduce.V2", names), "reduce.v2");
  EXPECT_EQ(nearest("warp.identify", names), "warps.identify");
}

TEST(Nearest, GoesOnWithWhatWasBegun) {
  EXPECT_EQ(nearest("--sol", {"--on", "--solution"}), "--solution");
  EXPECT_EQ(nearest("--s", {"--on", "--solution"}), "--solution");
  EXPECT_EQ(nearest("--", {"--solution", "--on"}), "--on") << "too little to go on with";
}

TEST(Nearest, TakesTheFirstOfEquals) { EXPECT_EQ(nearest("reduce.v9", {"reduce.v0", "reduce.v1"}), "reduce.v0"); }

TEST(Nearest, SaysNothingWhenNothingIsNear) {
  EXPECT_EQ(nearest("histogram", {"reduce.v0", "warps.identify"}), "");
  EXPECT_EQ(nearest("xy", {"ab"}), "");
  EXPECT_EQ(nearest("", {"ab"}), "");
  EXPECT_EQ(nearest("reduce", {}), "");
}

}  // namespace
}  // namespace warpwright::lab
