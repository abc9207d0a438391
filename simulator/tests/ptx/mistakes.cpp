#include <gtest/gtest.h>

#include "snippets.h"

namespace warpwright::ptx {
namespace {

struct Mistake {
  const char* text;
  const char* message;
};

TEST(Mistakes, InTheHeaderAreNamed) {
  for (const auto& [text, message] : {
           Mistake{"", "PTX line 1: expected a PTX module, found the end of the text"},
           {"// nothing\n\n", "PTX line 3: expected a PTX module, found the end of the text"},
           {"\x7f"
            "ELF",
            "PTX line 1: expected '.version' at the start of a PTX module, found a character of code 127"},
           {".target sm_90", "PTX line 1: expected '.version' at the start of a PTX module, found '.target'"},
           {".version 9.0\n.address_size 64", "PTX line 2: expected '.target' after .version, found '.address_size'"},
           {".version 9.0 .target sm_90 .address_size 32", "PTX line 1: expected addresses of 64 bits, found 32"},
       }) {
    EXPECT_EQ(mistake_in(text), message) << text;
  }
}

TEST(Mistakes, InAModuleAreNamed) {
  for (const auto& [text, message] : {
           Mistake{".bogus",
                   "PTX line 2: expected a function, a variable or another directive of a module, found '.bogus'"},
           {"ret;", "PTX line 2: expected a function, a variable or another directive of a module, found 'ret'"},
           {".global .texref t;", "PTX line 2: textures and surfaces (.texref) are not supported"},
           {".global .surfref t;", "PTX line 2: textures and surfaces (.surfref) are not supported"},
           {".global .b32 x", "PTX line 2: expected ';' after a declaration, found the end of the text"},
           {".global .b32;", "PTX line 2: expected a name, found ';'"},
           {".global .q32 x;", "PTX line 2: expected a type, found '.q32'"},
           {".global .pred x;", "PTX line 2: a predicate has no form in memory: .pred is for .reg only"},
           {".global .align 3 .b8 x;", "PTX line 2: expected an alignment that is a power of two"},
           {".global .align 0 .b8 x;", "PTX line 2: expected an alignment that is a power of two"},
           {".global .b8 x[-1];", "PTX line 2: expected the size of an array from 0 to 1099511627776"},
           {".global .b8 x[1.5];", "PTX line 2: expected the size of an array, found a floating-point number"},
           {".global .b8 x[1099511627776][2];", "PTX line 2: x is larger than any device's memory"},
           {".global .b8 x[2][0];", "PTX line 2: x has no size: only the first dimension may be left open"},
           {".global .b8 x[1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1];",
            "PTX line 2: x has more than 16 dimensions"},
           {".global .b32 x;\n.global .b32 x;", "PTX line 3: variable x is defined twice"},
           {".global .b32 x;\n.func x();", "PTX line 3: 'x' is both a function and a variable"},
           {".func x();\n.global .b32 x;", "PTX line 3: 'x' is both a function and a variable"},
           {".func f() { }\n.func f() { }", "PTX line 3: function f is defined twice"},
           {".func f()\n.global .b32 x;",
            "PTX line 3: expected ';' or a body in braces after the head of a function, found '.global'"},
           {".func f(.param .b32 a, .param .b32 a);", "PTX line 2: 'a' is declared twice in this scope"},
           {".func f(.global .b32 a);", "PTX line 2: expected '.param' or '.reg', found '.global'"},
           {".func f(); .func g(); .alias g, f .b8", "PTX line 2: expected ';' after .alias, found '.b8'"},
           {".alias g f;", "PTX line 2: expected ',' after the name of an alias, found 'f'"},
           {".alias g, 1;", "PTX line 2: expected the name of a function, found '1'"},
           {".func f() .pragma \"x\" { }", "PTX line 2: expected ';' after .pragma, found '{'"},
           {".pragma \"x\" .b8", "PTX line 2: expected ';' after .pragma, found '.b8'"},
           {".pragma x;", "PTX line 2: expected the text of a .pragma in quotes, found 'x'"},
           {".func f(); .alias f, g;", "PTX line 2: function g is not declared"},
           {".func f(); .alias g, f;", "PTX line 2: function g is not declared"},
           {"/* open", "PTX line 2: this comment has no end: expected */"},
           {".file 1 \"open\n\"", "PTX line 2: this string has no closing quote"},
           {".file 1 name", "PTX line 2: expected the path of a file in quotes, found 'name'"},
       }) {
    EXPECT_EQ(mistake_in(module_text(text)), message) << text;
  }
}

TEST(Mistakes, InAStringAreFoundWhereAMessageWouldBeCutShort) {
  using namespace std::string_view_literals;
  EXPECT_EQ(mistake_in(module_text(".file 1 \"a\0b\""sv)), "PTX line 2: this string holds a character of code 0");
}

TEST(Mistakes, InInitialDataAreNamed) {
  for (const auto& [text, message] : {
           Mistake{".global .b8 x = 256;", "PTX line 2: this initial value does not fit in .b8"},
           {".global .b8 x = -129;", "PTX line 2: this initial value does not fit in .b8"},
           {".global .u32 x = 1.5;", "PTX line 2: expected an integer for x, found a floating-point number"},
           {".global .b8 x[2] = {1, 2,\n3};", "PTX line 3: too many initial values for x"},
           {".global .b8 x[2][2] = {{1, 2, 3}};", "PTX line 2: too many initial values for x"},
           {".global .b8 x[2] = 1;", "PTX line 2: expected '{' before a list of initial values, found '1'"},
           {".global .b8 x[2] = {1, {2}};", "PTX line 2: expected an initial value, found '{'"},
           {".global .b8 x[2] = {1",
            "PTX line 2: expected '}' after a list of initial values, found the end of the text"},
           {".global .u32 x = x;", "PTX line 2: an address needs eight bytes: x has elements of 4"},
           {".global .u64 x = \nnobody;",
            "PTX line 3: 'nobody' is not declared: no variable or function has that name"},
           {".global .b8 x[300000000] = {1};", "PTX line 2: x is too large for initial data (more than 256 MiB)"},
           {".global .u8 x[8] = {0xFF(x), 0xFF(x)};",
            "PTX line 2: expected the eight bytes of one address in turn, 0xFF(symbol), 0xFF00(symbol) and so on"},
           {".global .u8 x[8] = {0xFF(x), 0xFF00(x+1)};",
            "PTX line 2: expected the eight bytes of one address in turn, 0xFF(symbol), 0xFF00(symbol) and so on"},
           {".global .u64 x = 0xFF(x);",
            "PTX line 2: expected the eight bytes of one address in turn, 0xFF(symbol), 0xFF00(symbol) and so on"},
           {".global .u8 x[8] = {0xFF(x), 0};", "PTX line 2: only 1 of the eight bytes of the address of x are given"},
           {".global .u8 x[8] = {0xFF(x), 0xFF00(x)};",
            "PTX line 2: only 2 of the eight bytes of the address of x are given"},
       }) {
    EXPECT_EQ(mistake_in(module_text(text)), message) << text;
  }
}

TEST(Mistakes, InABodyAreNamed) {
  for (const auto& [text, message] : {
           Mistake{"\nret", "PTX line 4: expected an operand, found '}'"},
           {"mov.u32 %r1, %r2\nret;", "PTX line 3: expected ';' after the operands of mov.u32, found 'ret'"},
           {"mov.u32 %r1,;", "PTX line 2: expected an operand, found ';'"},
           {"mov.u32 %r1, %r99;", "PTX line 2: register %r99 is not declared"},
           {"mov.u32 %r1, %r01;", "PTX line 2: register %r01 is not declared"},
           {"mov.u32 %r1, %tid;", "PTX line 2: register %tid is not declared"},
           {"mov.u32 %r1, %tid.q;", "PTX line 2: register %tid.q is not declared"},
           {"mov.u32 %r1, %envreg32;", "PTX line 2: register %envreg32 is not declared"},
           {"mov.u32 %r1, %r2.x;", "PTX line 2: register %r2 has no component .x"},
           {"mov.u32 %r1, nobody;",
            "PTX line 2: 'nobody' is not declared: no register, variable or function has that name"},
           {"ld.u32 %r1, [%tid.x];", "PTX line 2: expected a register or a variable as the base of an address"},
           {"ld.u32 %r1, [%rd1;", "PTX line 2: expected ']' after an address, found ';'"},
           {"ld.u32 %r1, [];", "PTX line 2: expected a register, a variable or a number as an address, found ']'"},
           {"mov.v2.u32 {%r1, %r2, %rd1;", "PTX line 2: expected '}' after a vector, found ';'"},
           {"mov.v2.u32 {%r1, {%r2}}, %rd1;", "PTX line 2: expected an operand, found '{'"},
           {"setp.eq.u32 %p1|5, %r1, 0;", "PTX line 2: expected a register, found '5'"},
           {"setp.eq.u32 %p1|data, %r1, 0;", "PTX line 2: expected a register after '|', found 'data'"},
           {"selp.u32 %r1, 1, 2, !data;", "PTX line 2: expected a predicate after '!', found 'data'"},
           {"@%p9 ret;", "PTX line 2: register %p9 is not declared"},
           {"@%r1 ret;", "PTX line 2: the guard %r1 is not a .pred register"},
           {"@%p1 { ret; }", "PTX line 2: expected an instruction after the guard, found '{'"},
           {"@ ret;", "PTX line 2: register ret is not declared"},
           {"%r1;", "PTX line 2: expected an instruction, found '%r1'"},
           {"5;",
            "PTX line 2: expected an instruction, a label, a declaration or '}' in the body of kernel, found '5'"},
           {"bra;", "PTX line 2: expected a label, found ';'"},
           {"\nbra NOWHERE;", "PTX line 3: label NOWHERE is not declared"},
           {"{ L: } bra L;", "PTX line 2: label L is not declared"},
           {"L: L: ret;", "PTX line 2: label L is declared twice in this scope"},
           {"t: .branchtargets A;", "PTX line 2: label A is not declared"},
           {"A: brx.idx %r1, A;", "PTX line 2: A is not a label of .branchtargets"},
           {"t: .branchtargets t;", "PTX line 2: t is not a label"},
           {".reg .b32 a; .reg .b32 a;", "PTX line 2: 'a' is declared twice in this scope"},
           {".reg .b32 %r<4>;", "PTX line 2: '%r' is declared twice in this scope"},
           {".reg .b32 x<1048577>;", "PTX line 2: expected a number of registers from 0 to 1048576, found '1048577'"},
           {".reg .v2 .b32 x<4097>;", "PTX line 2: expected a number of registers from 0 to 4096, found '4097'"},
           {".reg .b32 x<a>;", "PTX line 2: expected a number of registers, found 'a'"},
           {".local .b32 x = 5;", "PTX line 2: only .global and .const variables have initial values"},
           {".global .b32 x;",
            "PTX line 2: expected a directive that may stand in the body of a function, found '.global'"},
           {"call nobody;", "PTX line 2: 'nobody' is not declared: no register, variable or function has that name"},
           {"call data;", "PTX line 2: expected a function or a register to call, found 'data'"},
           {"call 5;", "PTX line 2: expected a function or a register to call, found '5'"},
           {"call (%r1) callee;", "PTX line 2: expected ',' after the results of a call, found 'callee'"},
           {"call callee, (%r1;", "PTX line 2: expected ')' after the operands of a call, found ';'"},
           {"call %rd1, (%r1), p;", "PTX line 2: label of .callprototype or .calltargets p is not declared"},
           {"p: .calltargets data;", "PTX line 2: function data is not declared"},
           {"p: .callprototype _ (.b32 x);", "PTX line 2: expected '.param' or '.reg', found '.b32'"},
           {".pragma nounroll;", "PTX line 2: expected the text of a .pragma in quotes, found 'nounroll'"},
           {".loc 1 2 3, somewhere;",
            "PTX line 2: expected 'inlined_at' or 'function_name' after the comma of .loc, found 'somewhere'"},
           {".loc 7 2 3", "PTX line 2: .loc names file 7, which no .file declares"},
           {".loc 1 -2 3", "PTX line 2: expected a line number, found '-'"},
           {".loc 1 4294967296 3", "PTX line 2: expected a line number from 0 to 4294967295, found '4294967296'"},
           {".loc 1.5 2 3", "PTX line 2: expected the number of a file from 0 to 65536, found '1.5'"},
           {".file 1 \"a\" .loc 1 1 1, function_name s, inlined_at 1 2 2",
            "PTX line 2: .loc names the function by s, which .debug_str does not hold"},
           {".file 1 \"a\" .section .debug_str { s: .b8 0 } .loc 1 1 1, function_name s+1, inlined_at 1 2 2",
            "PTX line 2: .loc names the function by an offset to s outside .debug_str"},
       }) {
    EXPECT_EQ(mistake_in(body_text(text)), message) << text;
  }
}

TEST(Mistakes, InConstantsAreNamed) {
  for (const auto& [text, message] : {
           Mistake{"09", "PTX line 2: '09' is not a number"},
           {"12ab", "PTX line 2: '12ab' is not a number"},
           {"0xg", "PTX line 2: '0xg' is not a number"},
           {"0x", "PTX line 2: '0x' is not a number"},
           {"0b2", "PTX line 2: '0b2' is not a number"},
           {"1.5.5", "PTX line 2: '1.5.5' is not a number"},
           {"18446744073709551616", "PTX line 2: '18446744073709551616' does not fit in 64 bits"},
           {"0f3F8", "PTX line 2: expected 8 hexadecimal digits after 0f, found '0f3F8'"},
           {"0f3F80000g", "PTX line 2: expected 8 hexadecimal digits after 0f, found '0f3F80000g'"},
           {"0d0", "PTX line 2: expected 16 hexadecimal digits after 0d, found '0d0'"},
           {"1 / 0", "PTX line 2: this constant expression divides by zero"},
           {"1 % 0U", "PTX line 2: this constant expression divides by zero"},
           {"1.5 + 1", "PTX line 2: expected integers in a constant expression, found a floating-point number"},
           {"~0f00000000", "PTX line 2: expected integers in a constant expression, found a floating-point number"},
           {"(1", "PTX line 2: expected ')' at the end of a constant expression, found ';'"},
           {"1 ? 2;", "PTX line 2: expected ':' between the two values of '?', found ';'"},
           {"[%rd1 + 1.5]", "PTX line 2: expected an offset in bytes, found a floating-point number"},
       }) {
    EXPECT_EQ(mistake_in(body_text(std::string("mov.b64 %rd1, ") + text + ";")), message) << text;
  }
}

TEST(Mistakes, InDeepExpressionsEndBeforeTheStackDoes) {
  const std::string message = "PTX line 2: this constant expression is nested too deeply";
  EXPECT_EQ(mistake_in(body_text("mov.b64 %rd1, " + std::string(1000000, '(') + ";")), message);
  EXPECT_EQ(mistake_in(body_text("mov.b64 %rd1, " + std::string(1000000, '~') + "1;")), message);
  std::string conditions;
  for (int i = 0; i < 100000; ++i) conditions += "1 ? 1 : ";
  EXPECT_EQ(mistake_in(body_text("mov.b64 %rd1, " + conditions + "1;")), message);
}

TEST(Mistakes, CarryTheirLineAndACutQuotation) {
  const std::string longest(100, 'x');
  try {
    parse_module("\n" + longest);
    FAIL() << "nothing was thrown";
  } catch (const ParseError& error) {
    EXPECT_EQ(error.line(), 3u);
    EXPECT_NE(std::string(error.what()).find("found '" + longest.substr(0, 60) + "...'"), std::string::npos);
  }
}

}  // namespace
}  // namespace warpwright::ptx
