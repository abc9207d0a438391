#include "observe/paths.h"

#include <gtest/gtest.h>

#include "scene.h"

namespace warpwright::observe::testing {
namespace {

TEST(Paths, LeadForwardUnlessABarrierLiesBetween) {
  Scene scene(1, 32);
  const auto a = scene.at_line(1, "st.shared.f32");
  const auto b = scene.at_line(2, "ld.shared.f32");
  scene.at_line(3, "bar.warp.sync -1");
  const auto c = scene.at_line(4, "ld.shared.f32");
  const auto barrier = scene.at_line(5, "bar.sync 0");
  const auto d = scene.at_line(6, "ld.shared.f32");
  EXPECT_TRUE(leads_to(scene.program, a, b, false));
  EXPECT_FALSE(leads_to(scene.program, b, a, false));
  EXPECT_FALSE(leads_to(scene.program, a, a, false));
  EXPECT_FALSE(leads_to(scene.program, a, c, false));
  EXPECT_TRUE(leads_to(scene.program, a, c, true));
  EXPECT_TRUE(leads_to(scene.program, a, barrier, true));
  EXPECT_FALSE(leads_to(scene.program, a, d, true));
}

TEST(Paths, FollowBranchesAndEndAtAnExit) {
  Scene scene(1, 32);
  const auto a = scene.at_line(1, "st.shared.f32");
  const auto skip = scene.at_line(2, "@%p1 bra $L1");
  const auto b = scene.at_line(3, "ld.shared.f32");
  const auto back = scene.at_line(4, "bra $L0");
  const auto c = scene.at_line(5, "ld.shared.f32");
  const auto exit = scene.at_line(6, "ret");
  const auto d = scene.at_line(7, "ld.shared.f32");
  scene.program.code[skip].target = c;
  scene.program.code[skip].guard = 0;
  scene.program.code[back].target = a;
  scene.program.code[exit].flow = machine::Flow::exit;
  EXPECT_TRUE(leads_to(scene.program, a, b, true));
  EXPECT_TRUE(leads_to(scene.program, a, c, true));
  EXPECT_TRUE(leads_to(scene.program, b, a, true));
  EXPECT_TRUE(leads_to(scene.program, a, a, true));
  EXPECT_TRUE(leads_to(scene.program, b, c, true));
  EXPECT_FALSE(leads_to(scene.program, c, a, true));
  EXPECT_FALSE(leads_to(scene.program, c, d, true));
}

}  // namespace
}  // namespace warpwright::observe::testing
