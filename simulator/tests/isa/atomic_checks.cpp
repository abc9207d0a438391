// PTX ISA, "atom" and "red" with .add of floats: in global memory single precision flushes subnormal numbers, in shared
// memory it does not; double precision never does.
#include <cfenv>

#include "isa/checks.h"
#include "isa/small_formats.h"

namespace warpwright::checks {
namespace {

/// Each thread adds to a place of its own: its result's in global memory, four bytes of `tile` in shared memory.
void add(Checks& checks, const std::string& instruction, const std::string& type, bool flushes) {
  const bool returns = instruction.starts_with("atom"), shared = instruction.find("shared") != instruction.npos;
  Check check = {instruction + ".add." + type, type, {type, type}, [=](const auto& x) {
                   if (type == "f64") return bits_of(f64_of(x[0]) + f64_of(x[1]));
                   const auto in = [=](Bits bits) { return flushes ? flushed(bits, "f32") : bits; };
                   return in(bits_of(f32_of(in(x[0])) + f32_of(in(x[1]))));
                 }};
  check.any_nan = true;
  const std::string at = shared ? "[%r24]" : "[%rd31]";
  const std::string space = shared ? "shared" : "global";
  check.body = shared ? "shl.b32 %r24, %thread, 2; mov.u32 %r25, tile; add.u32 %r24, %r24, %r25; " : "";
  check.body += "st." + space + "." + type + " " + at + ", {1}; " + check.opcode +
                (returns ? (type == "f64" ? " %fd24, " : " %f24, ") : " ") + at + ", {2}; ld." + space + "." + type +
                " {0}, " + at + ";\n";
  checks.push_back(check);
}

/// Halves, alone or in pairs; nothing is flushed.
void add_halves(Checks& checks, const std::string& instruction, const std::string& half) {
  const bool returns = instruction.starts_with("atom"), shared = instruction.find("shared") != instruction.npos;
  Check check = {instruction + ".add.noftz." + half, half, {half, half}, [=](const auto& x) {
                   const f128 a = number_of(x[0], half), b = number_of(x[1], half);
                   return rounded_to(half, exact_sum(a, b), FE_TONEAREST, (x[0] & x[1] & 0x8000) != 0);
                 }};
  check.any_nan = true;
  const auto add = [&](Check of, const std::string& bits, const std::string& unused) {
    const std::string at = shared ? "[%r24]" : "[%rd31]", space = shared ? "shared" : "global";
    of.body = shared ? "shl.b32 %r24, %thread, 2; mov.u32 %r25, tile; add.u32 %r24, %r24, %r25; " : "";
    of.body += "st." + space + bits + " " + at + ", {1}; " + of.opcode + " " + (returns ? unused + ", " : "") + at +
               ", {2}; ld." + space + bits + " {0}, " + at + ";\n";
    checks.push_back(of);
  };
  add(check, ".b16", "%rs15");
  add(packed(check, check.opcode + "x2"), ".b32", "%r26");
}

}  // namespace

Checks atomic_checks() {
  Checks checks;
  for (const char* instruction : {"atom.global", "red.global"}) {
    add(checks, instruction, "f32", true);
    add(checks, instruction, "f64", false);
  }
  add(checks, "atom.shared", "f32", false);
  add(checks, "red.shared", "f32", false);
  for (const char* instruction : {"atom.global", "red.global", "atom.shared"})
    for (const char* half : {"f16", "bf16"}) add_halves(checks, instruction, half);
  return checks;
}

}  // namespace warpwright::checks
