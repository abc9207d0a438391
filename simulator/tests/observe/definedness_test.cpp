// The observer on whole kernels: what a register holds can only be followed through instructions that were decoded.
#include "observe/definedness.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstring>
#include <string>
#include <vector>

#include "isa/decode.h"
#include "machine/launch.h"
#include "observe/report.h"
#include "ptx/module.h"
#include "scene.h"

namespace warpwright::observe::testing {
namespace {

/// Runs a body by one block of 32 threads. %in and %out are addresses of this thread's word of two arrays, of which the
/// first one's upper half was never written.
struct DefinednessTest : ::testing::Test {
  Pages range{std::size_t{1} << 30};
  machine::DeviceMemory memory{range, std::size_t{1} << 20};
  std::uint64_t in = 0, out = 0;

  DefinednessTest() {
    memory.watch_contents(true);
    in = memory.allocate(128, "cudaMalloc");
    out = memory.allocate(128, "cudaMalloc");
    memory.host_writes(in, 64);
  }

  std::vector<Diagnosis> said_of(const std::string& body,
                                 machine::LaunchStatus status = machine::LaunchStatus::finished) {
    const std::string text = R"(
.version 9.0
.target sm_90
.address_size 64
.visible .entry kernel(.param .u64 kernel_param_0, .param .u64 kernel_param_1) {
  .local .align 4 .b8 frame[16];
  .shared .align 4 .b8 tile[128];
  .reg .pred %p<4>;
  .reg .b32 %r<12>;
  .reg .b16 %rs<4>;
  .reg .f32 %f<8>;
  .reg .b64 %rd<12>;
  .reg .b64 %in;
  .reg .b64 %out;
  .reg .b32 %lane;
  mov.u32 %lane, %tid.x;
  mul.wide.u32 %rd1, %lane, 4;
  ld.param.u64 %in, [kernel_param_0];
  ld.param.u64 %out, [kernel_param_1];
  add.s64 %in, %in, %rd1;
  add.s64 %out, %out, %rd1;
)" + body + "\ndone:\n  ret;\n}\n";
    const machine::Program program = isa::decode(ptx::parse(text), "kernel", {});
    machine::Launch launch;
    launch.program = &program;
    launch.memory = &memory;
    launch.block.x = 32;
    launch.parameters.resize(16);
    std::memcpy(launch.parameters.data(), &in, 8);
    std::memcpy(launch.parameters.data() + 8, &out, 8);
    std::vector<std::unique_ptr<Observer>> observers;
    observers.push_back(make_definedness());
    EXPECT_EQ(machine::run(launch, {}, observers), status);
    Report report(program);
    observers.front()->report(report);
    return report.diagnoses;
  }
  std::string only(const std::string& body, machine::LaunchStatus status = machine::LaunchStatus::finished) {
    const std::vector<Diagnosis> found = said_of(body, status);
    EXPECT_EQ(found.size(), 1u) << body;
    return found.empty() ? "" : found.front().message;
  }
  void expect_silence(const std::string& body) {
    for (const Diagnosis& diagnosis : said_of(body)) ADD_FAILURE() << body << "\n" << diagnosis.message;
  }
};

TEST_F(DefinednessTest, WhatIsComputedAndStoredIsTold) {
  const std::string message = only("ld.global.u32 %r1, [%in]; add.u32 %r2, %r1, 1; st.global.u32 [%out], %r2;");
  EXPECT_EQ(message,
            "thread (16,0,0) of block (0,0,0) reads element 16 of argument 1, an allocation of 128 bytes, which nobody "
            "has written since it was allocated. At `add.u32 %r2, %r1, 1` it computes with it and stores the result.");
}

TEST_F(DefinednessTest, WhatIsOnlyCopiedIsNot) {
  expect_silence("ld.global.u32 %r1, [%in]; mov.u32 %r2, %r1; st.global.u32 [%out], %r2;");
  // But it stays undefined.
  in = out;
  EXPECT_EQ(said_of("ld.global.u32 %r1, [%in]; add.u32 %r2, %r1, 1; st.global.u32 [%out], %r2;").size(), 1u);
}

TEST_F(DefinednessTest, WhatIsComputedAndThrownAwayIsNot) {
  expect_silence("ld.global.u32 %r1, [%in]; add.u32 %r2, %r1, 1; mul.lo.u32 %r2, %r2, %r2;");
  expect_silence("ld.global.u32 %r1, [%in]; add.u32 %r2, %r1, 1; mov.u32 %r2, 0; st.global.u32 [%out], %r2;");
}

TEST_F(DefinednessTest, ABranchDependsOnIt) {
  EXPECT_NE(only("ld.global.u32 %r1, [%in]; setp.gt.u32 %p1, %r1, 5; @%p1 bra done; st.global.u32 [%out], 1;")
                .find("lets it decide what happens"),
            std::string::npos);
}

TEST_F(DefinednessTest, AnAddressDependsOnIt) {
  EXPECT_NE(only("ld.global.u32 %r1, [%in]; and.b32 %r1, %r1, %r1; cvt.u64.u32 %rd2, %r1; mul.lo.u64 %rd2, %rd2, 0;"
                 "add.s64 %rd3, %out, %rd2; st.global.u32 [%rd3], 1;")
                .find("uses it as an address"),
            std::string::npos);
}

TEST_F(DefinednessTest, AnAddressThatIsWrongDependsOnItToo) {
  const std::string index = "ld.global.u32 %r1, [%in]; cvt.u64.u32 %rd2, %r1; shl.b64 %rd2, %rd2, 2;";
  EXPECT_NE(only(index + "and.b64 %rd2, %rd2, %rd2; add.s64 %rd3, %out, %rd2; ld.global.u32 %r2, [%rd3];",
                 machine::LaunchStatus::faulted)
                .find("uses it as an address"),
            std::string::npos);
}

TEST_F(DefinednessTest, AnAtomicDependsOnWhatIsThere) {
  EXPECT_NE(only("atom.global.add.u32 %r1, [%in], 1;").find("updates element 16"), std::string::npos);
  expect_silence("atom.global.add.u32 %r1, [%in], 1;");  // it has been written since
}

TEST_F(DefinednessTest, AnExchangeDoesNot) { expect_silence("atom.global.exch.b32 %r1, [%in], 1;"); }

TEST_F(DefinednessTest, AnMbarriersStateIsAResult) {
  expect_silence(R"(
    setp.ne.u32 %p1, %lane, 0;
    @!%p1 mbarrier.init.shared.b64 [tile], 32;
    bar.sync 0;
    mbarrier.arrive.shared.b64 %rd2, [tile];
  wait:
    mbarrier.try_wait.shared.b64 %p2, [tile], %rd2;
    @!%p2 bra wait;)");
}

TEST_F(DefinednessTest, ACopyThatArrivesLateDoesNotLeadBack) {
  expect_silence(
      "ld.global.u32 %r1, [%in]; mov.u32 %r2, 5; mov.u32 %r9, tile; cp.async.ca.shared.global [%r9], [%out], 4;"
      "bra over; add.u32 %r2, %r1, 1; over: cp.async.wait_all; st.global.u32 [%out], %r2;");
}

TEST_F(DefinednessTest, ARegisterThatNothingWroteIsUndefined) {
  EXPECT_NE(only("add.u32 %r2, %r1, 1; st.global.u32 [%out], %r2;").find("a variable here that nothing has given"),
            std::string::npos);
}

TEST_F(DefinednessTest, OnlyOnThePathsThatDoNotWriteIt) {
  EXPECT_NE(only("setp.eq.u32 %p1, %lane, 0; @!%p1 bra skip; mov.u32 %r1, 7; skip: add.u32 %r2, %r1, 1;"
                 "st.global.u32 [%out], %r2;")
                .find("thread (1,0,0)"),
            std::string::npos);
  expect_silence(
      "setp.eq.u32 %p1, %lane, 0; @%p1 mov.u32 %r1, 7; @!%p1 mov.u32 %r1, 8; add.u32 %r2, %r1, 1;"
      "st.global.u32 [%out], %r2;");
}

TEST_F(DefinednessTest, BytesOfAWordAreKeptApart) {
  // Only the lowest byte is written; the word is copied whole; the byte is used.
  expect_silence(
      "st.local.u8 [frame], 5; ld.local.u32 %r1, [frame]; st.local.u32 [frame+4], %r1;"
      "ld.local.u8 %rs1, [frame+4]; cvt.u32.u16 %r2, %rs1; add.u32 %r2, %r2, 1; st.global.u32 [%out], %r2;");
  EXPECT_EQ(said_of("st.local.u8 [frame], 5; ld.local.u32 %r1, [frame]; st.local.u32 [frame+4], %r1;"
                    "ld.local.u8 %rs1, [frame+5]; cvt.u32.u16 %r2, %rs1; add.u32 %r2, %r2, 1;"
                    "st.global.u32 [%out], %r2;")
                .size(),
            1u);
}

TEST_F(DefinednessTest, LocalMemoryIsUndefinedAtFirst) {
  EXPECT_NE(only("ld.local.u32 %r1, [frame+8]; add.u32 %r2, %r1, 1; st.global.u32 [%out], %r2;")
                .find("reads part of a local array or structure, which this thread has not written."),
            std::string::npos);
  expect_silence(
      "st.local.u32 [frame+8], 3; ld.local.u32 %r1, [frame+8]; add.u32 %r2, %r1, 1;"
      "st.global.u32 [%out], %r2;");
}

/// %r8 is the address of this thread's word of `tile`, whose upper half is never written.
const std::string half_a_tile =
    "mov.u32 %r9, tile; mad.lo.u32 %r8, %lane, 4, %r9; setp.lt.u32 %p2, %lane, 16; @%p2 st.shared.u32 [%r8], %lane;"
    "ld.shared.u32 %r1, [%r8];";

TEST_F(DefinednessTest, SharedMemoryIsToldWhereSomethingDependsOnIt) {
  for (const char* use : {"add.u32 %r2, %r1, 1; st.global.u32 [%out], %r2;", "st.global.u32 [%out], %r1;",
                          "setp.gt.u32 %p1, %r1, 5; @%p1 bra done; st.global.u32 [%out], 1;",
                          "atom.global.add.u32 %r2, [%out], %r1;", "red.shared.add.u32 [tile], %r1;"})
    EXPECT_EQ(only(half_a_tile + use),
              "thread (16,0,0) of block (0,0,0) reads tile[16] here, but no thread of this block has written it. It "
              "holds whatever an earlier block left there.")
        << use;
}

TEST_F(DefinednessTest, SharedMemoryMayBeReadInAdvance) {
  // As a merge does: the element behind the last is read, and compared with, but what is there does not matter.
  expect_silence(half_a_tile +
                 "setp.gt.u32 %p1, %r1, 5; and.pred %p1, %p1, %p2; selp.b32 %r2, %r1, 7, %p1;"
                 "st.global.u32 [%out], %r2;");
  expect_silence(half_a_tile + "@%p2 add.u32 %r2, %r1, 1; @!%p2 mov.u32 %r2, 0; st.global.u32 [%out], %r2;");
}

TEST_F(DefinednessTest, OfASelectionWhatIsChosenCounts) {
  for (const char* choice : {"selp.b32 %r2, %r1, 0, %p3;", "selp.b32 %r2, 0, %r1, %p2;"})
    EXPECT_NE(only(half_a_tile + "not.pred %p3, %p2;" + choice + "st.global.u32 [%out], %r2;").find("reads tile[16]"),
              std::string::npos)
        << choice;
}

TEST_F(DefinednessTest, WhatIsCopiedThroughSharedMemoryIsFollowed) {
  const std::string copy =
      "bar.sync 0; st.shared.u32 [%r8], %r1; bar.sync 0; sub.u32 %r7, 31, %lane;"
      "mad.lo.u32 %r8, %r7, 4, %r9; ld.shared.u32 %r2, [%r8];";
  const std::string use = "add.u32 %r3, %r2, 1; st.global.u32 [%out], %r3;";
  EXPECT_NE(only(half_a_tile + copy + use).find("thread (16,0,0) of block (0,0,0) reads tile[16]"), std::string::npos);
  expect_silence(half_a_tile + copy);
  expect_silence(half_a_tile + copy + "setp.ge.u32 %p1, %lane, 16; @!%p1 bra done;" + use);
  // So is what came from global memory: the reader is named, and not who uses it.
  const std::string from_global = "mov.u32 %r9, tile; mad.lo.u32 %r8, %lane, 4, %r9; ld.global.u32 %r1, [%in];";
  EXPECT_NE(only(from_global + copy + use)
                .find("thread (31,0,0) of block (0,0,0) reads element 31 of argument 1, an allocation of 128 bytes"),
            std::string::npos)
      << "which thread 0 computes with";
  expect_silence(from_global + copy + "st.shared.u32 [%r8], 5; ld.shared.u32 %r2, [%r8];" + use);
}

TEST_F(DefinednessTest, OfManyValuesInASumTheFirstIsNamed) {
  const std::string next_to = "shfl.sync.bfly.b32 %r2|%p1, %r1, DISTANCE, 31, -1; add.u32 %r1, %r1, %r2;";
  std::string sum = half_a_tile;
  for (const char* distance : {"1", "2", "4", "8", "16"}) {
    std::string step = next_to;
    step.replace(step.find("DISTANCE"), 8, distance);
    sum += step;
  }
  EXPECT_NE(only(sum + "st.global.u32 [%out], %r1;").find("reads tile[16]"), std::string::npos);
}

TEST_F(DefinednessTest, AShufflePassesItOn) {
  EXPECT_NE(only("ld.global.u32 %r1, [%in]; shfl.sync.bfly.b32 %r2|%p1, %r1, 16, 31, -1; add.u32 %r3, %r2, 1;"
                 "st.global.u32 [%out], %r3;")
                .find("thread (16,0,0) of block (0,0,0) reads element 16"),
            std::string::npos)
      << "which thread 0 has from there";
}

TEST_F(DefinednessTest, AShuffleFromALaneThatIsAbsentIsAMistakeOfAnotherKind) {
  // Lanes 1 to 31 ask lane 0, which is elsewhere, and whose %r2 nothing wrote.
  expect_silence(
      "setp.eq.u32 %p1, %lane, 0; @%p1 bra done; shfl.sync.idx.b32 %r3|%p2, %r2, 0, 31, 0xfffffffe;"
      "add.u32 %r4, %r3, 1; st.global.u32 [%out], %r4;");
}

TEST_F(DefinednessTest, VectorsElementsAreKeptApart) {
  memory.host_writes(in, 128);
  const std::uint64_t pairs = memory.allocate(256, "cudaMalloc");
  for (int pair = 0; pair < 32; ++pair) memory.host_writes(pairs + 8 * pair, 4);
  in = pairs;
  const std::string load = "add.s64 %rd2, %in, %rd1; ld.global.v2.u32 {%r1, %r2}, [%rd2];";
  expect_silence(load + "add.u32 %r3, %r1, 1; st.global.u32 [%out], %r3;");
  EXPECT_EQ(said_of(load + "add.u32 %r3, %r2, 1; st.global.u32 [%out], %r3;").size(), 1u);
}

TEST_F(DefinednessTest, ASelectionTakesOneOfTwo) {
  expect_silence(
      "ld.global.u32 %r1, [%in]; setp.lt.u32 %p1, %lane, 16; selp.b32 %r2, %r1, 0, %p1; add.u32 %r3, %r2, 1;"
      "st.global.u32 [%out], %r3;");
}

}  // namespace
}  // namespace warpwright::observe::testing
