#include "plausible.h"

#include <gtest/gtest.h>

namespace warpwright {
namespace {

TEST(Plausible, AKernelMayReachTheRoofAndWriteIntoTheL2) {
  EXPECT_TRUE(is_plausible(100e-6, 100e-6));
  EXPECT_TRUE(is_plausible(51e-6, 100e-6));
  EXPECT_TRUE(is_plausible(1, 100e-6));
}

TEST(Plausible, ALaunchIsNoKernel) {
  // A copy of 2^26 floats on a card that reads 4.8 TB/s, timed by its launch alone.
  EXPECT_FALSE(is_plausible(3e-6, 8.0 * (1 << 26) / 4.8e12));
}

}  // namespace
}  // namespace warpwright
