#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "snippets.h"

namespace warpwright::ptx {
namespace {

TEST(Bodies, GiveEachInstructionItsLineOfTheText) {
  const Function function = parse_body("/* one\n two */ ret; // three\n\n  bar.sync 0;\nbar.warp.sync\n -1;");
  ASSERT_EQ(function.body.size(), 3u);
  EXPECT_EQ(function.body[0].ptx_line, 3u);
  EXPECT_EQ(function.body[1].ptx_line, 5u);
  EXPECT_EQ(function.body[2].ptx_line, 6u);
  EXPECT_TRUE(function.body[0].operands.empty());
}

TEST(Bodies, GuardInstructions) {
  const Function function = parse_body("@%p1 mov.u32 %r1, 1; @!%p2 mov.u32 %r1, 2; mov.u32 %r1, 3;");
  EXPECT_EQ(function.body[0].guard, "%p1");
  EXPECT_FALSE(function.body[0].guard_negated);
  EXPECT_EQ(function.body[1].guard, "%p2");
  EXPECT_TRUE(function.body[1].guard_negated);
  EXPECT_EQ(function.body[2].guard, "");
}

TEST(Bodies, BindLabelsToTheInstructionAfterThem) {
  const Function function = parse_body("A: B: ret; bra.uni END; C: exit; END:");
  EXPECT_EQ(function.labels, (std::map<std::string, std::uint32_t>{{"A", 0}, {"B", 0}, {"C", 2}, {"END", 3}}));
  const Operand& target = function.body[1].operands.at(0);
  EXPECT_EQ(target.kind, Operand::Kind::label);
  EXPECT_EQ(target.name, "END");
}

TEST(Bodies, ListTheTargetsOfAnIndexedBranch) {
  const Function function = parse_body("table: .branchtargets A, B, A; brx.idx %r1, table; A: ret; B: ret;");
  EXPECT_EQ(function.branch_targets, (std::map<std::string, std::vector<std::string>>{{"table", {"A", "B", "A"}}}));
  EXPECT_EQ(function.body[0].operands.at(1).kind, Operand::Kind::label);
  EXPECT_EQ(function.body[0].operands.at(1).name, "table");
  EXPECT_EQ(function.labels.count("table"), 0u);
}

TEST(Bodies, SpellEachScopesNamesApart) {
  const Function function = parse_body(
      "{ .reg .pred p; .reg .b32 t<3>; .param .b32 param0; mov.u32 t2, %r1; @p st.param.b32 [param0+0], t1; }"
      "{ .reg .b32 t<3>; { .reg .b32 t1; mov.u32 t1, t2; } mov.u32 t1, t0; }");
  EXPECT_EQ(function.body[0].operands[0].name, "1:t2");
  EXPECT_EQ(function.body[0].operands[1].name, "%r1");
  EXPECT_EQ(function.body[1].guard, "1:p");
  EXPECT_EQ(function.body[1].operands[0].name, "1:param0");
  EXPECT_EQ(function.body[1].operands[1].name, "1:t1");
  EXPECT_EQ(function.body[2].operands[0].name, "3:t1") << "the single register of the inner scope hides the range's";
  EXPECT_EQ(function.body[2].operands[1].name, "2:t2");
  EXPECT_EQ(function.body[3].operands[0].name, "2:t1") << "and no longer does once that scope is closed";
  ASSERT_EQ(function.variables.size(), 1u);
  EXPECT_EQ(function.variables[0].name, "1:param0");
  EXPECT_EQ(function.variables[0].space, Space::param);
}

TEST(Bodies, NeverSpellTwoRegistersAlike) {
  const Function function = parse_body("{ .reg .b32 t<12>; } { .reg .b32 t<3>; } { .reg .b32 t1; } .reg .b32 t; ");
  std::set<std::string> spellings;
  std::size_t count = 0;
  for (const Registers& registers : function.registers) {
    for (std::uint32_t i = 0; i < std::max(registers.count, 1u); ++i, ++count) {
      spellings.insert(registers.count == 0 ? registers.stem : registers.stem + std::to_string(i));
    }
  }
  EXPECT_EQ(spellings.size(), count);
}

TEST(Bodies, LetTheInnerRangeHideOnlyItsOwnNumbers) {
  const Function function = parse_body("{ .reg .b32 %r<2>; mov.u32 %r1, %r5; }");
  EXPECT_EQ(function.body[0].operands[0].name, "1:%r1");
  EXPECT_EQ(function.body[0].operands[1].name, "%r5");
}

TEST(Bodies, FindLabelsFromInnerScopesAndKeepInnerOnesApart) {
  const Function function = parse_body("L: { L: bra L; bra OUT; } { bra L; } OUT: ret;");
  EXPECT_EQ(function.body[0].operands[0].name, "1:L");
  EXPECT_EQ(function.body[1].operands[0].name, "OUT");
  EXPECT_EQ(function.body[2].operands[0].name, "L");
  EXPECT_EQ(function.labels, (std::map<std::string, std::uint32_t>{{"1:L", 0}, {"L", 0}, {"OUT", 3}}));
}

TEST(Bodies, CallFunctionsInEveryForm) {
  const Function function = parse_body(
      "{ .param .b32 a; .param .b32 r; call.uni (r), callee, (a, %r1); call callee, (a); call callee; "
      "call (r), callee; call callee, (); }");
  EXPECT_EQ(function.body[0].opcode, "call.uni");
  ASSERT_EQ(function.body[0].operands.size(), 1u);
  EXPECT_EQ(function.body[0].operands[0].kind, Operand::Kind::symbol);
  EXPECT_EQ(function.body[0].operands[0].name, "callee");
  ASSERT_EQ(function.body[0].returns.size(), 1u);
  EXPECT_EQ(function.body[0].returns[0].name, "1:r");
  ASSERT_EQ(function.body[0].arguments.size(), 2u);
  EXPECT_EQ(function.body[0].arguments[0].name, "1:a");
  EXPECT_EQ(function.body[0].arguments[1].name, "%r1");
  EXPECT_TRUE(function.body[1].returns.empty());
  EXPECT_EQ(function.body[1].arguments.size(), 1u);
  EXPECT_TRUE(function.body[2].arguments.empty());
  EXPECT_EQ(function.body[3].returns.size(), 1u);
  EXPECT_TRUE(function.body[4].arguments.empty());
}

TEST(Bodies, CallThroughAPointerWithItsPrototype) {
  const Function function = parse_body(
      "{ .param .b64 param0; .param .b32 retval0;\n"
      "prototype_0 : .callprototype (.param .b32 _) _ (.param .b64 _, .param .align 8 .b8 _[16]) .noreturn;\n"
      "call (retval0), \n%rd3, \n(\nparam0\n)\n, prototype_0;\n"
      "fewer: .calltargets callee; call %rd3, (param0), fewer; call %rd3, fewer; }");
  EXPECT_EQ(function.body[0].operands[0].kind, Operand::Kind::reg);
  EXPECT_EQ(function.body[0].operands[0].name, "%rd3");
  EXPECT_EQ(function.body[0].prototype, "1:prototype_0");
  EXPECT_EQ(function.body[0].arguments.size(), 1u);
  EXPECT_EQ(function.body[1].prototype, "1:fewer");
  EXPECT_EQ(function.body[2].prototype, "1:fewer");
  EXPECT_TRUE(function.labels.empty());
}

TEST(Bodies, SkipPragmasAndEmptyStatements) {
  const Function function = parse_body(".pragma \"nounroll\"; ; {;} .pragma \"a\", \"b\"; ret;;");
  EXPECT_EQ(function.body.size(), 1u);
}

TEST(Bodies, NestScopesWithoutLimit) {
  const std::string deep(100000, '{');
  const std::string end(100000, '}');
  EXPECT_EQ(parse_body(deep + "ret;" + end).body.size(), 1u);
}

}  // namespace
}  // namespace warpwright::ptx
