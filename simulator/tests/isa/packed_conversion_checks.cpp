// PTX ISA, "cvt" and "cvt.pack" of two values into one register, and to tf32: each value by choosing among the numbers
// of the format.
#include <algorithm>
#include <cfenv>
#include <cmath>

#include "isa/checks.h"
#include "isa/small_formats.h"

namespace warpwright::checks {
namespace {

struct Modifiers {
  const char* text;
  bool rectifies, finite;
};

Bits converted(Bits bits, const std::string& from, const std::string& to, int mode, const Modifiers& modifiers) {
  const f128 number = number_of(bits, from);
  if (number != number) return small_format(to).nan;
  const bool negative = std::signbit(static_cast<double>(number));
  if (modifiers.rectifies && negative) return 0;
  const Bits result = rounded_to(to, {number}, mode, negative);
  return modifiers.finite ? made_finite(result, to) : result;
}

void add_pairs_of_floats(Checks& checks, const std::string& half) {
  for (const auto& [rounding, mode] : {std::pair{"cvt.rn", FE_TONEAREST}, {"cvt.rz", FE_TOWARDZERO}})
    for (const Modifiers& modifiers : {Modifiers{"", false, false},
                                       {".relu", true, false},
                                       {".satfinite", false, true},
                                       {".relu.satfinite", true, true},
                                       {".satfinite.relu", true, true}})
      checks.push_back({rounding + std::string(modifiers.text) + "." + half + "x2.f32",
                        half + "x2",
                        {"f32", "f32"},
                        [=](const auto& x) {
                          return converted(x[0], "f32", half, mode, modifiers) << 16 |
                                 converted(x[1], "f32", half, mode, modifiers);
                        }});
}

void add_bytes(Checks& checks, const std::string& byte) {
  const std::string pair = byte + "x2";
  for (const Modifiers& modifiers :
       {Modifiers{".satfinite.", false, true}, {".relu.satfinite.", true, true}, {".satfinite.relu.", true, true}}) {
    checks.push_back({std::string("cvt.rn") + modifiers.text + pair + ".f32", pair, {"f32", "f32"}, [=](const auto& x) {
                        return converted(x[0], "f32", byte, FE_TONEAREST, modifiers) << 8 |
                               converted(x[1], "f32", byte, FE_TONEAREST, modifiers);
                      }});
    checks.push_back({std::string("cvt.rn") + modifiers.text + pair + ".f16x2", pair, {"f16x2"}, [=](const auto& x) {
                        return converted(x[0] >> 16, "f16", byte, FE_TONEAREST, modifiers) << 8 |
                               converted(x[0] & 0xffff, "f16", byte, FE_TONEAREST, modifiers);
                      }});
  }
  for (const Modifiers& modifiers : {Modifiers{".", false, false}, {".relu.", true, false}})
    checks.push_back({std::string("cvt.rn") + modifiers.text + "f16x2." + pair, "f16x2", {pair}, [=](const auto& x) {
                        return converted(x[0] >> 8, byte, "f16", FE_TONEAREST, modifiers) << 16 |
                               converted(x[0] & 0xff, byte, "f16", FE_TONEAREST, modifiers);
                      }});
}

/// To nearest, and away from zero in the middle: to nearest with a number that is too large by less than half of what
/// any other number of single precision could differ by.
Bits nearest_away(Bits bits) {
  const f128 number = number_of(bits, "f32");
  const bool middle = (bits & 0x1fff) == 0x1000;
  if (!middle || number - number != 0)
    return rounded_to("tf32", {number}, FE_TONEAREST, std::signbit(static_cast<double>(number)));
  return rounded_to("tf32", {number}, number > 0 ? FE_UPWARD : FE_DOWNWARD);
}

/// NaNs are as the H200 was seen to leave them: with .rna, cut off, and taken for too large a number by .satfinite.
void add_tf32(Checks& checks) {
  const auto add = [&](const std::string& opcode, auto of) {
    checks.push_back({opcode, "b32", {"f32"}, [=](const auto& x) -> Bits {
                        if (!is_nan(x[0], "f32")) return of(x[0]) << 13;
                        if (opcode.find(".rna") == opcode.npos) return small_format("tf32").nan << 13;
                        return ((x[0] >> 13) - (opcode.find(".satfinite") != opcode.npos ? 1 : 0)) << 13;
                      }});
  };
  for (const auto& [name, mode] : {std::pair{"rn", FE_TONEAREST}, {"rz", FE_TOWARDZERO}})
    for (const Modifiers& modifiers : {Modifiers{"", false, false}, {".relu", true, false}})
      add("cvt." + std::string(name) + modifiers.text + ".tf32.f32",
          [=](Bits bits) { return converted(bits, "f32", "tf32", mode, modifiers); });
  add("cvt.rna.tf32.f32", &nearest_away);
  add("cvt.rna.satfinite.tf32.f32", [](Bits bits) { return made_finite(nearest_away(bits), "tf32"); });
}

void add_integers(Checks& checks) {
  for (const unsigned width : {2u, 4u, 8u, 16u})
    for (const bool is_unsigned : {false, true}) {
      const s128 least = is_unsigned ? s128{0} : -(s128{1} << (width - 1));
      const s128 most = (s128{1} << (width - (is_unsigned ? 0 : 1))) - 1;
      const auto field = [=](Bits bits) {
        return static_cast<Bits>(std::clamp(value_of(bits, "s32"), least, most)) & ((Bits{1} << width) - 1);
      };
      const std::string opcode = "cvt.pack.sat." + std::string(is_unsigned ? "u" : "s") + std::to_string(width);
      if (width == 16)
        checks.push_back(
            {opcode + ".s32", "b32", {"s32", "s32"}, [=](const auto& x) { return field(x[0]) << 16 | field(x[1]); }});
      else
        checks.push_back({opcode + ".s32.b32", "b32", {"s32", "s32", "b32"}, [=](const auto& x) {
                            return x[2] << (2 * width) | field(x[0]) << width | field(x[1]);
                          }});
    }
}

}  // namespace

Checks packed_conversion_checks() {
  Checks checks;
  add_pairs_of_floats(checks, "f16");
  add_pairs_of_floats(checks, "bf16");
  add_bytes(checks, "e4m3");
  add_bytes(checks, "e5m2");
  add_tf32(checks);
  add_integers(checks);
  return checks;
}

}  // namespace warpwright::checks
