#include "machine/profile.h"

#include <gtest/gtest.h>

#include "machine/kernel.h"

namespace warpwright::kernels {
namespace {

/// Runs of all lengths, by whole warps and by some lanes; guards that hold, hold for some, hold for none.
constexpr const char* varied = R"(
  mov.u32 %r1, 0;
  setp.lt.u32 %p1, %lane, 5;
  setp.lt.u32 %p2, %lane, 32;
loop:
  add.u32 %r1, %r1, 1;
  @%p1 bra few;
  mul.lo.u32 %r2, %r1, 3;
  add.u32 %r2, %r2, %r1;
few:
  @%p2 add.u32 %r3, %r1, 1;
  @!%p2 add.u32 %r3, %r1, 2;
  @!%p2 bra done;
  bar.sync 0;
  setp.le.u32 %p3, %r1, %lane;
  @%p3 bra loop;)";

void expect_the_sum_of_all_runs(const Outcome& outcome) {
  std::vector<machine::Profile::Count> sums(outcome.program->code.size());
  for (const observe::Run& run : outcome.events.runs)
    for (std::uint32_t pc = run.where.pc; pc < run.where.pc + run.count; ++pc)
      sums[pc] += {1, machine::count_lanes(run.lanes), machine::count_lanes(run.on)};
  ASSERT_EQ(outcome.events.executed.size(), sums.size());
  for (std::uint32_t pc = 0; pc < sums.size(); ++pc) {
    SCOPED_TRACE(outcome.program->text(pc));
    EXPECT_EQ(outcome.events.executed[pc].warps, sums[pc].warps);
    EXPECT_EQ(outcome.events.executed[pc].threads, sums[pc].threads);
    EXPECT_EQ(outcome.events.executed[pc].on, sums[pc].on);
  }
}

TEST(Profile, IsTheSumOfAllRuns) {
  for (const std::uint32_t threads : {32u, 40u, 128u}) {
    SCOPED_TRACE(threads);
    const Outcome outcome = run(varied, {.grid = {3, 1, 1}, .block = {threads, 1, 1}});
    EXPECT_EQ(outcome.status, LaunchStatus::finished);
    expect_the_sum_of_all_runs(outcome);
  }
}

TEST(Profile, OfRunsThatAreCutShortIsTheirSumToo) {
  Shape shape = {.grid = {3, 1, 1}, .block = {64, 1, 1}};
  for (shape.schedule = 1; *shape.schedule <= 20; ++*shape.schedule) {
    SCOPED_TRACE(*shape.schedule);
    expect_the_sum_of_all_runs(run(varied, shape));
  }
}

TEST(Profile, IsThatOfAllHostThreadsTogether) {
  Shape shape = {.grid = {40, 1, 1}};
  const Outcome one = run(varied, shape);
  shape.host_threads = 4;
  const Outcome several = run(varied, shape);
  expect_the_sum_of_all_runs(several);
  for (std::uint32_t pc = 0; pc < one.events.executed.size(); ++pc)
    EXPECT_EQ(several.events.executed[pc].on, one.events.executed[pc].on);
}

}  // namespace
}  // namespace warpwright::kernels
