#include <gtest/gtest.h>

#include <cstring>

#include "snippets.h"

namespace warpwright::ptx {
namespace {

Variable variable(const std::string& declaration) { return parse_module(declaration).variables.back(); }

std::vector<int> bytes_of(const Variable& variable) {
  std::vector<int> bytes;
  for (const std::byte byte : variable.initial) bytes.push_back(std::to_integer<int>(byte));
  return bytes;
}

template <typename Element>
std::vector<Element> elements_of(const Variable& variable) {
  std::vector<Element> elements(variable.initial.size() / sizeof(Element));
  std::memcpy(elements.data(), variable.initial.data(), variable.initial.size());
  return elements;
}

TEST(Types, KnowTheirNamesAndSizes) {
  for (const auto& [name, bytes] :
       {std::pair{"pred", 0u}, {"b8", 1u},    {"b16", 2u},  {"b32", 4u},    {"b64", 8u}, {"b128", 16u}, {"u8", 1u},
        {"u16", 2u},           {"u32", 4u},   {"u64", 8u},  {"s8", 1u},     {"s16", 2u}, {"s32", 4u},   {"s64", 8u},
        {"f16", 2u},           {"f16x2", 4u}, {"bf16", 2u}, {"bf16x2", 4u}, {"f32", 4u}, {"f64", 8u}}) {
    const std::optional<Type> type = type_named(name);
    ASSERT_TRUE(type.has_value()) << name;
    EXPECT_EQ(name_of(*type), name);
    EXPECT_EQ(size_of(*type), bytes) << name;
  }
  EXPECT_FALSE(type_named("f8").has_value());
  EXPECT_FALSE(type_named("none").has_value());
}

TEST(Registers, ComeInRangesAndSingly) {
  const Function function =
      parse_module(".func f() { .reg .pred %p<6>; .reg .b64 %SP; .reg .f32 a, b<2>; .reg.b16 c; .reg .b32 none<0>; }")
          .functions[0];
  ASSERT_EQ(function.registers.size(), 5u) << "an empty range declares nothing";
  EXPECT_EQ(function.registers[0].stem, "%p");
  EXPECT_EQ(function.registers[0].count, 6u);
  EXPECT_EQ(function.registers[0].type, Type::pred);
  EXPECT_EQ(function.registers[1].stem, "%SP");
  EXPECT_EQ(function.registers[1].count, 0u);
  EXPECT_EQ(function.registers[2].stem, "a");
  EXPECT_EQ(function.registers[3].stem, "b");
  EXPECT_EQ(function.registers[3].count, 2u);
  EXPECT_EQ(function.registers[4].type, Type::b16);
}

TEST(Variables, HaveSpaceSizeAndAlignment) {
  const Variable dynamic = variable(".extern .shared .align 16 .b8 tile[];");
  EXPECT_EQ(dynamic.name, "tile");
  EXPECT_EQ(dynamic.space, Space::shared);
  EXPECT_EQ(dynamic.align, 16u);
  EXPECT_EQ(dynamic.bytes, 0u);
  EXPECT_TRUE(dynamic.is_extern);
  EXPECT_TRUE(dynamic.initial.empty());

  const Variable matrix = variable(".visible .global .f32 m[2][3];");
  EXPECT_EQ(matrix.bytes, 24u);
  EXPECT_EQ(matrix.align, 4u);
  EXPECT_FALSE(matrix.is_extern);
  EXPECT_TRUE(matrix.initial.empty());

  const Variable vector = variable(".const .v4 .f32 v[2];");
  EXPECT_EQ(vector.space, Space::constant);
  EXPECT_EQ(vector.bytes, 32u);
  EXPECT_EQ(vector.align, 16u);

  EXPECT_TRUE(variable(".global .attribute(.managed) .align 4 .u32 m = 4;").is_managed);
  EXPECT_FALSE(variable(".global .attribute(.unified(0x1, 2)) .u32 u;").is_managed);
  EXPECT_EQ(variable(".weak .global .align 1 .b8 w[WARP_SZ * 2];").bytes, 64u);
  EXPECT_EQ(variable("\n\n.common .global .b8 c;").ptx_line, 4u);
}

TEST(Variables, OfAFunctionKeepTheirSpace) {
  const Function function =
      parse_module(".func f() { .local .align 8 .b8 \t__local_depot0[96]; .shared .f32 s[4], t; }").functions[0];
  ASSERT_EQ(function.variables.size(), 3u);
  EXPECT_EQ(function.variables[0].space, Space::local);
  EXPECT_EQ(function.variables[0].bytes, 96u);
  EXPECT_EQ(function.variables[0].align, 8u);
  EXPECT_EQ(function.variables[1].space, Space::shared);
  EXPECT_EQ(function.variables[2].name, "t");
  EXPECT_EQ(function.variables[2].bytes, 4u);
}

TEST(Variables, AreOneEachThoughDeclaredBefore) {
  const Module module = parse_module(".extern .global .u32 x; .global .u32 x = 5; .extern .global .u32 x;");
  ASSERT_EQ(module.variables.size(), 1u);
  EXPECT_FALSE(module.variables[0].is_extern);
  EXPECT_EQ(bytes_of(module.variables[0]), (std::vector<int>{5, 0, 0, 0}));
}

TEST(InitialData, LieInMemoryOrderAndEndInZeros) {
  EXPECT_EQ(bytes_of(variable(".global .u32 x = 0x01020304;")), (std::vector<int>{4, 3, 2, 1}));
  EXPECT_EQ(bytes_of(variable(".global .s16 x = -2;")), (std::vector<int>{0xfe, 0xff}));
  EXPECT_EQ(bytes_of(variable(".global .s16 x = {3};")), (std::vector<int>{3, 0}));
  EXPECT_EQ(bytes_of(variable(".global .b8 x[5] = {104, 105, 255, -1};")), (std::vector<int>{104, 105, 255, 255, 0}));
  EXPECT_EQ(bytes_of(variable(".global .b8 x[3] = {};")), (std::vector<int>{0, 0, 0}));
  EXPECT_EQ(elements_of<std::int64_t>(variable(".global .u64 x[2] = {-1, 0x7fffffffffffffff};")),
            (std::vector<std::int64_t>{-1, INT64_MAX}));
  EXPECT_EQ(bytes_of(variable(".global .b128 x = -2;")).back(), 255);
}

TEST(InitialData, OfFloatsConvertToTheirType) {
  EXPECT_EQ(elements_of<float>(variable(".global .f32 x[4] = {0f3FC00000, 2.5, -1, 0d4010000000000000};")),
            (std::vector<float>{1.5f, 2.5f, -1.0f, 4.0f}));
  EXPECT_EQ(elements_of<double>(variable(".global .f64 x[3] = {0d4004000000000000, 0f3FC00000, 0xffffffffffffffff};")),
            (std::vector<double>{2.5, 1.5, 18446744073709551616.0}));
}

TEST(InitialData, NestByDimension) {
  EXPECT_EQ(elements_of<int>(variable(".global .s32 m[2][3] = {{1, 2}, {3, 4, 5}};")),
            (std::vector<int>{1, 2, 0, 3, 4, 5}));
  EXPECT_EQ(elements_of<int>(variable(".global .s32 m[2][2][2] = {{{1}, {2, 3}}, {4, 5}};")),
            (std::vector<int>{1, 0, 2, 3, 4, 5, 0, 0}));
  EXPECT_EQ(elements_of<int>(variable(".global .v2 .s32 v[2] = {{1, 2}, {3, 4}};")), (std::vector<int>{1, 2, 3, 4}));
  EXPECT_EQ(elements_of<int>(variable(".global .s32 m[2][3] = {1, {4, 5, 6}};")), (std::vector<int>{1, 0, 0, 4, 5, 6}))
      << "a nested list begins a row";
}

TEST(InitialData, GiveAnOpenArrayItsSize) {
  const Variable flat = variable(".global .s16 x[] = {1, 2, 3};");
  EXPECT_EQ(flat.bytes, 6u);
  EXPECT_EQ(flat.initial.size(), 6u);
  const Variable rows = variable(".global .s32 x[][2] = {{1, 2}, {3}};");
  EXPECT_EQ(rows.bytes, 16u);
  EXPECT_EQ(elements_of<int>(rows), (std::vector<int>{1, 2, 3, 0}));
}

TEST(InitialData, RelocateAddresses) {
  const Variable table = variable(
      ".global .u32 g; .func f(); .global .b8 s[20];\n"
      ".global .u64 t[6] = {f, generic(g), 7, generic(s)+17, s + 4, generic(s - 2)};");
  ASSERT_EQ(table.relocations.size(), 5u);
  const auto expect = [&](std::size_t i, std::size_t at, const char* symbol, std::int64_t addend, bool generic) {
    EXPECT_EQ(table.relocations[i].at, at);
    EXPECT_EQ(table.relocations[i].symbol, symbol);
    EXPECT_EQ(table.relocations[i].addend, addend);
    EXPECT_EQ(table.relocations[i].generic, generic);
  };
  expect(0, 0, "f", 0, false);
  expect(1, 8, "g", 0, true);
  expect(2, 24, "s", 17, true);
  expect(3, 32, "s", 4, false);
  expect(4, 40, "s", -2, true);
  EXPECT_EQ(table.initial.size(), 48u);
  EXPECT_EQ(bytes_of(table)[16], 7);
}

TEST(InitialData, JoinTheMaskedBytesOfAnUnalignedAddress) {
  const Variable packed = variable(
      ".global .u32 g;\n"
      ".global .align 1 .u8 a[11] = {120, 0XFF(generic(g)+4), 0xFF00(generic(g)+4), 0xFF0000(generic(g)+4), "
      "0xFF000000(generic(g)+4), 0xFF00000000(generic(g)+4), 0xFF0000000000(generic(g)+4), "
      "0xFF000000000000(generic(g)+4), 0xFF00000000000000(generic(g)+4), 3, 0};");
  ASSERT_EQ(packed.relocations.size(), 1u);
  EXPECT_EQ(packed.relocations[0].at, 1u);
  EXPECT_EQ(packed.relocations[0].symbol, "g");
  EXPECT_EQ(packed.relocations[0].addend, 4);
  EXPECT_TRUE(packed.relocations[0].generic);
  EXPECT_EQ(bytes_of(packed), (std::vector<int>{120, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0}));
}

TEST(InitialData, MayNameWhatFollows) {
  EXPECT_EQ(variable(".global .u64 p = later; .global .u32 later;").name, "later");
}

}  // namespace
}  // namespace warpwright::ptx
