#include <gtest/gtest.h>

#include "snippets.h"

namespace warpwright::ptx {
namespace {

using Kind = Operand::Kind;

Operand operand(const std::string& text, const std::string& opcode = "op.b32") {
  return parse_instruction(opcode + " " + text + ";").operands.at(0);
}

TEST(Operands, NameRegisters) {
  const Operand plain = operand("%r3");
  EXPECT_EQ(plain.kind, Kind::reg);
  EXPECT_EQ(plain.name, "%r3");
  EXPECT_FALSE(plain.negated);
  EXPECT_EQ(plain.name2, "");
  EXPECT_TRUE(operand("!%p1").negated);
  EXPECT_EQ(operand("!%p1").name, "%p1");
}

TEST(Operands, NameSpecialRegistersWithoutPercentAndWithComponent) {
  for (const char* name : {"tid.x", "ntid.y", "ctaid.z", "nctaid.w", "laneid", "warpid", "clock64", "envreg2", "pm7",
                           "pm0_64", "lanemask_lt", "cluster_ctaid.x", "globaltimer", "dynamic_smem_size"}) {
    const Operand special = operand(std::string("%").append(name));
    EXPECT_EQ(special.kind, Kind::special) << name;
    EXPECT_EQ(special.name, name);
  }
}

TEST(Operands, PairTwoDestinations) {
  const Operand both = operand("%p1|%p2");
  EXPECT_EQ(both.kind, Kind::reg);
  EXPECT_EQ(both.name, "%p1");
  EXPECT_EQ(both.name2, "%p2");
  EXPECT_EQ(operand("%r1 | %p2").name2, "%p2");
  const Operand second_only = operand("_|%p2");
  EXPECT_EQ(second_only.kind, Kind::sink);
  EXPECT_EQ(second_only.name2, "%p2");
  EXPECT_EQ(operand("%p1|_").name2, "");
  EXPECT_EQ(operand("_").kind, Kind::sink);
}

TEST(Operands, AddressRegistersSymbolsAndNumbers) {
  const Operand by_register = operand("[%rd1+16]");
  EXPECT_EQ(by_register.kind, Kind::address);
  EXPECT_EQ(by_register.name, "%rd1");
  EXPECT_TRUE(by_register.base_is_register);
  EXPECT_EQ(by_register.offset, 16);
  EXPECT_EQ(operand("[%rd1]").offset, 0);
  EXPECT_EQ(operand("[%rd1+-4]").offset, -4);
  EXPECT_EQ(operand("[%rd1 - 4]").offset, -4);
  EXPECT_EQ(operand("[%rd1 + 4 * 3]").offset, 12);

  const Operand by_symbol = operand("[data+8]");
  EXPECT_EQ(by_symbol.kind, Kind::address);
  EXPECT_EQ(by_symbol.name, "data");
  EXPECT_FALSE(by_symbol.base_is_register);
  EXPECT_EQ(by_symbol.offset, 8);
  EXPECT_EQ(operand("[argument]").name, "argument");

  const Operand absolute = operand("[0x40]");
  EXPECT_EQ(absolute.kind, Kind::address);
  EXPECT_EQ(absolute.name, "");
  EXPECT_FALSE(absolute.base_is_register);
  EXPECT_EQ(absolute.offset, 64);
}

TEST(Operands, GiveATensorMapItsCoordinates) {
  const Operand address = operand("[%rd1, {%r1, 7}]");
  EXPECT_EQ(address.kind, Kind::address);
  EXPECT_EQ(address.name, "%rd1");
  ASSERT_EQ(address.elements.size(), 2u);
  EXPECT_EQ(address.elements[0].name, "%r1");
  EXPECT_EQ(address.elements[1].bits, 7u);
}

TEST(Operands, NameSymbolsWithAnOffset) {
  const Operand symbol = operand("data");
  EXPECT_EQ(symbol.kind, Kind::symbol);
  EXPECT_EQ(symbol.name, "data");
  EXPECT_EQ(symbol.offset, 0);
  EXPECT_EQ(operand("data+12").offset, 12);
  EXPECT_EQ(operand("callee").kind, Kind::symbol);
}

TEST(Operands, CollectVectors) {
  const Operand vector = operand("{%r1, -1, _, data, 0f00000000}");
  EXPECT_EQ(vector.kind, Kind::vector);
  ASSERT_EQ(vector.elements.size(), 5u);
  EXPECT_EQ(vector.elements[0].kind, Kind::reg);
  EXPECT_EQ(vector.elements[1].kind, Kind::integer);
  EXPECT_EQ(vector.elements[2].kind, Kind::sink);
  EXPECT_EQ(vector.elements[3].kind, Kind::symbol);
  EXPECT_EQ(vector.elements[4].kind, Kind::f32);
}

TEST(Operands, TakeVectorRegistersApart) {
  const Function function = parse_body(".reg .v4 .f32 v; .reg .v2 .b32 w<2>; op v, v.y, w1, w0.x;");
  const std::vector<Operand>& operands = function.body.at(0).operands;
  ASSERT_EQ(operands[0].elements.size(), 4u);
  EXPECT_EQ(operands[0].kind, Kind::vector);
  EXPECT_EQ(operands[0].elements[3].name, "v.w");
  EXPECT_EQ(operands[1].kind, Kind::reg);
  EXPECT_EQ(operands[1].name, "v.y");
  ASSERT_EQ(operands[2].elements.size(), 2u);
  EXPECT_EQ(operands[2].elements[1].name, "w1.y");
  EXPECT_EQ(operands[3].name, "w0.x");
  std::vector<std::string> stems;
  for (const Registers& registers : function.registers) {
    if (registers.count == 0) stems.push_back(registers.stem);
  }
  EXPECT_EQ(stems, (std::vector<std::string>{"v.x", "v.y", "v.z", "v.w", "w0.x", "w0.y", "w1.x", "w1.y"}));
}

TEST(Operands, SplitOpcodesAtDotsButNotAtColons) {
  const Instruction instruction =
      parse_instruction("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd1], %r2, [%r3];");
  EXPECT_EQ(instruction.opcode, "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes");
  EXPECT_EQ(instruction.parts, (std::vector<std::string>{"cp", "async", "bulk", "shared::cluster", "global",
                                                         "mbarrier::complete_tx::bytes"}));
  EXPECT_EQ(instruction.operands.size(), 4u);
}

TEST(Operands, KeepTheirOrder) {
  const Instruction instruction = parse_instruction("mad.lo.s32 %r4, %r2, -3, %r1;");
  ASSERT_EQ(instruction.operands.size(), 4u);
  EXPECT_EQ(instruction.operands[0].name, "%r4");
  EXPECT_EQ(instruction.operands[1].name, "%r2");
  EXPECT_EQ(instruction.operands[2].bits, static_cast<std::uint64_t>(-3));
  EXPECT_EQ(instruction.operands[3].name, "%r1");
}

}  // namespace
}  // namespace warpwright::ptx
