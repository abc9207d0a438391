#include <fmt/core.h>
#include <gtest/gtest.h>

#include "machine/kernel.h"

namespace warpwright::kernels {
namespace {

constexpr std::array<const char*, 31> forms = {"membar.cta",
                                               "membar.gl",
                                               "membar.sys",
                                               "fence.sc.cta",
                                               "fence.sc.cluster",
                                               "fence.sc.gpu",
                                               "fence.sc.sys",
                                               "fence.acq_rel.cta",
                                               "fence.acq_rel.gpu",
                                               "fence.acq_rel.sys",
                                               "fence.acquire.gpu",
                                               "fence.release.cta",
                                               "fence.gpu",
                                               "fence.proxy.alias",
                                               "fence.proxy.async",
                                               "fence.mbarrier_init.release.cluster",
                                               "fence.acquire.sync_restrict::shared::cluster.cluster",
                                               "fence.proxy.async::generic.release.sync_restrict::shared::cta.cluster",
                                               "prefetch.L2::evict_last [%outs]",
                                               "applypriority.global.L2::evict_normal [%outs], 128",
                                               "createpolicy.fractional.L2::evict_first.b64 %rd1, 0.5",
                                               "nanosleep.u32 100",
                                               "nanosleep.u32 %r1",
                                               "prefetch.global.L1 [%outs]",
                                               "prefetch.L2 [%outs]",
                                               "prefetchu.L1 [%outs]",
                                               "prefetch.global.L2::evict_last [%outs]",
                                               "pmevent 1",
                                               "pmevent.mask 3",
                                               "griddepcontrol.wait",
                                               "griddepcontrol.launch_dependents"};

TEST(Quiet, InstructionsChangeNothing) {
  for (const char* form : forms) {
    const Outcome outcome = run(fmt::format("mov.u32 %r1, 5; {}; st.global.u32 [%out], %r1;", form));
    EXPECT_EQ(outcome.status, LaunchStatus::finished) << form;
    EXPECT_EQ(outcome.out[31], 5u) << form;
    EXPECT_EQ(outcome.events.accesses.size(), 1u) << form << ": the store only";
  }
}

TEST(Quiet, PausesAndFencesInALoopLetOthersWork) {
  for (const char* form : {"membar.gl", "fence.acq_rel.gpu", "nanosleep.u32 20"}) {
    // The loop's own load is a plain one.
    const Outcome outcome = run(fmt::format(R"(
      setp.ne.u32 %p1, %warp, 0;
      @%p1 bra write;
    wait:
      {};
      ld.global.u32 %r1, [%ins];
      setp.eq.u32 %p2, %r1, 0;
      @%p2 bra wait;
      bra done;
    write:
      st.global.u32 [%ins], 1;)",
                                            form),
                                {.block = {64, 1, 1}, .step_budget = 100000});
    EXPECT_EQ(outcome.status, LaunchStatus::finished) << form;
  }
}

TEST(Discard, LeavesNothingThatAProgramCouldRelyOnInALine) {
  const Outcome outcome =
      run("mov.u32 %r1, 5; st.global.u32 [%out], %r1; setp.eq.u32 %p1, %lane, 0;"
          "@%p1 discard.global.L2 [%outs], 128;",
          {.block = {64, 1, 1}});
  ASSERT_EQ(outcome.status, LaunchStatus::finished);
  // The second line is left alone. (Only the first warp's lane 0 discards: the second's would do so again.)
  EXPECT_EQ(outcome.out[63], 5u);
  EXPECT_NE(outcome.out[31], 5u);
}

TEST(Discard, IsForWholeLinesOfOneObject) {
  EXPECT_EQ(run("discard.global.L2 [%outs+64], 128;", {.words = 64}).status, LaunchStatus::faulted);
  const Outcome outcome = run("discard.L2 [%outs], 128;", {.words = 31});
  ASSERT_EQ(outcome.status, LaunchStatus::faulted);
  EXPECT_EQ(outcome.events.faults.at(0).kind, observe::FaultKind::out_of_bounds);
}

TEST(Trap, EndsTheLaunchAndNamesTheLanes) {
  const Outcome outcome = run(R"(
    setp.eq.u32 %p1, %lane, 9;
    st.global.u32 [%out], 1;
    @%p1 trap;
    st.global.u32 [%out], 2;)",
                              {.grid = {2, 1, 1}});
  EXPECT_EQ(outcome.status, LaunchStatus::faulted);
  ASSERT_EQ(outcome.events.faults.size(), 1u);
  const Fault& fault = outcome.events.faults[0];
  EXPECT_EQ(fault.kind, observe::FaultKind::trap);
  EXPECT_EQ(fault.lanes, 1u << 9);
  EXPECT_EQ(outcome.text_of(fault), "@%p1 trap");
  EXPECT_EQ(outcome.out[0], 1u);
  EXPECT_EQ(outcome.out[63], unwritten);
}

TEST(Breakpoint, EndsTheLaunchAsATrapDoes) {
  const Outcome outcome = run("st.global.u32 [%out], 1; brkpt; st.global.u32 [%out], 2;");
  EXPECT_EQ(outcome.status, LaunchStatus::faulted);
  EXPECT_EQ(outcome.events.faults.at(0).kind, observe::FaultKind::trap);
  EXPECT_EQ(outcome.events.faults.at(0).text, "a breakpoint, and there is no debugger");
  EXPECT_EQ(outcome.out[0], 1u);
}

TEST(Trap, ThatNoLaneReachesDoesNothing) {
  EXPECT_EQ(run("setp.gt.u32 %p1, %lane, 40; @%p1 trap;").status, LaunchStatus::finished);
}

TEST(Trap, IsFoundInTheMiddleOfARun) {
  const Outcome outcome = run("mov.u32 %r1, 1; mov.u32 %r2, 2; trap; mov.u32 %r3, 3;");
  EXPECT_EQ(outcome.text_of(outcome.events.faults.at(0)), "trap");
}

}  // namespace
}  // namespace warpwright::kernels
