// Launches in which nobody can go on end at once and say who polls what; launches that only wait for long do not.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <thread>

#include "machine/kernel.h"

namespace warpwright::kernels {
namespace {

using observe::FaultKind;

/// Far more than a look needs, and so little that no test is slow.
constexpr std::uint64_t budget = std::uint64_t{1} << 22;

Shape shape_of(std::uint32_t blocks, std::uint32_t threads, std::vector<std::uint32_t> in = {0, 0}) {
  return {
      .grid = {blocks, 1, 1}, .block = {threads, 1, 1}, .in = std::move(in), .step_budget = budget, .record = false};
}

/// With the faults of the lowest block alone: host threads may find at the same time that blocks of theirs cannot go
/// on, and each tells so; what counts is the first in index order (Progress::end, observe/first_faults.h).
Outcome of_the_first_block(Outcome outcome) {
  auto& faults = outcome.events.faults;  // blocks ascending
  std::erase_if(faults, [first = faults.empty() ? 0 : faults.front().access.where.block](const Fault& fault) {
    return fault.access.where.block > first;
  });
  return outcome;
}

/// The same under any number of host threads, and under several schedules.
template <class Check>
void under_all(const std::string& body, Shape shape, Check check) {
  for (shape.host_threads = 1; shape.host_threads <= 4; shape.host_threads *= 2) {
    SCOPED_TRACE(fmt::format("{} host threads", shape.host_threads));
    check(of_the_first_block(run(body, shape)));
  }
  shape.host_threads = 1;
  for (shape.schedule = 1; *shape.schedule <= 3; ++*shape.schedule) {
    SCOPED_TRACE(fmt::format("schedule {}", *shape.schedule));
    check(run(body, shape));
  }
}

struct Expected {
  std::string instruction;
  Lanes lanes;
  std::uint32_t found = 0;
  std::uint64_t offset = 0;  // in bytes, of what is polled, in the input or in the shared window
  std::uint32_t warp = 0;
};

/// These faults and no others are told, all of them of one block.
void expect_livelock(const Outcome& outcome, std::uint64_t block, const std::vector<Expected>& expected) {
  EXPECT_EQ(outcome.status, LaunchStatus::deadlocked);
  const std::vector<Fault>& faults = outcome.events.faults;
  ASSERT_EQ(faults.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const Fault& fault = faults[i];
    SCOPED_TRACE(outcome.text_of(fault));
    EXPECT_EQ(fault.kind, FaultKind::livelock);
    EXPECT_EQ(fault.access.where.block, block);
    EXPECT_EQ(fault.access.where.warp, expected[i].warp);
    EXPECT_EQ(outcome.text_of(fault), expected[i].instruction);
    EXPECT_EQ(fault.lanes, expected[i].lanes);
    EXPECT_EQ(fault.found, expected[i].found);
    const bool polls = fault.access.bytes != 0 && fault.at != decltype(fault.at){};
    const bool is_global = fault.access.space == machine::Space::global;
    if (polls) {
      EXPECT_EQ(fault.at[machine::first_lane(fault.lanes)], expected[i].offset + (is_global ? outcome.ins : 0));
    }
  }
}

TEST(Livelock, OfALockThatIsNeverReleased) {
  const char* body = R"(
  acquire:
    atom.global.cas.b32 %r1, [%ins+4], 0, 7;
    setp.ne.u32 %p1, %r1, 0;
    @%p1 bra acquire;
    st.global.u32 [%out], 1;)";
  under_all(body, shape_of(1, 32), [](const Outcome& outcome) {
    expect_livelock(outcome, 0, {{"atom.global.cas.b32 %r1, [%ins+4], 0, 7", 0xfffffffe, 7, 4}});
    EXPECT_EQ(outcome.events.faults[0].standstill.other_blocks, 0u);
    EXPECT_FALSE(outcome.events.faults[0].standstill.within_the_block);
  });
}

TEST(Livelock, OfAThreadThatHoldsTheLockAlready) {
  const char* body = R"(
    atom.global.exch.b32 %r1, [%ins], 1;
  again:
    atom.global.exch.b32 %r1, [%ins], 1;
    setp.ne.u32 %p1, %r1, 0;
    @%p1 bra again;
    st.global.u32 [%ins], 0;)";
  under_all(body, shape_of(1, 1), [](const Outcome& outcome) {
    ASSERT_EQ(outcome.events.faults.size(), 1u);
    EXPECT_EQ(outcome.status, LaunchStatus::deadlocked);
    EXPECT_EQ(outcome.events.faults[0].found, 1u);
    EXPECT_EQ(outcome.events.faults[0].lanes, 1u);
  });
}

TEST(Livelock, OfAFlagThatNobodySets) {
  const char* body = R"(
  wait:
    ld.volatile.global.u32 %r1, [%ins];
    setp.eq.u32 %p1, %r1, 3;
    @%p1 bra wait;)";
  under_all(body, shape_of(40, 64, {3}), [](const Outcome& outcome) {
    const std::string load = "ld.volatile.global.u32 %r1, [%ins]";
    expect_livelock(outcome, 0, {{load, all_lanes, 3}, {load, all_lanes, 3, 0, 1}});
    EXPECT_EQ(outcome.events.faults[0].standstill.other_blocks, 39u);
    EXPECT_EQ(outcome.events.faults[0].standstill.blocks_not_started, 0u);
  });
}

TEST(Livelock, OfBlocksBehindOneThatPublishesNothing) {
  // Each waits for the one before it; block 5 does not say that it is done.
  const char* body = R"(
    mul.wide.u32 %rd1, %block, 4;
    add.u64 %rd1, %rd1, %ins;
    setp.eq.u32 %p1, %block, 0;
    @%p1 bra publish;
  wait:
    ld.acquire.gpu.global.u32 %r1, [%rd1+-4];
    setp.eq.u32 %p2, %r1, 0;
    @%p2 bra wait;
    setp.eq.u32 %p3, %block, 5;
    @%p3 bra done;
  publish:
    st.release.gpu.global.u32 [%rd1], 1;)";
  under_all(body, shape_of(30, 1, std::vector<std::uint32_t>(30)), [](const Outcome& outcome) {
    expect_livelock(outcome, 6, {{"ld.acquire.gpu.global.u32 %r1, [%rd1-4]", 1, 0, 20}});
    EXPECT_EQ(outcome.events.faults[0].standstill.other_blocks, 23u);
  });
}

TEST(Livelock, OfAGridBarrierThatExpectsTooMany) {
  // One thread of each block counts; the others wait for it at a barrier.
  const char* body = R"(
    setp.ne.u32 %p1, %thread, 0;
    @%p1 bra meet;
    red.release.gpu.global.add.u32 [%ins], 1;
  wait:
    ld.acquire.gpu.global.u32 %r1, [%ins];
    setp.lt.u32 %p2, %r1, 9;
    @%p2 bra wait;
  meet:
    bar.sync 0;)";
  under_all(body, shape_of(8, 64), [](const Outcome& outcome) {
    expect_livelock(outcome, 0,
                    {{"ld.acquire.gpu.global.u32 %r1, [%ins]", 1, 8},
                     {"bar.sync 0", 0xfffffffe},
                     {"bar.sync 0", all_lanes, 0, 0, 1}});
  });
}

TEST(Livelock, OfTwoLocksThatAreTakenInEitherOrder) {
  // Both warps have their first lock before either asks for its second.
  const char* body = R"(
    setp.ne.u32 %p1, %lane, 0;
    @%p1 bra done;
    mul.wide.u32 %rd1, %warp, 4;
    add.u64 %rd1, %rd1, %ins;
    atom.global.exch.b32 %r1, [%rd1], 1;
    red.global.add.u32 [%ins+8], 1;
  both:
    ld.volatile.global.u32 %r1, [%ins+8];
    setp.ne.u32 %p2, %r1, 2;
    @%p2 bra both;
    xor.b32 %r2, %warp, 1;
    mul.wide.u32 %rd2, %r2, 4;
    add.u64 %rd2, %rd2, %ins;
  second:
    atom.global.cas.b32 %r1, [%rd2], 0, 1;
    setp.ne.u32 %p2, %r1, 0;
    @%p2 bra second;)";
  under_all(body, shape_of(1, 64, {0, 0, 0}), [](const Outcome& outcome) {
    const std::string cas = "atom.global.cas.b32 %r1, [%rd2], 0, 1";
    expect_livelock(outcome, 0, {{cas, 1, 1, 4, 0}, {cas, 1, 1, 0, 1}});
  });
}

TEST(Livelock, OfALockThatIsHeldAcrossABarrier) {
  const char* body = R"(
    setp.ne.u32 %p1, %lane, 0;
    @%p1 bra meet;
  acquire:
    atom.shared.cas.b32 %r1, [tile], 0xcdcdcdcd, 1;
    setp.ne.u32 %p2, %r1, 0xcdcdcdcd;
    @%p2 bra acquire;
  meet:
    bar.sync 0;
    st.volatile.shared.u32 [tile], 0xcdcdcdcd;)";
  under_all(body, shape_of(3, 64), [](const Outcome& outcome) {
    EXPECT_EQ(outcome.status, LaunchStatus::deadlocked);
    ASSERT_EQ(outcome.events.faults.size(), 3u);
    EXPECT_TRUE(outcome.events.faults[0].standstill.within_the_block);
  });
}

TEST(Livelock, OfLanesThatWaitForOneAnother) {
  // Lane 0 waits for lane 1's flag with the lock in hand that lane 1 waits for.
  const char* body = R"(
    setp.gt.u32 %p1, %lane, 1;
    @%p1 bra done;
    setp.eq.u32 %p2, %lane, 1;
    @%p2 bra acquire;
    atom.global.exch.b32 %r1, [%ins], 1;
  wait:
    ld.volatile.global.u32 %r1, [%ins+4];
    setp.eq.u32 %p3, %r1, 0;
    @%p3 bra wait;
    st.global.u32 [%ins], 0;
    bra done;
  acquire:
    ld.volatile.global.u32 %r2, [%ins];
    setp.ne.u32 %p3, %r2, 1;
    @%p3 bra acquire;
  again:
    atom.global.cas.b32 %r1, [%ins], 0, 1;
    setp.ne.u32 %p3, %r1, 0;
    @%p3 bra again;
    st.volatile.global.u32 [%ins+4], 1;)";
  under_all(body, shape_of(1, 32), [](const Outcome& outcome) {
    expect_livelock(
        outcome, 0,
        {{"ld.volatile.global.u32 %r1, [%ins+4]", 1, 0, 4}, {"atom.global.cas.b32 %r1, [%ins], 0, 1", 2, 1, 0}});
  });
}

TEST(Livelock, OfALoopThatReadsNothing) {
  under_all("setp.lt.u32 %p1, %lane, 30; @%p1 ret; here: bra here;", shape_of(20, 96), [](const Outcome& outcome) {
    ASSERT_FALSE(outcome.events.faults.empty());
    // Under a schedule it is not block 0 that has run for long first.
    expect_livelock(outcome, outcome.events.faults.front().access.where.block,
                    {{"bra here", 0xc0000000}, {"bra here", 0xc0000000, 0, 0, 1}, {"bra here", 0xc0000000, 0, 0, 2}});
    for (const Fault& fault : outcome.events.faults) EXPECT_TRUE(fault.standstill.moves);
  });
}

TEST(Livelock, OfBlocksThatMeetAtABarrierInEveryTurn) {
  // The loads are plain ones, and there is no poll: all threads read again behind each barrier.
  const char* body = R"(
  wait:
    bar.sync 0;
    ld.global.u32 %r1, [%ins];
    setp.eq.u32 %p1, %r1, 0;
    @%p1 bra wait;)";
  under_all(body, shape_of(3, 64), [](const Outcome& outcome) {
    const std::string load = "ld.global.u32 %r1, [%ins]";
    expect_livelock(outcome, 0, {{load, all_lanes}, {load, all_lanes, 0, 0, 1}});
  });
}

TEST(Livelock, WithinABlockEndsTheLaunchWhileOthersWork) {
  const char* body = R"(
    setp.eq.u32 %p1, %block, 2;
    @!%p1 bra work;
  wait:
    ld.volatile.shared.u32 %r1, [tile+8];
    setp.ne.u32 %p2, %r1, 0;
    @%p2 bra wait;
  work:
    mov.u32 %r2, 0;
  more:
    add.u32 %r2, %r2, 1;
    setp.lt.u32 %p3, %r2, 100000;
    @%p3 bra more;)";
  under_all(body, shape_of(6, 32), [](const Outcome& outcome) {
    expect_livelock(outcome, 2, {{"ld.volatile.shared.u32 %r1, [tile+8]", all_lanes, 0xcdcdcdcd, 8}});
    EXPECT_TRUE(outcome.events.faults[0].standstill.within_the_block);
  });
}

TEST(Livelock, OfBlocksThatTheGpuHasNoRoomFor) {
  const char* body = R"(
    mov.u32 %r2, %nctaid.x;
    red.release.gpu.global.add.u32 [%ins], 1;
  wait:
    ld.acquire.gpu.global.u32 %r1, [%ins];
    setp.ne.u32 %p1, %r1, %r2;
    @%p1 bra wait;)";
  Shape shape = shape_of(12, 1);
  shape.resident_blocks = 8;
  for (const std::optional<std::uint64_t> schedule : {std::optional<std::uint64_t>{}, {1}, {2}, {3}}) {
    shape.schedule = schedule;
    const Outcome outcome = run(body, shape);
    ASSERT_EQ(outcome.status, LaunchStatus::deadlocked);
    EXPECT_EQ(outcome.events.faults[0].found, 8u);
    EXPECT_EQ(outcome.events.faults[0].standstill.other_blocks, 7u);
    EXPECT_EQ(outcome.events.faults[0].standstill.blocks_not_started, 4u);
  }
}

TEST(Livelock, OfAnMbarrierThatTooFewArriveAt) {
  const char* body = R"(
    setp.ne.u32 %p1, %thread, 0;
    @%p1 bra meet;
    mbarrier.init.shared.b64 [tile], 33;
  meet:
    bar.sync 0;
    mbarrier.arrive.shared.b64 %rd1, [tile];
  wait:
    mbarrier.test_wait.shared.b64 %p2, [tile], %rd1;
    @!%p2 bra wait;)";
  under_all(body, shape_of(1, 32), [](const Outcome& outcome) {
    EXPECT_EQ(outcome.status, LaunchStatus::deadlocked);
    ASSERT_EQ(outcome.events.faults.size(), 1u);
    EXPECT_EQ(outcome.text_of(outcome.events.faults[0]), "mbarrier.test_wait.shared.b64 %p2, [tile], %rd1");
    EXPECT_TRUE(outcome.events.faults[0].standstill.within_the_block);
  });
}

TEST(Livelock, OfManyBlocksIsFoundSoon) {
  Shape shape = shape_of(264, 1024);
  shape.step_budget = 200000;
  const Outcome outcome =
      run("wait: ld.volatile.global.u32 %r1, [%ins]; setp.eq.u32 %p1, %r1, 0; @%p1 bra wait;", shape);
  EXPECT_EQ(outcome.status, LaunchStatus::deadlocked);
  EXPECT_EQ(outcome.events.faults.size(), 32u);
  EXPECT_EQ(outcome.events.faults[0].standstill.other_blocks, 263u);
}

/// Counts to %r9 in %r8.
constexpr const char* work = R"(
    mov.u32 %r8, 0;
  count:
    add.u32 %r8, %r8, 1;
    setp.lt.u32 %p9, %r8, %r9;
    @%p9 bra count;)";

void expect_finished(const Outcome& outcome) { EXPECT_EQ(outcome.status, LaunchStatus::finished); }

TEST(LongWaits, GoOnWhenAnotherBlockWritesLate) {
  // The writer polls too, so that the others get many turns meanwhile.
  const char* body = R"(
    setp.eq.u32 %p1, %block, 3;
    @%p1 bra writer;
  wait:
    ld.volatile.global.u32 %r1, [%ins];
    setp.eq.u32 %p2, %r1, 0;
    @%p2 bra wait;
    bra done;
  writer:
    mov.u32 %r8, 0;
  count:
    ld.volatile.global.u32 %r1, [%ins+4];
    add.u32 %r8, %r8, 1;
    setp.lt.u32 %p9, %r8, 50000;
    @%p9 bra count;
    st.volatile.global.u32 [%ins], 1;)";
  under_all(body, shape_of(8, 64), &expect_finished);
}

TEST(LongWaits, GoOnWhenAHolderWorksFor2To27Instructions) {
  const std::string body = fmt::format(R"(
  acquire:
    atom.acquire.gpu.global.cas.b32 %r1, [%ins], 0, 1;
    setp.ne.u32 %p1, %r1, 0;
    @%p1 bra acquire;
    ld.global.u32 %r2, [%ins+4];
    add.u32 %r3, %r2, 1;
    st.global.u32 [%ins+4], %r3;
    mov.u32 %r9, 44739243;
    setp.ne.u32 %p2, %r2, 0;
    @%p2 mov.u32 %r9, 1;
    {}
    st.global.u32 [%out], %r3;
    atom.release.gpu.global.exch.b32 %r1, [%ins], 0;)",
                                       work);
  Shape shape = shape_of(20, 1);
  shape.step_budget = std::uint64_t{1} << 34;
  const Outcome outcome = run(body, shape);
  expect_finished(outcome);
  EXPECT_EQ(*std::ranges::max_element(outcome.out), 20u);
}

TEST(LongWaits, GoOnWhenALaneOfTheSameWarpWrites) {
  // No instruction of the loop is a poll: only its circle shows that it waits.
  for (const char* waiting : {"lt", "ge"}) {
    const std::string body = fmt::format(R"(
    setp.{}.u32 %p1, %lane, 16;
    @%p1 bra wait;
    st.global.u32 [%ins], 1;
    bra done;
  wait:
    ld.global.u32 %r1, [%ins];
    setp.eq.u32 %p2, %r1, 0;
    @%p2 bra wait;)",
                                         waiting);
    under_all(body, shape_of(1, 32), &expect_finished);
  }
}

TEST(LongWaits, GoOnWhenAnotherBlockWritesWhatAPlainLoadReads) {
  const char* body = R"(
    setp.eq.u32 %p1, %block, 30;
    @%p1 bra writer;
  wait:
    ld.global.u32 %r1, [%ins];
    setp.eq.u32 %p2, %r1, 0;
    @%p2 bra wait;
    bra done;
  writer:
    st.global.u32 [%ins], 1;)";
  Shape shape = shape_of(31, 32);
  shape.step_budget = std::uint64_t{1} << 26;
  under_all(body, shape, &expect_finished);
}

TEST(LongWaits, GoOnByAClock) {
  const char* body = R"(
    mov.u64 %rd1, %clock64;
  wait:
    ld.volatile.global.u32 %r1, [%ins];
    mov.u64 %rd2, %clock64;
    sub.u64 %rd2, %rd2, %rd1;
    setp.lt.u64 %p1, %rd2, 2000000;
    @%p1 bra wait;)";
  under_all(body, shape_of(2, 32), &expect_finished);
}

void expect_over_budget(const Outcome& outcome) {
  EXPECT_EQ(outcome.status, LaunchStatus::over_budget);
  ASSERT_EQ(outcome.events.faults.size(), 1u);
  EXPECT_EQ(outcome.events.faults[0].kind, FaultKind::endless);
}

TEST(Budget, EndsLoopsThatMayGoOn) {
  const std::pair<const char*, const char*> loops[] = {
      {"tries are counted", "add.u32 %r2, %r2, 1;"},
      {"a clock is read", "mov.u32 %r2, %clock;"},
      {"it depends on who runs together", "activemask.b32 %r2;"},
      {"a byte changes and changes back",
       "atom.global.exch.b32 %r2, [%ins+4], 1; atom.global.exch.b32 %r2, [%ins+4], 0;"},
      {"a byte of its own changes and changes back", "st.local.u32 [frame], 1; st.local.u32 [frame], 2;"},
  };
  for (const auto& [why, instruction] : loops) {
    SCOPED_TRACE(why);
    const std::string body = fmt::format(R"(
      mov.u32 %r2, 0;
    wait:
      ld.volatile.global.u32 %r1, [%ins];
      {}
      setp.eq.u32 %p1, %r1, 0;
      @%p1 bra wait;)",
                                         instruction);
    under_all(body, shape_of(1, 1), &expect_over_budget);
  }
}

TEST(Budget, EndsAWaitForACopyThatIsUnderWay) {
  // A GPU may make the copy at any time.
  under_all(R"(
    cp.async.ca.shared.global [tile], [%ins], 4;
  wait:
    ld.volatile.shared.u32 %r1, [tile];
    setp.eq.u32 %p1, %r1, 0xcdcdcdcd;
    @%p1 bra wait;)",
            shape_of(1, 1), &expect_over_budget);
}

TEST(Livelock, SameValuesWrittenAgainAreNoChange) {
  const char* body = R"(
  wait:
    st.global.u32 [%out], 5;
    atom.global.or.b32 %r1, [%ins], 0;
    setp.eq.u32 %p1, %r1, 0;
    @%p1 bra wait;)";
  under_all(body, shape_of(1, 1), [](const Outcome& outcome) {
    expect_livelock(outcome, 0, {{"atom.global.or.b32 %r1, [%ins], 0", 1}});
  });
}

TEST(HostMemory, IsPolledForeverOnlyWhileTheHostMayWrite) {
  const char* body = "wait: ld.volatile.global.u32 %r1, [%ins]; setp.eq.u32 %p1, %r1, 0; @%p1 bra wait;";
  for (const machine::Place place : {machine::Place::host, machine::Place::managed, machine::Place::device})
    for (const bool host_runs_on : {false, true}) {
      Shape shape = shape_of(2, 32);
      shape.place = place;
      shape.host_runs_on = host_runs_on;
      const Outcome outcome = run(body, shape);
      EXPECT_EQ(outcome.status,
                host_runs_on && place != machine::Place::device ? LaunchStatus::over_budget : LaunchStatus::deadlocked);
    }
}

}  // namespace
}  // namespace warpwright::kernels
