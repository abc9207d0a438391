#include <gtest/gtest.h>

#include <string>

#include "machine/kernel.h"

namespace warpwright::kernels {
namespace {

using observe::FaultKind;

Outcome run_with(const std::string& functions, const std::string& body, const Shape& shape = {}) {
  std::string text = module_around(body);
  return run_module(text.insert(text.find(".visible .entry"), functions), shape);
}

/// d = 10 x + 1, by a detour through local memory.
const std::string ten_and_one = R"(
.func (.param .b32 result) ten_and_one(.param .b32 x) {
  .local .align 4 .b8 own[8];
  .reg .b32 %r<4>;
  .reg .b64 %rd<4>;
  mov.u64 %rd1, own;
  ld.param.u32 %r1, [x];
  mul.lo.u32 %r2, %r1, 10;
  st.local.u32 [%rd1+4], %r2;
  ld.local.u32 %r3, [%rd1+4];
  add.u32 %r3, %r3, 1;
  st.param.b32 [result], %r3;
  ret;
}
)";

/// A call of a function of one word, as nvcc writes it.
std::string call_of(const std::string& function, const std::string& from, const std::string& to) {
  return "{ .param .b32 given; .param .b32 got; st.param.b32 [given], " + from + "; call.uni (got), " + function +
         ", (given); ld.param.b32 " + to + ", [got]; }\n";
}

TEST(Calls, PassAWordAndReturnOne) {
  const Outcome outcome = run_with(ten_and_one, call_of("ten_and_one", "%lane", "%r1") + "st.global.u32 [%out], %r1;");
  ASSERT_EQ(outcome.status, LaunchStatus::finished);
  for (std::uint32_t lane = 0; lane < 32; ++lane) EXPECT_EQ(outcome.out[lane], 10 * lane + 1);
}

TEST(Calls, KeepTheKernelsOwnLocalMemory) {
  const Outcome outcome =
      run_with(ten_and_one, "mov.u64 %rd1, frame; st.local.u32 [%rd1+4], 77;" + call_of("ten_and_one", "%lane", "%r1") +
                                "ld.local.u32 %r2, [%rd1+4]; st.global.u32 [%out], %r2;");
  EXPECT_EQ(outcome.out[3], 77u);
}

TEST(Calls, RejoinWhereTheBranchesThatMadeThemMeet) {
  for (const char* condition : {"lt", "ge"}) {
    SCOPED_TRACE(condition);
    Shape shape;
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
      if (seed != 0) shape.schedule = seed;
      const Outcome outcome = run_with(ten_and_one,
                                       std::string("setp.") + condition + R"(.u32 %p1, %lane, 5;
        @%p1 bra other;
        )" + call_of("ten_and_one", "%lane", "%r1") +
                                           "bra join; other: add.u32 %r3, %lane, 100;" +
                                           call_of("ten_and_one", "%r3", "%r1") + "join: st.global.u32 [%out], %r1;",
                                       shape);
      ASSERT_EQ(outcome.status, LaunchStatus::finished);
      EXPECT_EQ(outcome.lanes_at("st.global.u32 [%out], %r1"), std::vector<Lanes>{all_lanes});
      const bool first_lanes_elsewhere = condition[0] == 'l';
      for (std::uint32_t lane = 0; lane < 32; ++lane)
        EXPECT_EQ(outcome.out[lane], 10 * (lane + ((lane < 5) == first_lanes_elsewhere ? 100 : 0)) + 1);
    }
  }
}

TEST(Calls, OfOneFunctionByOneIfAreMadeTogether) {
  const Outcome outcome =
      run_with(ten_and_one, "mov.u32 %r1, 0; setp.lt.u32 %p1, %lane, 5; @%p1 bra join;" +
                                call_of("ten_and_one", "%lane", "%r1") + "join: st.global.u32 [%out], %r1;");
  EXPECT_EQ(outcome.lanes_at("add.u32 %r3, %r3, 1"), std::vector<Lanes>{0xffffffe0});
  EXPECT_EQ(outcome.lanes_at("st.global.u32 [%out], %r1"), std::vector<Lanes>{all_lanes});
}

/// The sum of 1 to x, whose argument has to survive the call.
const std::string sum_to = R"(
.func (.param .b32 result) sum_to(.param .b32 x) {
  .reg .b32 %r<6>;
  .reg .pred %p<2>;
  ld.param.u32 %r1, [x];
  mov.u32 %r2, 0;
  setp.eq.u32 %p1, %r1, 0;
  @%p1 bra done;
  sub.u32 %r3, %r1, 1;
  )" + call_of("sum_to", "%r3", "%r4") +
                           R"(@%p1 trap;
  add.u32 %r2, %r4, %r1;
done:
  st.param.b32 [result], %r2;
  ret;
}
)";

TEST(Recursion, KeepsTheRegistersOfEveryLanesEveryCall) {
  Shape shape;
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    if (seed != 0) shape.schedule = seed;
    const Outcome outcome = run_with(sum_to, call_of("sum_to", "%lane", "%r1") + "st.global.u32 [%out], %r1;", shape);
    ASSERT_EQ(outcome.status, LaunchStatus::finished);
    for (std::uint32_t lane = 0; lane < 32; ++lane) EXPECT_EQ(outcome.out[lane], lane * (lane + 1) / 2);
    EXPECT_EQ(outcome.lanes_at("st.global.u32 [%out], %r1"), std::vector<Lanes>{all_lanes});
  }
}

TEST(Recursion, WithoutEndIsAFault) {
  const Outcome outcome = run_with(sum_to, "mov.u32 %r2, -1;" + call_of("sum_to", "%r2", "%r1"));
  EXPECT_EQ(outcome.status, LaunchStatus::faulted);
  ASSERT_EQ(outcome.events.faults.size(), 1u);
  EXPECT_EQ(outcome.events.faults[0].kind, FaultKind::stack_overflow);
}

TEST(Collectives, MeetInAFunctionWhicheverCallTheLanesCameBy) {
  const std::string vote = R"(
    .func (.param .b32 result) vote(.param .b32 x) {
      .reg .b32 %r<3>;
      .reg .pred %p<2>;
      ld.param.u32 %r1, [x];
      setp.ne.u32 %p1, %r1, 0;
      vote.sync.ballot.b32 %r2, %p1, -1;
      st.param.b32 [result], %r2;
      ret;
    })";
  const Outcome outcome = run_with(
      vote, "and.b32 %r2, %lane, 3; setp.lt.u32 %p1, %lane, 16; @%p1 bra low;" + call_of("vote", "%r2", "%r1") +
                "bra join; low:" + call_of("vote", "1", "%r1") + "join: st.global.u32 [%out], %r1;");
  ASSERT_EQ(outcome.status, LaunchStatus::finished);
  for (const std::uint32_t word : outcome.out) EXPECT_EQ(word, 0xeeeeffffu);
}

TEST(Pointers, CallTheFunctionThatEachLaneHolds) {
  const std::string functions = ten_and_one + sum_to;
  const std::string body = R"(
    mov.u64 %rd1, ten_and_one;
    mov.u64 %rd2, sum_to;
    and.b32 %r2, %lane, 1;
    setp.eq.u32 %p1, %r2, 0;
    selp.b64 %rd1, %rd1, %rd2, %p1;
    { .param .b32 given; .param .b32 got; st.param.b32 [given], %lane;
      shape: .callprototype (.param .b32 _) _ (.param .b32 _);
      call (got), %rd1, (given), shape;
      ld.param.b32 %r1, [got]; }
    st.global.u32 [%out], %r1;)";
  const Outcome outcome = run_with(functions, body);
  ASSERT_EQ(outcome.status, LaunchStatus::finished);
  for (std::uint32_t lane = 0; lane < 32; ++lane)
    EXPECT_EQ(outcome.out[lane], lane % 2 == 0 ? 10 * lane + 1 : lane * (lane + 1) / 2);
  EXPECT_EQ(outcome.lanes_at("st.global.u32 [%out], %r1"), std::vector<Lanes>{all_lanes});
}

TEST(Pointers, ToSomethingElseAreAFault) {
  const Outcome outcome = run(R"(
    mov.b64 %rd1, 4096;
    shape: .callprototype _ ();
    call %rd1, (), shape;)");
  EXPECT_EQ(outcome.status, LaunchStatus::faulted);
  ASSERT_EQ(outcome.events.faults.size(), 1u);
  EXPECT_EQ(outcome.events.faults[0].kind, FaultKind::bad_call);
}

TEST(IndexedBranches, TakeEachLaneToItsLabel) {
  const Outcome outcome = run(R"(
    and.b32 %r1, %lane, 3;
    table: .branchtargets zero, one, two, one;
    brx.idx %r1, table;
  zero:
    mov.u32 %r2, 100;
    bra join;
  one:
    mov.u32 %r2, 101;
    bra join;
  two:
    mov.u32 %r2, 102;
  join:
    st.global.u32 [%out], %r2;)");
  ASSERT_EQ(outcome.status, LaunchStatus::finished);
  const std::uint32_t expected[] = {100, 101, 102, 101};
  for (std::uint32_t lane = 0; lane < 32; ++lane) EXPECT_EQ(outcome.out[lane], expected[lane & 3]);
  EXPECT_EQ(outcome.lanes_at("st.global.u32 [%out], %r2"), std::vector<Lanes>{all_lanes});
}

TEST(IndexedBranches, BeyondTheirTableAreAFault) {
  const Outcome outcome = run("table: .branchtargets done, done; brx.idx %lane, table;");
  EXPECT_EQ(outcome.status, LaunchStatus::faulted);
  EXPECT_EQ(outcome.events.faults.at(0).kind, FaultKind::bad_call);
  EXPECT_EQ(outcome.events.faults.at(0).lanes, 1u << 2);
}

TEST(Stack, GivesEachLaneWhatItAsksFor) {
  const Outcome outcome = run(R"(
    add.u32 %r1, %lane, 1;
    mul.wide.u32 %rd1, %r1, 16;
    alloca.u64 %rd2, %rd1, 16;
    alloca.u64 %rd3, %rd1, 16;
    st.local.u32 [%rd2], 5;
    st.local.u32 [%rd3], 6;
    ld.local.u32 %r2, [%rd2];
    sub.u64 %rd4, %rd2, %rd3;
    cvt.u32.u64 %r3, %rd4;
    mad.lo.u32 %r2, %r2, 10000, %r3;
    st.global.u32 [%out], %r2;)");
  ASSERT_EQ(outcome.status, LaunchStatus::finished);
  for (std::uint32_t lane = 0; lane < 32; ++lane) EXPECT_EQ(outcome.out[lane], 50000 + 16 * (lane + 1));
}

TEST(Stack, HasAnEnd) {
  const Outcome outcome = run("mov.b64 %rd1, 1000000; alloca.u64 %rd2, %rd1, 16;");
  EXPECT_EQ(outcome.status, LaunchStatus::faulted);
  EXPECT_EQ(outcome.events.faults.at(0).kind, FaultKind::stack_overflow);
}

TEST(Clocks, CountTheInstructionsOfTheWarp) {
  const Outcome outcome = run(R"(
    mov.u64 %rd1, %clock64;
    mov.u32 %r1, %clock;
    cvt.u32.u64 %r2, %rd1;
    sub.u32 %r3, %r1, %r2;
    nanosleep.u32 100;
    mov.u64 %rd2, %globaltimer;
    sub.u64 %rd3, %rd2, %rd1;
    cvt.u32.u64 %r4, %rd3;
    mad.lo.u32 %r3, %r3, 100, %r4;
    st.global.u32 [%out], %r3;)",
                              {.block = {64, 1, 1}});
  for (const std::uint32_t word : outcome.out) EXPECT_EQ(word, 105u);
}

}  // namespace
}  // namespace warpwright::kernels
