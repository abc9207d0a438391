#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>

#include "isa/decode.h"
#include "machine/kernel.h"

namespace warpwright::kernels {
namespace {

bool contains(const std::string& text, std::string_view part) { return text.find(part) != text.npos; }

TEST(Refusals, NameKernelInstructionPtxLineAndReason) {
  const std::string refusal = refusal_of("mov.u32 %r1, 1;\nadd.f16x3 %r2, %r1, %r1;");
  const auto head_lines = std::ranges::count(module_around(""), '\n');
  // The body begins where the tail's first line does: three lines before the end.
  const auto line = head_lines - 4 + 2;
  EXPECT_EQ(refusal, fmt::format("the simulated GPU cannot run `add.f16x3 %r2, %r1, %r1` (PTX line {}): "
                                 "no such instruction is implemented",
                                 line));
}

TEST(Refusals, NameTheSourceLineThroughInlining) {
  const ptx::Module module = ptx::parse(R"(.version 9.0
.target sm_90
.address_size 64
.visible .entry _Z4workPf(.param .u64 p)
{
.reg .b32 %r<4>;
.loc 1 20 3
mov.u32 %r1, 1;
.loc 2 7 5, function_name $L__info, inlined_at 1 21 9
mystery.b32 %r2, %r1;
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
)");
  try {
    isa::decode(module, "_Z4workPf", {});
    FAIL() << "decoded";
  } catch (const machine::UnsupportedInstruction& refusal) {
    EXPECT_STREQ(refusal.what(),
                 "the simulated GPU cannot run `mystery.b32 %r2, %r1` "
                 "(/course/exercise.cu:21, PTX line 10): no such instruction is implemented");
  }
}

struct Refusal {
  const char* instruction;
  const char* reason;
};

void PrintTo(const Refusal& refusal, std::ostream* stream) { *stream << refusal.instruction; }

class Refused : public testing::TestWithParam<Refusal> {};

TEST_P(Refused, WithItsReason) {
  const auto [instruction, reason] = GetParam();
  const std::string refusal = refusal_of(std::string(instruction) + ";");
  EXPECT_TRUE(contains(refusal, reason)) << instruction << ": " << refusal;
  EXPECT_TRUE(contains(refusal, "PTX line")) << refusal;
}

INSTANTIATE_TEST_SUITE_P(
    Qualifiers, Refused,
    testing::Values(Refusal{"add.rna.f32 %f1, %f2, %f3", "no such instruction is implemented"},
                    Refusal{"add.s32.foo %r1, %r2, %r3", "no such instruction is implemented"},
                    Refusal{"setp.lt.and.foo.s32 %p1, %r1, %r2, %p2", "no such instruction is implemented"},
                    Refusal{"setp.lt.nand.s32 %p1|%p2, %r1, %r2, %p2", "no such instruction is implemented"},
                    Refusal{"setp.lt.foo.s32 %p1, %r1, %r2", "no such instruction is implemented"},
                    Refusal{"set.lt.foo.u32.s32 %r1, %r1, %r2", "no such instruction is implemented"},
                    Refusal{"set.lt.u32 %r1, %r1, %r2", "this form of set"},
                    Refusal{"set.lt.u64.s32 %rd1, %r1, %r2", "this form of set"},
                    Refusal{"set.lt.f16x2.f16 %r1, %rs1, %rs2", "this form of set"},
                    Refusal{"lop3.xor.b32 %r1|%p1, %r1, %r2, %r3, 1, %p2", "no such instruction is implemented"},
                    Refusal{"lop3.or.b32 %r1, %r1, %r2, %r3, 1, %p2", "a predicate that has no destination"},
                    Refusal{"lop3.or.b32 %r1|%p1, %r1, %r2, %r3, 1, !%p2", "a negated operand here"},
                    Refusal{"isspacep.tex %p1, %rd1", "this state space"},
                    Refusal{"add.cc.u16 %rs1, %rs2, %rs3", "no such instruction is implemented"},
                    Refusal{"mad.wide.cc.u32 %rd1, %r2, %r3, %rd1", "no such instruction is implemented"},
                    Refusal{"fma.rz.bf16 %rs1, %rs2, %rs3, %rs1", "PTX rounds fma of halves to nearest alone"},
                    Refusal{"fma.rp.relu.bf16x2 %r1, %r2, %r3, %r1", "PTX rounds fma of halves to nearest alone"},
                    Refusal{"fma.rm.f16 %rs1, %rs2, %rs3, %rs1", "PTX rounds fma of halves to nearest alone"},
                    Refusal{"fma.rz.f32.bf16 %f1, %rs1, %rs2, %f1", "no such instruction is implemented"},
                    Refusal{"fma.rn.oob.f16 %rs1, %rs2, %rs3, %rs1", "no such instruction is implemented"},
                    Refusal{"vadd4.u32.u32.u32 %r1, %r2, %r3, %r4", "a video instruction"},
                    Refusal{"vset.u32.u32.lt %r1, %r2, %r3", "a video instruction"},
                    Refusal{"ld.global.foo.u32 %r1, [%outs]", "the qualifier .foo"},
                    Refusal{"ld.global.v3.u32 {%r1, %r2, %r3}, [%outs]", "the qualifier .v3"},
                    Refusal{"ld.global.v8.b32 {%r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8}, [%outs]", "the qualifier .v8"},
                    Refusal{"st.async.global.u32 [%outs], %r2", "the qualifier .async"},
                    Refusal{"atom.global.foo.add.u32 %r1, [%outs], 1", "the qualifier .foo"},
                    Refusal{"atom.global.add.noftz.f32 %f1, [%outs], %f2", "the qualifier .noftz"},
                    Refusal{"red.async.global.add.u32 [%outs], 1", "the qualifier .async"},
                    Refusal{"shfl.sync.foo.b32 %r1, %r2, 1, 31, -1", "the shuffle mode .foo"},
                    Refusal{"shfl.up.b32 %r1, %r2, 1, 31", "only shfl.sync"},
                    Refusal{"shfl.sync.up.b64 %rd1, %rd2, 1, 31, -1", "only shfl.sync"},
                    Refusal{"vote.ballot.b32 %r1, %p1", "only vote.sync"},
                    Refusal{"vote.sync.foo.pred %p1, %p2, -1", "the vote mode .foo"},
                    Refusal{"vote.sync.ballot.b64 %rd1, %p2, -1", "the type .b64"},
                    Refusal{"vote.sync.any.b32 %r1, %p2, -1", "the type .b32"},
                    Refusal{"activemask.b64 %rd1", "only vote.sync"},
                    Refusal{"redux.async.add.u32 %r1, %r2, -1", "this form of redux"},
                    Refusal{"redux.sync.add.f32 %f1, %f2, -1", "this form of redux"},
                    Refusal{"match.sync.any.b32 %r1, %r2, -1", "this form of match"},
                    Refusal{"match.some.sync.b32 %r1, %r2, -1", "this form of match"},
                    Refusal{"match.any.sync.b32 %r1|%p1, %r2, -1", "a predicate of match.any"},
                    Refusal{"bar.red.foo.u32 %r1, 0, %p1", "the barrier operation .red.foo.u32"},
                    Refusal{"bar.foo 0", "the barrier operation .foo"}, Refusal{"bra.foo done", "this form of branch"},
                    Refusal{"ret.foo", "no such instruction is implemented"},
                    Refusal{"fence.foo.gpu", "this form of fence"}, Refusal{"fence.sc", "this form of fence"},
                    Refusal{"membar.foo", "this form of membar"},
                    Refusal{"prefetch.shared.L1 [%outs]", "this form of prefetch"},
                    Refusal{"cvta.const.foo.u64 %rd1, %rd2", "this form of cvta"},
                    Refusal{"cvta.shared.u32 %r1, %r2", "this form of cvta"},
                    Refusal{"cvta.tex.u64 %rd1, %rd2", "this state space"}, Refusal{"cvta", "this form of cvta"}));

INSTANTIATE_TEST_SUITE_P(
    Operands, Refused,
    testing::Values(Refusal{"add.s32 %r1, %r2", "this number of operands"},
                    Refusal{"add.s32 %r1, %r2, %r3, %r4", "this number of operands"},
                    Refusal{"add.s32 %r1, %r2, %rd3", "register %rd3 has another width"},
                    Refusal{"add.s32 %rd1, %r2, %r3", "register %rd1 has another width"},
                    Refusal{"add.s32 %r1, %r2, %p3", "register %p3 has another width"},
                    Refusal{"add.s32 7, %r2, %r3", "this form of destination"},
                    Refusal{"add.s32 %r1|%p1, %r2, %r3", "a second destination"},
                    Refusal{"add.s32 %r1, %r2, {%r3, %r4}", "this form of operand"},
                    Refusal{"add.s32 %r1, %r2, 1.5", "a floating-point literal of another size"},
                    Refusal{"add.f32 %f1, %f2, 1", "an integer literal where a float belongs"},
                    Refusal{"mov.b64 %rd1, 0f3F800000", "a floating-point literal of another size"},
                    Refusal{"and.pred %p1, %p2, !%p3", "a negated operand here"},
                    Refusal{"setp.lt.s32 _, %r1, %r2", "a comparison without a destination"},
                    Refusal{"setp.lt.and.s32 %p1, %r1, %r2", "an operand is missing"},
                    Refusal{"setp.lt.and.s32 %p1, %r1, %r2, %r3", "register %r3 has another width"},
                    Refusal{"mov.u32 %r1, %pm0", "the special register %pm0"},
                    Refusal{"mov.u32 %r1, {%rs1, %rs2}", "a vector of this type"},
                    Refusal{"mov.b64 %rd1, {%r1, %r2, %r3}", "a vector of this length"},
                    Refusal{"ld.global.u32 %r1, %r2", "this form of address"},
                    Refusal{"ld.global.u32 %r1, [%p1]", "this form of address"},
                    Refusal{"ld.global.u32 %r1, [%outs], %rd1", "this number of operands"},
                    Refusal{"ld.global.v2.u32 {%r1, %r2, %r3}, [%outs]", "this number of vector elements"},
                    Refusal{"ld.global.v4.u64 {%rd1, %rd2, %rd3, %rd4}, [%outs]", "an access of more than 16 bytes"},
                    Refusal{"ld.global.v2.b128 {%rd1, %rd2}, [%outs]", "an access of more than 16 bytes"},
                    Refusal{"ld.global %r1, [%outs]", "the type .global"},
                    Refusal{"ld.param.u32 %r1, [outs+16]", "an address outside the parameters"},
                    Refusal{"cp.async.ca.shared.global [%r1], [%rd1], 12", "this number of bytes"},
                    Refusal{"st.param.u32 [outs], %r1", "a store to a parameter"},
                    Refusal{"st.const.u32 [%outs], %r1", "a store to constant memory"},
                    Refusal{"atom.const.add.u32 %r1, [%outs], 1", "an atomic in constant memory"},
                    Refusal{"atom.local.add.u32 %r1, [%outs], 1", "an atomic in local memory"},
                    Refusal{"atom.global.add.s64 %rd1, [%outs], 1", "the atomic add of type s64"},
                    Refusal{"atom.global.u32 %r1, [%outs], 1", "an atomic without an operation"},
                    Refusal{"atom.global.add.v4.u32 {%r1, %r2, %r3, %r4}, [%outs], {%r1, %r2, %r3, %r4}",
                            "the atomic add of 4 elements of type u32"},
                    Refusal{"red.global.add.v2.f64 [%outs], {%fd1, %fd2}", "the atomic add of 2 elements of type f64"},
                    Refusal{"red.global.add.noftz.v8.f16x2 [%outs], {%r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8}",
                            "the atomic add of 8 elements of type f16x2"},
                    Refusal{"red.shared.add.v2.f32 [tile], {%f1, %f2}", "an atomic of a vector outside global memory"},
                    Refusal{"red.global.add.v2.f32 [%outs], {%f1, %f2, %f3}", "this number of vector elements"},
                    Refusal{"red.global.add.v2.f32 [%outs], %f1", "this number of vector elements"},
                    Refusal{"atom.global.add.v2.f32 {%f1}, [%outs], {%f1, %f2}", "this number of vector elements"},
                    Refusal{"atom.global.add.v2.f32 [%outs], {%f1, %f2}", "this number of operands"},
                    Refusal{"discard.global.L2 [%outs], 64", "this number of bytes"},
                    Refusal{"createpolicy.foo.b64 %rd1, 1", "this form of it"},
                    Refusal{"atom.global.add.u32 %r1, [%outs]", "an operand is missing"},
                    Refusal{"atom.global.add.u32 %r1, [%outs], 1, 2", "this number of operands"},
                    Refusal{"red.global.exch.b32 [%outs], 1", "a reduction that needs a result"},
                    Refusal{"addc.u32 %r1, %r2", "this number of operands"},
                    Refusal{"addc.u32 %rd1, %r2, %r3", "register %rd1 has another width"},
                    Refusal{"set.lt.and.u32.s32 %r1, %r2, %r3", "an operand is missing"},
                    Refusal{"bar.sync 16", "barrier 16: a block has the barriers 0 to 15"},
                    Refusal{"bar.sync 0, 33", "no multiple of the warp's size"},
                    Refusal{"bar.sync 0, 0", "no multiple of the warp's size"},
                    Refusal{"bar.sync 0, 32, 1", "this number of operands"},
                    Refusal{"bar.sync", "an operand is missing"},
                    Refusal{"bar.arrive 0", "bar.arrive without a number of threads"},
                    Refusal{"bar.warp.sync", "an operand is missing"}));

// What belongs to a part of the GPU that is not there: that part is the reason.
INSTANTIATE_TEST_SUITE_P(
    Features, Refused,
    testing::Values(
        Refusal{"wmma.load.a.sync.aligned.row.m16n16k16.f16 {%r1, %r2}, [%rd1]", "tensor cores are not simulated"},
        Refusal{"mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%fd1, %fd2}, {%fd3}, {%fd4}, {%fd5, %fd6}",
                "tensor cores are not simulated"},
        Refusal{"ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1}, [%r2]", "tensor cores are not simulated"},
        Refusal{"tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%rd1, {%r1}]", "textures are not simulated"},
        Refusal{"suld.b.1d.b32.trap %r1, [%rd1, {%r2}]", "surfaces are not simulated"},
        Refusal{"st.shared::cluster.u32 [%r1], %r2", "clusters of several blocks are not simulated"},
        Refusal{"mapa.u64 %rd1, %rd2, %r3", "clusters of several blocks are not simulated"},
        Refusal{"barrier.cluster.arrive", "clusters of several blocks are not simulated"},
        Refusal{"mbarrier.arrive.shared::cluster.b64 _, [%r1]", "clusters of several blocks are not simulated"},
        Refusal{"mov.pred %p1, %is_explicit_cluster", "clusters of several blocks are not simulated"},
        Refusal{"cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd1], 16, [%r2]",
                "copies of tensors (TMA) are not simulated"},
        Refusal{"fence.proxy.tensormap::generic.release.gpu", "copies of tensors (TMA) are not simulated"},
        Refusal{"cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r1], [%r2], %r3, [%r4]",
                "clusters of several blocks are not simulated"},
        Refusal{"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%r2], %r3, [%r4]",
                "an address of this width"},
        Refusal{"ld.global.acquire.cluster.foo.u32 %r1, [%outs]", "the qualifier .foo"},
        Refusal{"cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%rd1], [%r1], %r2",
                "reductions in bulk are not simulated"},
        Refusal{"multimem.red.relaxed.sys.global.add.u32 [%rd1], %r1", "multicast"},
        Refusal{"mov.u32 %r1, %reserved_smem_offset_1", "tiles of several warps"},
        Refusal{"mov.u64 %rd1, %current_graph_exec", "graphs are not simulated"}));

TEST(Refusals, NameClustersThatAKernelAsksFor) {
  const auto refusal_with = [](const std::string& extent) {
    const ptx::Module module = ptx::parse(
        ".version 9.0 .target sm_90 .address_size 64 .visible .entry k() .reqnctapercluster " + extent + " { ret; }");
    try {
      isa::decode(module, "k", {});
    } catch (const machine::UnsupportedInstruction& refusal) {
      return std::string(refusal.what());
    }
    return std::string();
  };
  EXPECT_TRUE(contains(refusal_with("2, 1, 1"), "clusters of several blocks"));
  EXPECT_EQ(refusal_with("1, 1, 1"), "");
}

TEST(Refusals, NameLaunchesByKernels) {
  std::string module = module_around("call __cudaCDP2DeviceSynchronize, ();");
  module.insert(module.find(".visible"), ".extern .func __cudaCDP2DeviceSynchronize (); ");
  try {
    isa::decode(ptx::parse(module), "kernel", {});
    FAIL() << "decoded";
  } catch (const machine::UnsupportedInstruction& refusal) {
    EXPECT_TRUE(contains(refusal.what(), "launches by kernels are not simulated")) << refusal.what();
  }
}

// What no compiler writes, and a damaged module may hold.
INSTANTIATE_TEST_SUITE_P(
    Damaged, Refused,
    testing::Values(Refusal{"cp.async", "this kind of copy"}, Refusal{"cp.async.bulk", "this form of it"},
                    Refusal{"mbarrier", "this form of it"},
                    Refusal{"cp.async.wait_group %r1", "a number of groups that is no constant"},
                    Refusal{"cp.async.bulk.wait_group [%r1]", "a number of groups that is no constant"},
                    Refusal{"cp.async.ca.shared.global [%r1], [%r2], 4", "register %r2 has another width"},
                    Refusal{"cp.async.ca.shared.global [%r1], [%rd1+4294967296], 4", "this form of address"},
                    Refusal{"shfl.sync.up.b32 %r1|%r2, %r3, 1, 31, -1", "register %r2 has another width"},
                    Refusal{"match.all.sync.b32 %r1|%r2, %r3, -1", "register %r2 has another width"},
                    Refusal{"elect.sync _|%rd2, -1", "register %rd2 has another width"},
                    Refusal{"ld.param.u32 %r1, [outs+9223372036854775807]", "an address outside the parameters"},
                    Refusal{"ld.param.u32 %r1, [outs-9223372036854775807]", "an address outside the parameters"},
                    Refusal{"{ .param .b32 x; ld.param.b32 %r1, [x+9223372036854775807]; }", "outside the parameter"},
                    Refusal{"alloca.u64 %rd1, %rd2, 24", "an alignment that is no power of two"},
                    Refusal{"alloca.u64 %rd1, %rd2, 0", "an alignment that is no power of two"},
                    Refusal{"call kernel", "a call of a kernel"},
                    Refusal{"{ .shared .b8 x[4294967296]; mov.u32 %r1, 0; }", "more than 134217728 bytes"},
                    Refusal{"{ .local .b8 x[1000000000000]; }", "more than 134217728 bytes"},
                    Refusal{"{ .reg .b32 %x<1000000>; mov.u32 %r1, 0; }", "more than 134217728 bytes"}));

TEST(Texts, OfInstructionsAreThoseOfTheProgram) {
  for (const char* text :
       {"@!%p1 mystery.b32 _|%p2, !%p3, {%r1, _}", "mystery.b64 %rd1|%p1, -5, 0f3F800000, 0d3FF0000000000000",
        "mystery [%rd1-4], [tile+8], [tile], tile+4, %tid.x", "mystery"})
    EXPECT_TRUE(contains(refusal_of(fmt::format("{};", text)), fmt::format("`{}`", text))) << refusal_of(text);
}

TEST(Refusals, AreNotForWhatIsUnderstood) {
  EXPECT_EQ(
      refusal_of("add.s32 %r1, %r2, 5; @%p1 bra done; bar.sync %r1, %r2; setp.lt.and.s32 %p1|%p2, %r1, %r2, !%p3;"),
      "");
}

TEST(Decoding, OfAKernelThatIsNotThereSaysSo) {
  const ptx::Module module = ptx::parse(module_around(""));
  EXPECT_THROW(isa::decode(module, "other", {}), std::invalid_argument);
}

}  // namespace
}  // namespace warpwright::kernels
