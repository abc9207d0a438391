// PTX ISA, "atom" and "red" with .add of floats: in global memory single precision flushes subnormal numbers, in shared
// memory it does not; double precision never does. Of vectors, in global memory, every element is treated alike.
#include <algorithm>
#include <array>
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

struct Vector {
  std::string type;  // of an element
  unsigned elements;
  unsigned bytes() const { return elements * width_of(type) / 8; }
  std::string name() const { return "v" + std::to_string(elements) + "." + type; }
};

/// Element `i` of the vector in memory is operand `in_memory`, to which operand `added` is added: all four pairs occur.
struct Roles {
  unsigned in_memory, added;
};
Roles roles(unsigned i) { return {i % 2, i / 2 % 2 == 0 ? 1u : 0u}; }

std::string register_for(const std::string& type, unsigned number) {
  return (type == "f32" ? "%f" : width_of(type) == 16 ? "%rs" : "%r") + std::to_string(number);
}

Bits half_of(const std::string& operation, Bits a, Bits b, const std::string& half) {
  const f128 x = number_of(a, half), y = number_of(b, half);
  if (operation == "add") return rounded_to(half, exact_sum(x, y), FE_TONEAREST, (a & b & 0x8000) != 0);
  if (x != x || y != y) return x == x ? a : y == y ? b : 0x7fff;
  const bool a_first = x < y || (x == y && (a & 0x8000) != 0);
  return a_first == (operation == "min") ? a : b;
}

/// What becomes of one element of at most 32 bits.
Bits element_of(const std::string& operation, Bits a, Bits b, const std::string& type) {
  if (type == "f32") return flushed(bits_of(f32_of(flushed(a, type)) + f32_of(flushed(b, type))), type);
  if (!type.ends_with("x2")) return half_of(operation, a, b, type);
  const std::string half = type.substr(0, type.size() - 2);
  return half_of(operation, a & 0xffff, b & 0xffff, half) | half_of(operation, a >> 16, b >> 16, half) << 16;
}

/// A vector in global memory, or what an atomic returned of it: eight bytes of either. Of 16 bytes, neighbours among
/// the threads take turns in the two places for their results.
void add_vector(Checks& checks, const std::string& operation, const Vector& vector, bool is_old, unsigned part) {
  const std::string& type = vector.type;
  const std::string half = type.ends_with("x2") ? type.substr(0, type.size() - 2) : type;
  const bool is_long = vector.bytes() == 16;
  const unsigned width = width_of(type), bits = std::min(8 * vector.bytes(), 64u);
  const std::string opcode =
      std::string(is_old ? "atom" : "red") + ".global." + operation + (type == "f32" ? "." : ".noftz.") + vector.name();
  Check check = {opcode + (is_old ? " returns" : " stores") + (is_long ? part == 0 ? " low" : " high" : ""),
                 "b" + std::to_string(bits),
                 {type, type},
                 [=](const auto& x) {
                   Bits result = 0;
                   for (unsigned i = 0; i < bits / width; ++i) {
                     const Roles role = roles(part * bits / width + i);
                     const Bits a = x[role.in_memory], b = x[role.added];
                     result |= (is_old ? a : element_of(operation, a, b, type)) << (i * width);
                   }
                   return result;
                 }};
  check.accepts = [=, expected = check.expected](const auto& x, Bits result) {  // any NaN
    const unsigned step = width_of(half);
    const Bits all = expected(x);
    for (unsigned at = 0; at < bits; at += step) {
      const Bits want = masked(all >> at, half), got = masked(result >> at, half);
      if (want != got && !(is_nan(want, half) && is_nan(got, half))) return false;
    }
    return true;
  };
  std::string added, old;
  for (unsigned i = 0; i < vector.elements; ++i) {
    const std::string comma = i == 0 ? "" : ", ";
    added += comma + "{" + std::to_string(1 + roles(i).added) + "}";
    old += comma + register_for(type, 8 + i);
  }
  const std::string step = width == 16 ? "b16" : "b32";
  std::string steps;
  const auto guard = [&](const char* predicate) { return is_long ? std::string(predicate) + " " : ""; };
  const auto turn = [&](const char* predicate) {
    for (unsigned i = 0; i < vector.elements; ++i)
      steps += guard(predicate) + "st.global." + step + " [%rd29+" + std::to_string(i * width / 8) + "], {" +
               std::to_string(1 + roles(i).in_memory) + "}; ";
    steps += guard(predicate) + opcode + (is_old ? " {{" + old + "}}, " : " ") + "[%rd29], {{" + added + "}}; ";
    for (unsigned i = 0; is_old && i < vector.elements; ++i)
      steps += guard(predicate) + "st.global." + step + " [%rd29+" + std::to_string(i * width / 8) + "], " +
               register_for(type, 8 + i) + "; ";
    steps +=
        guard(predicate) + "ld.global.b" + std::to_string(bits) + " {0}, [%rd29+" + std::to_string(8 * part) + "]; ";
  };
  if (is_long) {
    steps = "and.b64 %rd29, %rd31, -16; and.b32 %r25, %thread, 1; setp.eq.u32 %p12, %r25, 0; bar.warp.sync -1; ";
    turn("@%p12");
    steps += "bar.warp.sync -1; ";
    turn("@!%p12");
    steps += "bar.warp.sync -1; ";
  } else {
    steps = "mov.b64 %rd29, %rd31; ";
    turn("");
  }
  check.body = steps + "\n";
  checks.push_back(check);
}

void add_vectors(Checks& checks) {
  const std::array<Vector, 12> vectors = {{{"f32", 2},
                                           {"f32", 4},
                                           {"f16", 2},
                                           {"f16", 4},
                                           {"f16", 8},
                                           {"bf16", 2},
                                           {"bf16", 4},
                                           {"bf16", 8},
                                           {"f16x2", 2},
                                           {"f16x2", 4},
                                           {"bf16x2", 2},
                                           {"bf16x2", 4}}};
  for (const Vector& vector : vectors)
    for (const char* operation : {"add", "min", "max"})
      for (const bool is_old : {false, true})
        for (const unsigned part : {0u, 1u})
          if ((vector.type != "f32" || operation == std::string("add")) && (part == 0 || vector.bytes() == 16))
            add_vector(checks, operation, vector, is_old, part);
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
  add_vectors(checks);
  return checks;
}

}  // namespace warpwright::checks
