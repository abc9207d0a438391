// What a decoded kernel says of itself: names, places of arrays and parameters, source lines.
#include <gtest/gtest.h>

#include <algorithm>

#include "isa/decode.h"
#include "isa/layout.h"
#include "machine/kernel.h"

namespace warpwright::kernels {
namespace {

machine::Program program_of(std::string_view body) {
  const ptx::Module module = ptx::parse(module_around(body));
  return isa::decode(module, "kernel", {});
}

machine::Program module_program(const std::string& text, const std::string& entry) {
  const ptx::Module module = ptx::parse(".version 9.0\n.target sm_90\n.address_size 64\n" + text);
  return isa::decode(module, entry, {});
}

TEST(Names, AreThoseOfTheSource) {
  EXPECT_EQ(isa::source_name("_Z6reducePKfPfi"), "reduce");
  EXPECT_EQ(isa::source_name("_Z6reduceILi256EEvPKfPfi"), "reduce<256>");
  EXPECT_EQ(isa::source_name("_ZN4math6detail3sumIfLb1EEEvPT_"), "sum<float, true>");
  EXPECT_EQ(isa::source_name("_ZN12_GLOBAL__N_15scaleEPf"), "scale");
  EXPECT_EQ(isa::source_name("_ZZ6reducePKfPfiE4tile"), "tile");
  EXPECT_EQ(isa::source_name("plain"), "plain");
  EXPECT_EQ(isa::source_name("i"), "i") << "no type named int";
}

TEST(Programs, CarryTheKernelsOwnName) {
  const machine::Program program =
      module_program(".visible .entry _Z6reduceILi256EEvPKfPfi() { ret; }", "_Z6reduceILi256EEvPKfPfi");
  EXPECT_EQ(program.mangled, "_Z6reduceILi256EEvPKfPfi");
  EXPECT_EQ(program.kernel, "reduce<256>");
}

TEST(Programs, KnowAtomicsThatCountUp) {
  const auto counts_up = [](const std::string& body) {
    const machine::Program program = program_of(body);
    return std::ranges::any_of(program.code, &machine::Instruction::counts_up);
  };
  EXPECT_TRUE(counts_up("red.shared.add.u32 [tile], 1;"));
  EXPECT_TRUE(counts_up("atom.shared.add.u32 %r1, [tile], 1;"));
  EXPECT_TRUE(counts_up("atom.shared.add.u32 _, [tile], 1;"));
  EXPECT_TRUE(counts_up("red.shared.inc.u32 [tile], 0xffffffff;"));
  EXPECT_FALSE(counts_up("atom.shared.add.u32 %r1, [tile], 1; st.global.u32 [%out], %r1;")) << "its result is used";
  EXPECT_FALSE(counts_up("atom.shared.add.u32 %r1, [tile], 1; st.shared.u32 [%r1], 0;")) << "as an address";
  EXPECT_FALSE(counts_up("atom.shared.add.u32 %r1, [tile], 1; mov.b64 %rd1, {%r1, %r2};"));
  EXPECT_FALSE(counts_up("red.shared.add.u32 [tile], 2;"));
  EXPECT_FALSE(counts_up("red.shared.add.s32 [tile], 1;")) << "ptxas keeps that one";
  EXPECT_FALSE(counts_up("red.shared.add.u32 [tile], %r1;"));
  EXPECT_FALSE(counts_up("red.shared.inc.u32 [tile], 7;"));
  EXPECT_FALSE(counts_up("red.global.add.u32 [%outs], 1;"));
  EXPECT_FALSE(counts_up("red.add.u32 [%outs], 1;"));
}

TEST(Programs, PlaceParametersByTheirAlignment) {
  const machine::Program program = module_program(R"(
    .visible .entry kernel(.param .u8 a, .param .u64 b, .param .u16 c, .param .align 16 .b8 d[20], .param .u32 e)
    { ret; })",
                                                  "kernel");
  std::vector<std::pair<std::uint32_t, std::uint32_t>> places;
  for (const machine::Parameter& parameter : program.parameters) places.emplace_back(parameter.offset, parameter.bytes);
  EXPECT_EQ(places, (std::vector<std::pair<std::uint32_t, std::uint32_t>>{{0, 1}, {8, 8}, {16, 2}, {32, 20}, {52, 4}}));
  EXPECT_EQ(program.parameter_bytes, 56u);
}

TEST(Programs, PlaceSharedArraysAsTheHardwareDoesApartFromRedZones) {
  const machine::Program program = module_program(R"(
    .shared .align 4 .b8 _ZZ6kernelvE5first[12];
    .shared .align 4 .b8 unused[400];
    .shared .align 16 .b8 _ZZ6kernelvE6second[40];
    .extern .shared .align 8 .b8 rest[];
    .visible .entry kernel() {
      .reg .b32 %r<4>;
      mov.u32 %r1, _ZZ6kernelvE6second;
      mov.u32 %r2, _ZZ6kernelvE5first;
      st.shared.u16 [rest], %r1;
      ret; })",
                                                  "kernel");
  ASSERT_EQ(program.shared.size(), 3u) << "an array that the kernel does not use has no place";
  EXPECT_EQ(program.shared[0].name, "first");
  EXPECT_EQ(program.shared[0].offset, 0u);
  EXPECT_EQ(program.shared[0].bytes, 12u);
  EXPECT_EQ(program.shared[1].name, "second");
  EXPECT_EQ(program.shared[1].offset, 16u + isa::red_zone);
  EXPECT_EQ(program.shared[1].bytes, 40u);
  EXPECT_EQ(program.shared[2].name, "rest");
  EXPECT_EQ(program.shared[2].offset, 64u + 2 * isa::red_zone);
  EXPECT_TRUE(program.shared[2].dynamic);
  EXPECT_EQ(program.static_shared_bytes, 56u);
  EXPECT_EQ(program.shared_window_bytes, program.shared[2].offset);
}

TEST(Programs, KnowTheFinestWidthOfSharedAccesses) {
  EXPECT_EQ(program_of("ld.shared.u64 %rd1, [tile];").shared_granule, 4u);
  EXPECT_EQ(program_of("ld.shared.u16 %rs1, [tile];").shared_granule, 2u);
  EXPECT_EQ(program_of("ld.shared.v4.u8 {%r1, %r2, %r3, %r4}, [tile];").shared_granule, 1u);
  EXPECT_EQ(program_of("ld.u8 %r1, [%outs];").shared_granule, 1u) << "a generic address may be a shared one";
  EXPECT_EQ(program_of("ld.global.u8 %r1, [%outs]; ld.param.u8 %r2, [outs];").shared_granule, 4u);
}

TEST(Programs, KnowWhetherTheOrderOfBlocksMayShow) {
  for (const char* body : {"ld.global.u32 %r1, [%outs];", "st.global.u32 [%outs], %r1;",
                           "atom.shared.add.u32 %r1, [tile], 1;", "ld.volatile.shared.u32 %r1, [tile];", "membar.gl;"})
    EXPECT_FALSE(program_of(body).order_dependent) << body;
  for (const char* body : {"atom.global.add.u32 %r1, [%outs], 1;", "red.global.add.u32 [%outs], 1;",
                           "atom.add.u32 %r1, [%outs], 1;", "ld.volatile.global.u32 %r1, [%outs];",
                           "ld.acquire.gpu.u32 %r1, [%outs];", "st.release.gpu.global.u32 [%outs], 1;"})
    EXPECT_TRUE(program_of(body).order_dependent) << body;
}

TEST(Programs, KeepLocalFramesApartBySixteenBytes) {
  const machine::Program program = module_program(R"(
    .visible .entry kernel() {
      .local .align 4 .b8 small[5];
      .local .align 8 .b8 wide[16];
      .reg .b64 %rd<2>;
      mov.u64 %rd1, wide;
      ret; })",
                                                  "kernel");
  EXPECT_EQ(program.local_bytes, 32u);
}

TEST(Programs, TakeTheirBoundFromTheKernel) {
  EXPECT_EQ(module_program(".visible .entry kernel() .maxntid 128, 2, 1 { ret; }", "kernel").max_threads, 256u);
  EXPECT_EQ(module_program(".visible .entry kernel() { ret; }", "kernel").max_threads, 1024u);
}

TEST(Programs, NameTheLearnersLineThroughInlining) {
  const machine::Program program = module_program(R"(
.visible .entry _Z4workPf(.param .u64 p)
{
.reg .b32 %r<4>;
mov.u32 %r1, 0;
.loc 1 20 3
mov.u32 %r1, 1;
.loc 2 7 5, function_name $L__info, inlined_at 1 21 9
mov.u32 %r1, 2;
.loc 1 0 0
mov.u32 %r1, 3;
ret;
}
.file 1 "/course/exercise.cu"
.file 2 "/usr/local/cuda/include/header.hpp"
.section .debug_str
{
$L__info:
.b8 95
.b8 90
.b8 49
.b8 102
.b8 118
.b8 0
}
)",
                                                  "_Z4workPf");
  EXPECT_EQ(program.learner_frame(0), nullptr);
  EXPECT_EQ(program.learner_frame(1)->line, 20u);
  EXPECT_EQ(program.learner_frame(1)->function, "work");
  ASSERT_EQ(program.frames(2).size(), 2u);
  EXPECT_EQ(program.frames(2)[0].file, "/usr/local/cuda/include/header.hpp");
  EXPECT_EQ(program.frames(2)[0].line, 7u);
  EXPECT_EQ(program.frames(2)[0].function, "f");
  EXPECT_EQ(program.learner_frame(2)->file, "/course/exercise.cu");
  EXPECT_EQ(program.learner_frame(2)->line, 21u);
  EXPECT_EQ(program.learner_frame(3)->line, 21u) << "line 0 stands for no line: the one before goes on";
  EXPECT_EQ(program.text(2), "mov.u32 %r1, 2");
  EXPECT_EQ(program.ptx_line(2), 12u);
}

TEST(Programs, EndWithAnExitWhateverTheBodyEndsWith) {
  const machine::Program program =
      module_program(".visible .entry kernel() { .reg .b32 %r<2>; mov.u32 %r1, 1; }", "kernel");
  ASSERT_EQ(program.code.size(), 2u);
  EXPECT_EQ(program.code.back().flow, machine::Flow::exit);
  EXPECT_EQ(program.text(1), "ret");
}

}  // namespace
}  // namespace warpwright::kernels
