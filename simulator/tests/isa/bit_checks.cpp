// PTX ISA, "Logic and Shift Instructions" and the instructions that count or move bits, one bit at a time as the
// manual's own pseudocode does it.
#include <array>

#include "isa/checks.h"

namespace warpwright::checks {
namespace {

bool bit(Bits bits, Bits i) { return i < 64 && (bits >> i & 1) != 0; }

/// A word of `width` bits, of which bit i is `of(i)`.
template <class Of>
Bits word(unsigned width, Of of) {
  Bits result = 0;
  for (unsigned i = 0; i < width; ++i) result |= Bits{of(i)} << i;
  return result;
}

template <class Of>
unsigned count(unsigned width, Of of) {
  unsigned result = 0;
  for (unsigned i = 0; i < width; ++i) result += of(i) ? 1 : 0;
  return result;
}

/// Start or length of a field. The manual has nothing above 255; of 32 bits the H200 takes the low byte, of 64 bits the
/// whole number.
Bits field(Bits number, unsigned width) { return width == 64 ? number : number & 0xff; }

/// Position of the highest bit that is unlike the sign; all ones when there is none.
Bits highest(Bits a, const std::string& type) {
  const unsigned width = width_of(type);
  const bool sign = is_signed(type) && bit(a, width - 1);
  for (unsigned i = width; i-- > 0;)
    if (bit(a, i) != sign) return i;
  return 0xffffffff;
}

void add_logic(Checks& checks, const std::string& type) {
  const unsigned width = width_of(type);
  const auto two = [&](const char* mnemonic, auto of) {
    checks.push_back({mnemonic + type, type, {type, type}, [=](const auto& x) {
                        return word(width, [&](unsigned i) { return of(bit(x[0], i), bit(x[1], i)); });
                      }});
  };
  two("and.", [](bool a, bool b) { return a && b; });
  two("or.", [](bool a, bool b) { return a || b; });
  two("xor.", [](bool a, bool b) { return a != b; });
  checks.push_back({"not." + type, type, {type}, [=](const auto& x) {
                      return word(width, [&](unsigned i) { return !bit(x[0], i); });
                    }});
  if (type != "pred") checks.push_back({"cnot." + type, type, {type}, [](const auto& x) { return x[0] == 0; }});
}

void add_shifts(Checks& checks, unsigned width) {
  const std::string size = std::to_string(width);
  checks.push_back({"shl.b" + size, "b" + size, {"b" + size, "u32"}, [=](const auto& x) {
                      return word(width,
                                  [&](unsigned i) { return i >= x[1] && bit(x[0], static_cast<unsigned>(i - x[1])); });
                    }});
  for (const char* kind : {"b", "u", "s"}) {
    const std::string type = kind + size;
    checks.push_back({"shr." + type, type, {type, "u32"}, [=](const auto& x) {
                        const bool fill = is_signed(type) && bit(x[0], width - 1);
                        return word(width, [&](unsigned i) {
                          return i + x[1] < width ? bit(x[0], static_cast<unsigned>(i + x[1])) : fill;
                        });
                      }});
  }
}

/// 64 bits {b, a} shifted, of which the upper word (left) or the lower (right) remains.
void add_funnel_shifts(Checks& checks) {
  for (const bool left : {true, false})
    for (const bool wraps : {true, false}) {
      const std::string opcode = std::string("shf.") + (left ? "l." : "r.") + (wraps ? "wrap" : "clamp") + ".b32";
      checks.push_back({opcode, "b32", {"b32", "b32", "u32"}, [=](const auto& x) {
                          const Bits shift = wraps ? x[2] % 32 : std::min<Bits>(x[2], 32);
                          const auto both = [&](Bits i) { return i < 32 ? bit(x[0], i) : i < 64 && bit(x[1], i - 32); };
                          return word(32, [&](unsigned i) { return both(left ? i + 32 - shift : i + shift); });
                        }});
    }
}

void add_counts(Checks& checks, const std::string& type) {
  const unsigned width = width_of(type);
  checks.push_back({"popc." + type, "u32", {type}, [=](const auto& x) {
                      return count(width, [&](unsigned i) { return bit(x[0], i); });
                    }});
  checks.push_back({"clz." + type, "u32", {type}, [=](const auto& x) {
                      return count(width, [&](unsigned i) { return x[0] >> i == 0; });
                    }});
  checks.push_back({"brev." + type, type, {type}, [=](const auto& x) {
                      return word(width, [&](unsigned i) { return bit(x[0], width - 1 - i); });
                    }});
  checks.push_back(
      {"bfi." + type, type, {type, type, "u32", "u32"}, [=](const auto& x) {
         const Bits at = field(x[2], width), length = field(x[3], width);
         return word(width, [&](unsigned i) { return i >= at && i < at + length ? bit(x[0], i - at) : bit(x[1], i); });
       }});
}

void add_fields(Checks& checks, const std::string& type) {
  const unsigned width = width_of(type);
  checks.push_back({"bfind." + type, "u32", {type}, [=](const auto& x) { return highest(x[0], type); }});
  checks.push_back({"bfind.shiftamt." + type, "u32", {type}, [=](const auto& x) {
                      const Bits position = highest(x[0], type);
                      return position == 0xffffffff ? position : width - 1 - position;
                    }});
  checks.push_back(
      {"bfe." + type, type, {type, "u32", "u32"}, [=](const auto& x) {
         const Bits at = field(x[1], width), length = field(x[2], width);
         const bool sign = is_signed(type) && length != 0 && bit(x[0], std::min<Bits>(at + length - 1, width - 1));
         return word(width, [&](unsigned i) { return i < length && at + i < width ? bit(x[0], at + i) : sign; });
       }});
}

void add_moves(Checks& checks) {
  for (const char* type : {"b16", "u16", "s16", "b32", "u32", "s32", "b64", "u64", "s64", "f32", "f64"}) {
    checks.push_back({std::string("mov.") + type, type, {type}, [](const auto& x) { return x[0]; }});
    checks.push_back({std::string("selp.") + type, type, {type, type, "pred"}, [](const auto& x) {
                        return x[2] != 0 ? x[0] : x[1];
                      }});
  }
  checks.push_back({"mov.pred", "pred", {"pred"}, [](const auto& x) { return x[0]; }});
}

/// The manual's table of the special modes: which byte of {b, a} each byte of the result is, from the highest down.
void add_permutations(Checks& checks) {
  struct Mode {
    const char* name;
    std::array<unsigned, 4> bytes;  // by selector, as hexadecimal digits
  };
  for (const auto& [name, bytes] :
       {Mode{"f4e", {0x3210, 0x4321, 0x5432, 0x6543}}, Mode{"b4e", {0x5670, 0x6701, 0x7012, 0x0123}},
        Mode{"rc8", {0x0000, 0x1111, 0x2222, 0x3333}}, Mode{"ecl", {0x3210, 0x3211, 0x3222, 0x3333}},
        Mode{"ecr", {0x0000, 0x1110, 0x2210, 0x3210}}, Mode{"rc16", {0x1010, 0x3232, 0x1010, 0x3232}}})
    checks.push_back({std::string("prmt.b32.") + name, "b32", {"b32", "b32", "b32"}, [=](const auto& x) {
                        return word(32, [&](unsigned i) {
                          const unsigned at = 8 * (bytes[x[2] % 4] >> (i / 8 * 4) & 15) + i % 8;
                          return at < 32 ? bit(x[0], at) : bit(x[1], at - 32);
                        });
                      }});
}

/// fns, bmsk and szext: the manual's words, one bit at a time.
void add_masks(Checks& checks) {
  checks.push_back({"fns.b32", "b32", {"b32", "small", "s32"}, [](const auto& x) -> Bits {
                      if (x[2] == 0x80000000) return 0;  // on the H200; it has no magnitude
                      const auto n = static_cast<int>(value_of(x[2], "s32"));
                      std::vector<unsigned> set;  // in the direction of the search
                      for (unsigned i = 0; i < 32; ++i) {
                        const unsigned at = n < 0 ? 31 - i : i;
                        if (bit(x[0], at) && (n < 0 ? at <= x[1] : n > 0 ? at >= x[1] : at == x[1])) set.push_back(at);
                      }
                      const Bits rank = n == 0 ? 1 : n < 0 ? -s128{n} : n;
                      return rank <= set.size() ? set[rank - 1] : 0xffffffff;
                    }});
  for (const bool wraps : {false, true}) {
    const std::string mode = wraps ? "wrap." : "clamp.";
    checks.push_back({"bmsk." + mode + "b32", "b32", {"u32", "u32"}, [=](const auto& x) {
                        const Bits first = wraps ? x[0] % 32 : x[0], length = wraps ? x[1] % 32 : x[1];
                        return word(32, [&](unsigned i) { return i >= first && i < first + length; });
                      }});
    for (const std::string type : {"u32", "s32"})
      checks.push_back({"szext." + mode + type, type, {type, "u32"}, [=](const auto& x) {
                          const Bits length = wraps ? x[1] % 32 : x[1];
                          const bool fill = type == "s32" && length != 0 && bit(x[0], length - 1);
                          return word(32, [&](unsigned i) { return i < length ? bit(x[0], i) : fill; });
                        }});
  }
}

}  // namespace

Checks bit_checks() {
  Checks checks;
  for (const char* type : {"b16", "b32", "b64", "pred"}) add_logic(checks, type);
  for (const unsigned width : {16u, 32u, 64u}) add_shifts(checks, width);
  add_funnel_shifts(checks);
  for (const char* type : {"b32", "b64"}) add_counts(checks, type);
  for (const char* type : {"u32", "s32", "u64", "s64"}) add_fields(checks, type);
  add_moves(checks);
  add_permutations(checks);
  add_masks(checks);
  for (const unsigned table : {0x00u, 0x01u, 0x80u, 0xc0u, 0x96u, 0xe8u, 0xcau, 0x2au, 0xffu})
    checks.push_back(
        {"lop3.b32", "b32", {"b32", "b32", "b32", "imm:" + std::to_string(table)}, [=](const auto& x) {
           return word(32, [&](unsigned i) { return bit(table, 4 * bit(x[0], i) + 2 * bit(x[1], i) + bit(x[2], i)); });
         }});
  checks.push_back({"prmt.b32", "b32", {"b32", "b32", "b32"}, [](const auto& x) {
                      return word(32, [&](unsigned i) {
                        const unsigned select = x[2] >> (i / 8 * 4) & 15;
                        const unsigned first = select % 8 * 8;
                        const auto both = [&](unsigned j) { return j < 32 ? bit(x[0], j) : bit(x[1], j - 32); };
                        return select >= 8 ? both(first + 7) : both(first + i % 8);
                      });
                    }});
  return checks;
}

}  // namespace warpwright::checks
