#include <fmt/core.h>
#include <gtest/gtest.h>

#include <bit>

#include "machine/kernel.h"

namespace warpwright::kernels {
namespace {

/// The 64 bits in %rd1 after these instructions.
std::uint64_t wide(const std::string& body) {
  const Outcome outcome = run(body + " st.global.b64 [%outs], %rd1;", {.block = {1, 1, 1}, .words = 2});
  EXPECT_EQ(outcome.status, LaunchStatus::finished);
  return outcome.out[0] | std::uint64_t{outcome.out[1]} << 32;
}

TEST(Mov, PacksElementsFromTheLowestUp) {
  EXPECT_EQ(wide("mov.b64 %rd1, {1, 2};"), 0x0000000200000001u);
  EXPECT_EQ(wide("mov.b32 %r1, 0x11111111; mov.b32 %r2, 0x22222222; mov.b64 %rd1, {%r1, %r2};"), 0x2222222211111111u);
  EXPECT_EQ(wide("mov.u16 %rs1, 0xffff; mov.u16 %rs2, 2; mov.b64 %rd1, {%rs1, %rs2, %rs2, %rs1};"),
            0xffff00020002ffffu);
  EXPECT_EQ(wide("mov.s16 %rs1, -1; mov.u16 %rs2, 2; mov.b32 %r1, {%rs1, %rs2}; cvt.u64.u32 %rd1, %r1;"), 0x0002ffffu);
}

TEST(Mov, UnpacksAndLeavesOutSinks) {
  EXPECT_EQ(wide("mov.b64 %rd2, 0x1122334455667788; mov.b64 {%r1, %r2}, %rd2; mov.b64 %rd1, {%r2, %r1};"),
            0x5566778811223344u);
  EXPECT_EQ(wide("mov.b64 %rd2, 0x1122334455667788; mov.b64 {_, %r2}, %rd2; cvt.u64.u32 %rd1, %r2;"), 0x11223344u);
  EXPECT_EQ(wide("mov.b64 %rd2, 0x1122334455667788; mov.b64 {%rs1, _, %rs2, _}, %rd2; mov.b64 %rd1, {%rs1, %rs2, %rs1, "
                 "%rs2};"),
            0x3344778833447788u);
  EXPECT_EQ(wide("mov.b32 %r1, 0xaabbccdd; mov.b32 {%rs1, %rs2}, %r1; cvt.u64.u16 %rd1, %rs2;"), 0xaabbu);
}

TEST(Mov, PacksAndUnpacksBytes) {
  EXPECT_EQ(wide("mov.b32 %r1, 0x11223344; mov.b32 {%r2, %r3, %r4, _}, %r1; mov.b32 %r5, {%r4, %r3, %r2, 9}; "
                 "cvt.u64.u32 %rd1, %r5;"),
            0x09443322u);
  EXPECT_EQ(
      wide("mov.b16 %rs1, 0x1234; mov.b16 {%rs2, %rs3}, %rs1; mov.b16 %rs4, {%rs3, %rs2}; cvt.u64.u16 %rd1, %rs4;"),
      0x3412u);
}

TEST(Mov, PacksActiveLanesOnly) {
  const Outcome outcome =
      run("setp.lt.u32 %p1, %lane, 4; mov.b64 %rd1, 9; @%p1 mov.b64 %rd1, {%lane, 7}; cvt.u32.u64 %r1, %rd1; "
          "st.global.u32 [%out], %r1;");
  EXPECT_EQ(outcome.out[3], 3u);
  EXPECT_EQ(outcome.out[4], 9u);
}

TEST(Mov, TakesLiteralsOfTheInstructionsType) {
  EXPECT_EQ(wide("mov.f64 %fd1, 0d3FF8000000000000; mov.b64 %rd1, %fd1;"), 0x3ff8000000000000u);
  EXPECT_EQ(wide("mov.f64 %fd1, 1.5; mov.b64 %rd1, %fd1;"), 0x3ff8000000000000u);
  EXPECT_EQ(wide("mov.f32 %f1, 1.5; mov.b32 %r1, %f1; cvt.u64.u32 %rd1, %r1;"), 0x3fc00000u);
  EXPECT_EQ(wide("mov.f32 %f1, 0d3FF8000000000000; mov.b32 %r1, %f1; cvt.u64.u32 %rd1, %r1;"), 0x3fc00000u);
  EXPECT_EQ(wide("mov.f64 %fd2, 0d0000000000000000; add.f64 %fd1, %fd2, 0f3FC00000; mov.b64 %rd1, %fd1;"),
            0x3ff8000000000000u);
  EXPECT_EQ(wide("mov.b32 %r1, 0f3FC00000; cvt.u64.u32 %rd1, %r1;"), 0x3fc00000u);
  EXPECT_EQ(wide("mov.s64 %rd1, -2;"), ~std::uint64_t{1});
  EXPECT_EQ(wide("mov.u16 %rs1, -2; cvt.u64.u16 %rd1, %rs1;"), 0xfffeu);
  EXPECT_EQ(wide("mov.s16 %rs1, -2; cvt.s64.s16 %rd1, %rs1;"), ~std::uint64_t{1});
}

TEST(ConditionCode, IsClearBehindABorrow) {
  const std::string read = "addc.u32 %r3, 0, 0; cvt.u64.u32 %rd1, %r3;";
  EXPECT_EQ(wide("mov.u32 %r1, 5; sub.cc.u32 %r2, %r1, 5; " + read), 1u);
  EXPECT_EQ(wide("mov.u32 %r1, 5; sub.cc.u32 %r2, %r1, 6; " + read), 0u);
  EXPECT_EQ(wide("mov.u32 %r1, 0; sub.cc.u32 %r2, %r1, 1; subc.cc.u32 %r2, %r1, 0; " + read), 0u);
  EXPECT_EQ(wide("mov.u32 %r1, 0; sub.cc.u32 %r2, %r1, 1; subc.cc.u32 %r2, %r1, -1; " + read), 0u);
  EXPECT_EQ(wide("mov.u32 %r1, 1; sub.cc.u32 %r2, 0, %r1; subc.cc.u32 %r2, %r1, 0; " + read), 1u);
  EXPECT_EQ(wide("mov.u32 %r1, -1; add.cc.u32 %r2, %r1, 1; subc.u32 %r3, 7, 2; cvt.u64.u32 %rd1, %r3;"), 5u);
  EXPECT_EQ(wide("mov.u32 %r1, 1; add.cc.u32 %r2, %r1, 1; subc.u32 %r3, 7, 2; cvt.u64.u32 %rd1, %r3;"), 4u);
}

TEST(Cvt, ReadsAndWritesRegistersWiderThanItsTypes) {
  EXPECT_EQ(wide("mov.b64 %rd2, 0x1122334455667788; cvt.u32.u16 %r1, %rd2; cvt.u64.u32 %rd1, %r1;"), 0x7788u);
  EXPECT_EQ(wide("mov.b64 %rd2, 0x1122334455667788; cvt.s32.s8 %r1, %rd2; cvt.u64.u32 %rd1, %r1;"), 0xffffff88u);
  EXPECT_EQ(wide("mov.b32 %r1, 0x80; cvt.s8.s32 %rd1, %r1;"), 0xffffffffffffff80u);
  EXPECT_EQ(wide("mov.b32 %r1, 0x80; cvt.u8.u32 %rd1, %r1;"), 0x80u);
  EXPECT_EQ(wide("mov.b32 %r1, 0x18765; cvt.s16.s32 %rd1, %r1;"), 0xffffffffffff8765u);
}

TEST(Mov, CopiesRegistersOf128Bits) {
  EXPECT_EQ(wide("{ .reg .b128 %q<2>; mov.b128 %q0, {1, 7}; mov.b128 %q1, %q0; mov.b128 {_, %rd1}, %q1; }"), 7u);
}

TEST(Cvt, ReadsAndWritesRegistersWiderThanBothItsTypes) {
  EXPECT_EQ(wide("mov.b64 %rd2, 0x1122334455667788; cvt.s16.s8 %rd1, %rd2;"), 0xffffffffffffff88u);
  EXPECT_EQ(wide("mov.b64 %rd2, 0x1122334455667788; cvt.u32.u16 %rd1, %rd2;"), 0x7788u);
}

TEST(GridId, IsTheLaunchsNumber) { EXPECT_EQ(wide("mov.u64 %rd1, %gridid;"), 1u); }

TEST(Cvt, WritesWideRegistersInActiveLanesOnly) {
  const Outcome outcome =
      run("setp.lt.u32 %p1, %lane, 4; mov.b64 %rd1, 9; @%p1 cvt.u8.u32 %rd1, %lane; cvt.u32.u64 %r1, %rd1; "
          "st.global.u32 [%out], %r1;");
  EXPECT_EQ(outcome.out[3], 3u);
  EXPECT_EQ(outcome.out[4], 9u);
}

TEST(Cvta, GoesToTheGenericAddressAndBack) {
  for (const auto& [space, array] : {std::pair{"shared", "tile"}, {"local", "frame"}}) {
    const std::string there =
        fmt::format("mov.u64 %rd2, {}; add.u64 %rd2, %rd2, 40; cvta.{}.u64 %rd3, %rd2;", array, space);
    const std::string back = fmt::format("cvta.to.{}.u64 %rd4, %rd3; sub.u64 %rd1, %rd4, %rd2;", space);
    EXPECT_EQ(wide(there + back), 0u);
    EXPECT_NE(wide(there + "sub.u64 %rd1, %rd3, %rd2;"), 0u);
  }
  EXPECT_EQ(wide("cvta.to.global.u64 %rd2, %outs; cvta.global.u64 %rd3, %rd2; sub.u64 %rd1, %rd3, %outs;"), 0u);
}

TEST(Isspacep, KnowsConstantVariablesFromOtherGlobalMemory) {
  const auto spaces_of = [](const std::string& variable) {
    const std::string head = ".const .b32 constant[2]; .global .b32 ordinary[2]; ";
    std::string module = module_around("mov.u64 %rd1, " + variable +
                                       "; isspacep.const %p1, %rd1; isspacep.global %p2, "
                                       "%rd1; selp.u32 %r1, 10, 0, %p1; selp.u32 %r2, 1, 0, %p2; add.u32 %r1, %r1, "
                                       "%r2; st.global.u32 [%out], %r1;");
    module.insert(module.find(".visible"), head);
    return run_module(module, {.block = {1, 1, 1}}).out[0];
  };
  EXPECT_EQ(spaces_of("constant+4"), 10u);
  EXPECT_EQ(spaces_of("ordinary+4"), 1u);
}

TEST(Isspacep, CountsAKernelsParametersAsGlobalMemoryToo) {
  EXPECT_EQ(wide("mov.b64 %rd2, outs; cvta.param.u64 %rd2, %rd2; isspacep.param %p1, %rd2; isspacep.global %p2, %rd2;"
                 "selp.u64 %rd1, 10, 0, %p1; @%p2 add.u64 %rd1, %rd1, 1;"),
            11u);
}

}  // namespace
}  // namespace warpwright::kernels
