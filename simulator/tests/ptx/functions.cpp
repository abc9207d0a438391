#include <gtest/gtest.h>

#include "snippets.h"

namespace warpwright::ptx {
namespace {

TEST(Modules, StateVersionTargetAndAddressSize) {
  const Module module = parse("// banner\n.version 8.5\n.target sm_90a, debug\n.address_size 64\n");
  EXPECT_EQ(module.version, "8.5");
  EXPECT_EQ(module.target, "sm_90a");
  EXPECT_EQ(module.address_size, 64u);
  EXPECT_TRUE(module.functions.empty());
}

TEST(Functions, ListParametersWithTheirOwnSizeAndAlignment) {
  const Module module = parse_module(
      ".visible .entry k(.param .align 8 .b8 k_param_0[16], .param .u32 k_param_1,\n"
      ".param .u64 .ptr .global .align 32 k_param_2, .param .u64 .ptr .align 1 k_param_3, .param .f64 .ptr k_param_4)\n"
      "{ ret; }");
  ASSERT_EQ(module.functions.size(), 1u);
  const Function& function = module.functions[0];
  EXPECT_EQ(function.name, "k");
  EXPECT_TRUE(function.is_entry);
  EXPECT_FALSE(function.is_declaration);
  ASSERT_EQ(function.parameters.size(), 5u);
  EXPECT_EQ(function.parameters[0].name, "k_param_0");
  EXPECT_EQ(function.parameters[0].bytes, 16u);
  EXPECT_EQ(function.parameters[0].align, 8u);
  EXPECT_EQ(function.parameters[0].space, Space::param);
  EXPECT_EQ(function.parameters[1].bytes, 4u);
  EXPECT_EQ(function.parameters[1].align, 4u);
  EXPECT_EQ(function.parameters[1].type, Type::u32);
  EXPECT_EQ(function.parameters[2].align, 8u) << "32 is the alignment of what it points to";
  EXPECT_EQ(function.parameters[3].align, 8u);
  EXPECT_EQ(function.parameters[4].type, Type::f64);
  EXPECT_EQ(function.parameters[2].ptx_line, 3u);
}

TEST(Functions, ReturnParameters) {
  const Module module = parse_module(
      ".func (.param .align 8 .b8 func_retval0[16]) f (.param .b32 a, .param .align 8 .b8 more[])"
      "{ st.param.b32 [func_retval0+4], 1; ret; }");
  const Function& function = module.functions[0];
  EXPECT_FALSE(function.is_entry);
  ASSERT_EQ(function.returns.size(), 1u);
  EXPECT_EQ(function.returns[0].name, "func_retval0");
  EXPECT_EQ(function.returns[0].bytes, 16u);
  EXPECT_EQ(function.parameters[1].bytes, 0u);
  EXPECT_EQ(function.body[0].operands[0].name, "func_retval0");
}

TEST(Functions, TakeTheirRegistersFromOldStyleParameters) {
  const Function function =
      parse_module(".func (.reg .b32 out) f (.reg .b32 in) { mov.b32 out, in; ret; }").functions[0];
  EXPECT_EQ(function.parameters[0].space, Space::reg);
  ASSERT_EQ(function.registers.size(), 2u);
  EXPECT_EQ(function.registers[0].stem, "out");
  EXPECT_EQ(function.registers[1].stem, "in");
}

TEST(Functions, AreOneEachThoughDeclaredBefore) {
  const Module module = parse_module(
      ".func (.param .b32 r) twice\n(\n.param .b32 x\n)\n;\n.extern .func vprintf(.param .b64 a) .noreturn;\n"
      ".extern .func vprintf(.param .b64 a);\n"
      ".entry k() { { .param .b32 x; .param .b32 r; call (r), twice, (x); } ret; }\n"
      ".weak .func (.param .b32 r) twice(.param .b32 x) { ret; }\n"
      ".func (.param .b32 r) twice(.param .b32 x);");
  ASSERT_EQ(module.functions.size(), 3u);
  EXPECT_EQ(module.functions[0].name, "twice");
  EXPECT_FALSE(module.functions[0].is_declaration);
  EXPECT_EQ(module.functions[0].body.size(), 1u);
  EXPECT_EQ(module.functions[1].name, "vprintf");
  EXPECT_TRUE(module.functions[1].is_declaration);
  EXPECT_EQ(module.functions[2].name, "k");
}

TEST(Functions, MayCallThemselves) { EXPECT_EQ(mistake_in(module_text(".func f() { call f; ret; }")), ""); }

TEST(Functions, KeepLaunchBounds) {
  const Module module = parse_module(
      ".entry a() .maxntid 128, 2, 1 .minnctapersm 2 .maxnreg 32 .pragma \"x\"; { ret; }\n"
      ".entry b() .reqntid 64 .reqnctapercluster 2, 1, 1 .maxclusterrank 2 .explicitcluster { ret; }\n"
      ".entry c() { ret; }");
  EXPECT_EQ(module.functions[0].max_threads, 256u);
  EXPECT_EQ(module.functions[0].required_block, (std::array<std::uint32_t, 3>{0, 0, 0}));
  EXPECT_EQ(module.functions[1].max_threads, 64u);
  EXPECT_EQ(module.functions[1].required_block, (std::array<std::uint32_t, 3>{64, 1, 1}));
  EXPECT_EQ(module.functions[1].required_cluster, (std::array<std::uint32_t, 3>{2, 1, 1}));
  EXPECT_EQ(module.functions[2].max_threads, 0u);
}

TEST(Functions, MayCarryAttributesWithoutMeaningHere) {
  const Module module = parse_module(
      ".func .noreturn (.param .b32 r) f() .abi_preserve 4 .abi_preserve_control 2;\n.func g() .noreturn .pragma "
      "\"x\"; { }");
  EXPECT_EQ(module.functions[0].name, "f");
  EXPECT_TRUE(module.functions[0].is_declaration);
  EXPECT_FALSE(module.functions[1].is_declaration);
}

TEST(Functions, HaveAliases) {
  const Module module = parse_module(".func real() { ret; ret; } .func other(); .alias other, real;");
  EXPECT_EQ(module.functions[1].name, "other");
  EXPECT_FALSE(module.functions[1].is_declaration);
  EXPECT_EQ(module.functions[1].body.size(), 2u);
}

TEST(Functions, ForgetTheNamesOfTheOneBefore) {
  EXPECT_EQ(mistake_in(module_text(".func f() { .reg .b32 a; L: ret; }\n.func g() { .reg .b32 a; L: ret; }")), "");
  EXPECT_EQ(mistake_in(module_text(".func f() { .reg .b32 a; ret; }\n.func g() { mov.b32 a, 1; }")),
            "PTX line 3: 'a' is not declared: no register, variable or function has that name");
}

}  // namespace
}  // namespace warpwright::ptx
