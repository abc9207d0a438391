#include <gtest/gtest.h>

#include "snippets.h"

namespace warpwright::ptx {
namespace {

// .debug_str holds "outer" at $L__info_string0 and "inner" at $L__info_string1, which is six bytes further.
const std::string ending =
    "\n.file 1 \"/course/kernel.cu\"\n.file 3 \"/usr/include/helper.h\", 1700000000, 123\n"
    ".section\t.debug_str\n{\n$L__info_string0:\n.b8 111,117,116,101\n.b8 114,0\n"
    "$L__info_string1:\n.b8 105,110,110,101,114,0\n\n}\n";

Module parse_located(const std::string& statements) {
  return parse_module(".entry k() {\n" + statements + "\n}" + ending);
}

const Location& location_of(const Module& module, std::size_t instruction) {
  return module.locations.at(module.functions.at(0).body.at(instruction).location);
}

TEST(Locations, HoldFromOneLocToTheNext) {
  const Module module = parse_located("ret;\n.loc 1 7 3\nret; ret;\n.loc 1 8 0\nret;");
  const std::vector<Instruction>& body = module.functions[0].body;
  EXPECT_EQ(body[0].location, -1);
  EXPECT_EQ(location_of(module, 1).file, 1u);
  EXPECT_EQ(location_of(module, 1).line, 7u);
  EXPECT_EQ(location_of(module, 1).column, 3u);
  EXPECT_EQ(location_of(module, 1).inlined_at, -1);
  EXPECT_EQ(location_of(module, 1).function, "");
  EXPECT_EQ(body[1].location, body[2].location);
  EXPECT_EQ(location_of(module, 3).line, 8u);
}

TEST(Locations, KeepFilesAtTheirOwnNumbers) {
  const Module module = parse_located("ret;");
  EXPECT_EQ(module.files, (std::vector<std::string>{"", "/course/kernel.cu", "", "/usr/include/helper.h"}));
}

TEST(Locations, EqualOnesAreShared) {
  const Module module = parse_located(".loc 1 7 3\nret;\n.loc 1 8 3\nret;\n.loc 1 7 3\nret;");
  EXPECT_EQ(module.locations.size(), 2u);
  EXPECT_EQ(module.functions[0].body[0].location, module.functions[0].body[2].location);
}

TEST(Locations, FollowInliningToTheLearnersLine) {
  const Module module = parse_located(
      ".loc 1 7 3\n.loc 3 20 5, function_name $L__info_string0, inlined_at 1 7 3\nret;\n"
      ".loc 3 40 9, function_name $L__info_string1, inlined_at 3 20 5\nret;");
  const Location& inner = location_of(module, 1);
  EXPECT_EQ(inner.line, 40u);
  EXPECT_EQ(inner.function, "inner");
  ASSERT_GE(inner.inlined_at, 0);
  const Location& outer = module.locations[inner.inlined_at];
  EXPECT_EQ(outer.line, 20u);
  EXPECT_EQ(outer.function, "outer");
  const Location& root = module.locations.at(outer.inlined_at);
  EXPECT_EQ(root.line, 7u);
  EXPECT_EQ(root.file, 1u);
  EXPECT_EQ(root.function, "");
  EXPECT_EQ(root.inlined_at, -1);
}

TEST(Locations, TellTwoCallsOfOneFunctionApart) {
  // The same helper, inlined at lines 7 and 8: `inlined_at 3 20 5` means the latest of its two contexts.
  const Module module = parse_located(
      ".loc 1 7 3\n.loc 3 20 5, function_name $L__info_string0, inlined_at 1 7 3\n"
      ".loc 3 40 9, function_name $L__info_string1, inlined_at 3 20 5\nret;\n"
      ".loc 1 8 3\n.loc 3 20 5, function_name $L__info_string0, inlined_at 1 8 3\n"
      ".loc 3 40 9, function_name $L__info_string1, inlined_at 3 20 5\nret;");
  const auto root_line = [&](std::size_t instruction) {
    const Location* location = &location_of(module, instruction);
    while (location->inlined_at >= 0) location = &module.locations[location->inlined_at];
    return location->line;
  };
  EXPECT_EQ(root_line(0), 7u);
  EXPECT_EQ(root_line(1), 8u);
  EXPECT_NE(module.functions[0].body[0].location, module.functions[0].body[1].location);
}

TEST(Locations, NameFunctionsByLabelAndOffset) {
  const Module module =
      parse_located(".loc 1 7 3\n.loc 3 2 1, function_name $L__info_string0 + 6, inlined_at 1 7 3\nret;");
  EXPECT_EQ(location_of(module, 0).function, "inner");
}

TEST(Locations, MakeUpACallerThatWasNeverWritten) {
  const Module module = parse_located(".loc 3 2 1, function_name $L__info_string0, inlined_at 1 9 3\nret;");
  const Location& caller = module.locations.at(location_of(module, 0).inlined_at);
  EXPECT_EQ(caller.line, 9u);
  EXPECT_EQ(caller.inlined_at, -1);
}

TEST(Locations, NeverGrowAChainByRepeatingIt) {
  std::string statements = ".loc 1 7 3\n";
  for (int i = 0; i < 100; ++i) {
    statements += ".loc 1 7 3, function_name $L__info_string0, inlined_at 1 7 3\nret;\n";
  }
  const Module module = parse_located(statements);
  EXPECT_EQ(module.locations.size(), 2u);
}

TEST(Locations, BeginAnewInEachFunction) {
  const Module module =
      parse_module(".func f() {\n.loc 1 7 3\nret; }\n.func g() { ret;\n.loc 1 7 3\nret; }\n.file 1 \"a.cu\"\n");
  EXPECT_EQ(module.functions[1].body[0].location, -1);
  EXPECT_EQ(module.functions[1].body[1].location, module.functions[0].body[0].location);
}

TEST(Locations, NeverReachIntoTheFunctionBefore) {
  const Module module = parse_module(
      ".func f() {\n.loc 1 7 3\n.loc 3 20 5, function_name $L__info_string0, inlined_at 1 7 3\nret; }\n"
      ".func g() {\n.loc 3 40 9, function_name $L__info_string1, inlined_at 3 20 5\nret; }" +
      ending);
  const Location& inner = module.locations.at(module.functions[1].body[0].location);
  EXPECT_EQ(inner.function, "inner");
  const Location& caller = module.locations.at(inner.inlined_at);
  EXPECT_EQ(caller.line, 20u);
  EXPECT_EQ(caller.function, "") << "the other function's frame at that line is not this one's caller";
  EXPECT_EQ(caller.inlined_at, -1);
}

TEST(Locations, SkipTheSectionsOfADebugger) {
  EXPECT_EQ(mistake_in(module_text(".func f() { $L__func_begin0: ret; $L__tmp0: $L__func_end0: }\n"
                                   ".section .debug_info\n{\n.b32 12\n.b64 $L__func_begin0\n.b32 $L__tmp0-$L__x\n}\n"
                                   ".section .debug_loc { }\n.section\t.debug_macinfo\t{\t}\n")),
            "");
}

}  // namespace
}  // namespace warpwright::ptx
