// Instructions that are no single row: comparisons with a combining predicate, with two results or a result in a
// register; lop3 with a predicate; carry chains, in which the carry out is what a following addc or subc adds;
// conversions between registers that are wider than their types, and registers of 128 bits.
#include <array>
#include <cmath>

#include "isa/checks.h"
#include "isa/small_formats.h"

namespace warpwright::checks {
namespace {

enum Relation : unsigned { less = 1, equal = 2, greater = 4, unordered = 8 };

unsigned relation(Bits a, Bits b, const std::string& type) {
  const f128 left = number_of(masked(a, type), type), right = number_of(masked(b, type), type);
  return left < right ? less : left > right ? greater : left == right ? equal : unordered;
}

struct Comparison {
  const char* name;
  unsigned holds_for;
  bool of_floats;
};
constexpr std::array<Comparison, 14> comparisons = {{{"eq", equal, false},
                                                     {"ne", less | greater, false},
                                                     {"lt", less, false},
                                                     {"le", less | equal, false},
                                                     {"gt", greater, false},
                                                     {"ge", greater | equal, false},
                                                     {"equ", equal | unordered, true},
                                                     {"neu", less | greater | unordered, true},
                                                     {"ltu", less | unordered, true},
                                                     {"leu", less | equal | unordered, true},
                                                     {"gtu", greater | unordered, true},
                                                     {"geu", greater | equal | unordered, true},
                                                     {"num", less | equal | greater, true},
                                                     {"nan", unordered, true}}};

bool combined(const std::string& operation, bool a, bool b) {
  return operation == ".and" ? a && b : operation == ".or" ? a || b : operation == ".xor" ? a != b : a;
}

/// What one 32-bit result says where a comparison holds.
Bits one_of(const std::string& type) {
  if (type == "f32") return 0x3f800000;
  if (type == "f16") return 0x3c00;
  if (type == "bf16") return 0x3f80;
  return masked(~Bits{0}, type);
}

/// set.CmpOp{.BoolOp}{.ftz}.dtype.stype.
void add_set(Checks& checks, const Comparison& comparison, const std::string& operation, const std::string& to,
             const std::string& from, bool flushes = false) {
  if (comparison.of_floats && !is_float(from)) return;
  if (from.front() == 'b' && from.size() == 3 && comparison.holds_for != equal && comparison.name[0] != 'n') return;
  const std::string opcode =
      "set." + std::string(comparison.name) + operation + (flushes ? ".ftz." : ".") + to + "." + from;
  std::vector<std::string> sources = {from, from};
  if (!operation.empty()) sources.push_back("pred");
  const bool pairs = from.ends_with("x2");
  const std::string half = pairs ? from.substr(0, from.size() - 2) : from;
  const Bits one = to.ends_with("x2") ? one_of(half) : pairs ? 0xffff : one_of(to);
  checks.push_back({opcode, to, sources, [=](const auto& x) {
                      const auto part = [&](int shift) -> Bits {
                        Bits a = x[0] >> shift, b = x[1] >> shift;
                        if (flushes) a = flushed(masked(a, half), half), b = flushed(masked(b, half), half);
                        const bool holds = (relation(a, b, half) & comparison.holds_for) != 0;
                        return combined(operation, holds, !operation.empty() && x[2] != 0) ? one : 0;
                      };
                      return pairs ? part(16) << 16 | part(0) : part(0);
                    }});
}

/// The results of setp, as two bits; of a single half there is but one.
void add_setp(Checks& checks, const Comparison& comparison, const std::string& operation, const std::string& type) {
  if (comparison.of_floats && !is_float(type)) return;
  const bool pairs = type.ends_with("x2");
  const std::string half = pairs ? type.substr(0, type.size() - 2) : type;
  const bool is_single = type == "f16" || type == "bf16";
  const std::string opcode = "setp." + std::string(comparison.name) + operation + "." + type;
  std::vector<std::string> sources = {type, type};
  if (!operation.empty()) sources.push_back("pred");
  const std::string with = operation.empty() ? "" : ", !{3}";
  Check check = {
      opcode, "b32", sources, [=](const auto& x) {
        const bool with_q = !operation.empty() && x[2] == 0;
        const bool first = (relation(x[0], x[1], half) & comparison.holds_for) != 0;
        const bool second = pairs ? (relation(x[0] >> 16, x[1] >> 16, half) & comparison.holds_for) != 0 : !first;
        return Bits{combined(operation, first, with_q)} | Bits{!is_single && combined(operation, second, with_q)} << 1;
      }};
  check.body = (is_single ? "setp.ne.u32 %p13, 0, 0; " + opcode + " %p12" : opcode + " %p12|%p13") + ", {1}, {2}" +
               with + "; selp.b32 {0}, 1, 0, %p12; selp.b32 %r24, 2, 0, %p13; or.b32 {0}, {0}, %r24;\n";
  checks.push_back(check);
}

void add_lop3(Checks& checks, const std::string& operation, unsigned table) {
  const std::string opcode = "lop3" + operation + ".b32";
  Check check = {opcode, "b64", {"b32", "b32", "b32", "pred"}, [=](const auto& x) {
                   Bits result = 0;
                   for (unsigned i = 0; i < 32; ++i) {
                     const unsigned row = 4 * (x[0] >> i & 1) + 2 * (x[1] >> i & 1) + (x[2] >> i & 1);
                     result |= Bits{table >> row & 1} << i;
                   }
                   return result | Bits{combined(operation, result != 0, x[3] != 0)} << 32;
                 }};
  check.opcode += " table " + std::to_string(table);
  check.body = opcode + " %r24|%p12, {1}, {2}, {3}, " + std::to_string(table) +
               ", {4}; selp.b32 %r25, 1, 0, %p12; mov.b64 {0}, {{%r24, %r25}};\n";
  checks.push_back(check);
  check.opcode += " with a sink";
  check.expected = [expected = check.expected](const auto& x) { return expected(x) >> 32 << 32; };
  check.body = opcode + " _|%p12, {1}, {2}, {3}, " + std::to_string(table) +
               ", {4}; selp.b32 %r25, 1, 0, %p12; mov.b64 {0}, {{0, %r25}};\n";
  checks.push_back(check);
}

/// One link of a chain: the carry in is made by an addition or subtraction before, the carry out seen by one behind.
/// In the result, the value's lower word is uppermost; then the carry out, then 31 bits of the value's words mixed.
void add_carry(Checks& checks, const std::string& mnemonic, bool reads, bool writes, const std::string& type) {
  const bool subtracts = mnemonic == "sub", multiplies = mnemonic.starts_with("mad");
  const unsigned width = width_of(type);
  const std::string size = std::to_string(width);
  std::string opcode = mnemonic.substr(0, 3);
  opcode.append(reads ? "c" : "").append(mnemonic, 3).append(writes ? ".cc." : ".").append(type);
  std::vector<std::string> sources(multiplies ? 3 : 2, type);
  sources.push_back("pred");
  Check check = {opcode, "b64", sources, [=](const auto& x) {
                   const bool carry_in = x.back() != 0;
                   u128 a = x[0], b = x[1];
                   if (multiplies) {
                     const u128 product =
                         static_cast<u128>(value_of(x[0], type)) * static_cast<u128>(value_of(x[1], type));
                     a = mnemonic.ends_with("hi") ? product >> width : product;
                     a &= (u128{1} << width) - 1;
                     b = x[2];
                   }
                   const u128 used = reads && carry_in ? 1 : 0;
                   const u128 whole = subtracts ? a - b - used : a + b + used;
                   const bool carry_out = writes ? (whole >> width & 1) != 0 : carry_in;
                   const Bits value = masked(static_cast<Bits>(whole), type);
                   return (value ^ value >> 32) % 0x80000000 | Bits{carry_out} << 31 | value << 32;
                 }};
  // In: 0 - 1 borrows, 0xffffffff + 1 carries. Out: 0 - 0 - borrow, 0 + 0 + carry.
  const std::string reg = width == 64 ? "%rd24" : "%r24";
  const std::string operands = multiplies ? "{1}, {2}, {3}" : "{1}, {2}";
  const std::string in = multiplies ? "{4}" : "{3}";
  check.body = std::string("selp.b32 %r25, ") + (subtracts ? "1, 0, " : "0xffffffff, 0, ") + in + "; " +
               (subtracts ? "sub.cc.u32 %r26, 0, %r25; " : "add.cc.u32 %r26, %r25, 1; ") + opcode + " " + reg + ", " +
               operands + "; " + (subtracts ? "subc.u32 %r27, 0, 0; and.b32 %r27, %r27, 1; " : "addc.u32 %r27, 0, 0; ");
  if (width == 32) check.body += "cvt.u64.u32 %rd24, %r24; ";
  check.body +=
      "mov.b64 {{%r24, %r28}}, %rd24; xor.b32 %r28, %r28, %r24; and.b32 %r28, %r28, 0x7fffffff; shl.b32 %r27, %r27, "
      "31; "
      "or.b32 %r28, %r28, %r27; mov.b64 {0}, {{%r28, %r24}};\n";
  checks.push_back(check);
}

/// Both registers have 64 bits, whatever the types say.
void add_wide_conversion(Checks& checks, const std::string& to, const std::string& from) {
  const std::string opcode = "cvt." + to + "." + from;
  Check check = {opcode + " between registers of 64 bits", "u64", {"u64"}, [=](const auto& x) {
                   const s128 value = value_of(masked(x[0], from), from);
                   return static_cast<Bits>(value_of(masked(static_cast<Bits>(value), to), to));
                 }};
  check.body = opcode + " {0}, {1};\n";
  checks.push_back(check);
}

void add_wide_registers(Checks& checks) {
  for (const char* to : {"u8", "s8", "u16", "s16", "u32", "s32"})
    for (const char* from : {"u8", "s8", "u16", "s16", "u32", "s32"}) add_wide_conversion(checks, to, from);
  Check check = {"mov.b128", "b64", {"b64", "b64"}, [](const auto& x) { return x[0] ^ (x[1] << 1 | x[1] >> 63); }};
  check.body =
      "{{ .reg .b128 %q<2>; mov.b128 %q0, {{{1}, {2}}}; mov.b128 %q1, %q0; mov.b128 {{%rd24, %rd25}}, %q1; "
      "shl.b64 %rd26, %rd25, 1; shr.u64 %rd25, %rd25, 63; or.b64 %rd25, %rd25, %rd26; xor.b64 {0}, %rd24, %rd25; }}\n";
  checks.push_back(check);
}

}  // namespace

Checks composed_checks() {
  Checks checks;
  for (const Comparison& comparison : comparisons) {
    for (const char* from : {"b16", "b32", "b64", "u16", "u32", "u64", "s16", "s32", "s64", "f32", "f64"})
      for (const char* to : {"u32", "s32", "f32", "f16", "bf16"}) add_set(checks, comparison, "", to, from);
    for (const char* to : {"u32", "f32", "f16"}) add_set(checks, comparison, "", to, "f32", true);
    for (const std::string half : {"f16", "bf16"}) {
      for (const std::string to : {"u16", "s16", "u32", "s32", half.c_str()}) add_set(checks, comparison, "", to, half);
      for (const std::string& to : {std::string("u32"), std::string("s32"), half + "x2"})
        add_set(checks, comparison, "", to, half + "x2");
      add_set(checks, comparison, ".xor", half + "x2", half + "x2");
      add_setp(checks, comparison, "", half + "x2");
      add_setp(checks, comparison, ".and", half + "x2");
    }
    add_set(checks, comparison, "", "f16x2", "f16x2", true);
    for (const char* operation : {".and", ".or", ".xor"}) {
      add_set(checks, comparison, operation, "u32", "f32");
      add_set(checks, comparison, operation, "f32", "s64");
      for (const char* type : {"s32", "u64", "f32", "f64", "f16", "bf16"})
        add_setp(checks, comparison, operation, type);
    }
  }
  for (const char* operation : {".and", ".or"})
    for (const unsigned table : {0x00u, 0x80u, 0x96u, 0xe8u, 0xffu}) add_lop3(checks, operation, table);
  for (const char* mnemonic : {"add", "sub", "mad.lo", "mad.hi"})
    for (const char* type : {"u32", "s32", "u64", "s64"})
      for (const auto& [reads, writes] : {std::pair{false, true}, {true, false}, {true, true}})
        add_carry(checks, mnemonic, reads, writes, type);
  add_wide_registers(checks);
  return checks;
}

}  // namespace warpwright::checks
