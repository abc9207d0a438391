// PTX ISA, "cvt" to integers, in 128 bits, and to whole floats, by the host's own rounding under its modes.
#include <algorithm>
#include <array>
#include <cfenv>
#include <cmath>

#include "isa/checks.h"
#include "isa/host_rounding.h"
#include "isa/small_formats.h"

namespace warpwright::checks {
namespace {

constexpr std::array<const char*, 8> integers = {"u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"};
constexpr std::array<const char*, 4> floats = {"f16", "bf16", "f32", "f64"};

struct Mode {
  const char* name;
  int host;
};
constexpr std::array<Mode, 4> modes = {
    {{"rni", FE_TONEAREST}, {"rzi", FE_TOWARDZERO}, {"rmi", FE_DOWNWARD}, {"rpi", FE_UPWARD}}};

s128 least(const std::string& type) { return is_signed(type) ? -(s128{1} << (width_of(type) - 1)) : s128{0}; }
s128 most(const std::string& type) { return (s128{1} << (width_of(type) - (is_signed(type) ? 1 : 0))) - 1; }

/// A value in its register: bytes are extended to the register's width as their type says.
Bits in_register(s128 value, const std::string& type) {
  return static_cast<Bits>(static_cast<u128>(value_of(static_cast<Bits>(static_cast<u128>(value)), type)));
}

/// .sat is for types that do not hold all of the other.
void add_between_integers(Checks& checks) {
  for (const std::string to : integers)
    for (const std::string from : integers) {
      checks.push_back(
          {"cvt." + to + "." + from, to, {from}, [=](const auto& x) { return in_register(value_of(x[0], from), to); }});
      if (least(to) <= least(from) && most(from) <= most(to)) continue;
      checks.push_back({"cvt.sat." + to + "." + from, to, {from}, [=](const auto& x) {
                          return in_register(std::clamp(value_of(x[0], from), least(to), most(to)), to);
                        }});
    }
}

double whole_of(Bits bits, const std::string& type, int mode) {
  return whole(static_cast<double>(number_of(bits, type)), mode);
}

/// PTX ISA, "Integer Notes" of cvt: what NaN gives depends on whether a type of 64 bits takes part.
s128 of_nan(const std::string& to, const std::string& from) {
  return from == "f64" || width_of(to) == 64 ? s128{1} << (width_of(to) - 1) : s128{0};
}

void add_to_integer(Checks& checks, const Mode& mode, const std::string& to, const std::string& from) {
  const Check check = {"", to, {from}, [=](const auto& x) -> Bits {
                         const double value = whole_of(x[0], from, mode.host);
                         if (std::isnan(value)) return in_register(of_nan(to, from), to);
                         // Beyond 2^65 every type is out of range; below, 128 bits hold the value exactly.
                         const double bounded = std::clamp(value, -0x1p65, 0x1p65);
                         return in_register(std::clamp(static_cast<s128>(bounded), least(to), most(to)), to);
                       }};
  for (const std::string modifiers : {"", ".sat", ".ftz", ".ftz.sat"}) {
    const bool flushes = modifiers.starts_with(".ftz");
    if ((flushes && from != "f32") || (modifiers == ".sat" && from == "bf16")) continue;
    const std::string opcode = std::string("cvt.").append(mode.name).append(modifiers) + "." + to + "." + from;
    checks.push_back(modified(check, opcode, flushes ? ".ftz" : ""));
    // Beside bf16, PTX wants a register of the type's own width.
    if (from == "bf16" && width_of(to) == 8)
      checks.back().body = "{{ .reg .b8 %byte; " + opcode + " %byte, {1}; " +
                           (is_signed(to) ? "cvt.s32.s8" : "cvt.u32.u8") + " {0}, %byte; }}\n";
  }
}

void add_to_whole(Checks& checks, const Mode& mode, const std::string& type) {
  const Check check = {"",
                       type,
                       {type},
                       [=](const auto& x) {
                         const double value = whole_of(x[0], type, mode.host);
                         if (type == "f32") return bits_of(static_cast<float>(value));
                         if (type == "f64") return bits_of(value);
                         return rounded_to(type, {value}, FE_TONEAREST, std::signbit(value));
                       },
                       true};
  for (const std::string modifiers : {"", ".sat", ".ftz", ".ftz.sat"}) {
    if (modifiers.starts_with(".ftz") && type != "f32") continue;
    if (modifiers.ends_with(".sat") && type == "bf16") continue;
    checks.push_back(modified(check, "cvt." + std::string(mode.name) + modifiers + "." + type + "." + type, modifiers));
  }
}

}  // namespace

Checks conversion_checks() {
  Checks checks;
  add_between_integers(checks);
  for (const Mode& mode : modes)
    for (const char* from : floats) {
      add_to_whole(checks, mode, from);
      for (const char* to : integers) add_to_integer(checks, mode, to, from);
    }
  return checks;
}

}  // namespace warpwright::checks
