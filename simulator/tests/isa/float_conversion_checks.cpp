// PTX ISA, "cvt" to floats: to f32 and f64 by the host's own conversions under its rounding modes, to f16 and bf16 by
// choosing among their numbers.
#include <array>
#include <bit>
#include <cfenv>
#include <cmath>

#include "isa/checks.h"
#include "isa/host_rounding.h"
#include "isa/small_formats.h"

namespace warpwright::checks {
namespace {

constexpr std::array<const char*, 8> integers = {"u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"};

struct Mode {
  const char* name;
  int host;
};
constexpr std::array<Mode, 4> modes = {
    {{".rn", FE_TONEAREST}, {".rz", FE_TOWARDZERO}, {".rm", FE_DOWNWARD}, {".rp", FE_UPWARD}}};

bool is_negative(f128 number) { return std::signbit(static_cast<double>(number)); }

/// A NaN of double precision keeps its sign and the upper bits of its payload, on the H200 as on the host.
Bits narrowed_nan(Bits bits, const std::string& to) {
  const Bits single = std::bit_cast<std::uint32_t>(static_cast<float>(f64_of(bits)));
  if (to == "f32") return single;
  return to == "bf16" ? single >> 16 : (single >> 16 & 0x8000) | 0x7c00 | (single >> 13 & 0x3ff);
}

Bits converted(Bits bits, const std::string& to, const std::string& from, int mode) {
  if (from == "f64" && to != "f64" && is_nan(bits, "f64")) return narrowed_nan(bits, to);
  const f128 number = number_of(bits, from);
  if (to == "f16" || to == "bf16") return rounded_to(to, {number}, mode, is_negative(number));
  if (is_float(from)) {
    const auto value = static_cast<double>(number);
    return to == "f32" ? bits_of(to_f32(value, mode)) : bits_of(value);
  }
  const auto from_signed = static_cast<std::int64_t>(value_of(bits, from));
  const auto from_unsigned = static_cast<std::uint64_t>(value_of(bits, from));
  if (to == "f32") return bits_of(is_signed(from) ? to_f32(from_signed, mode) : to_f32(from_unsigned, mode));
  return bits_of(is_signed(from) ? to_f64(from_signed, mode) : to_f64(from_unsigned, mode));
}

class Conversion {
 public:
  Conversion(Checks& checks, std::string to, std::string from)
      : checks_(checks), to_(std::move(to)), from_(std::move(from)) {}

  /// One check for each list of modifiers.
  void add(const std::string& rounding, int mode, std::initializer_list<const char*> modifiers) {
    const bool is_same = to_ == from_;
    Check check = {"", to_, {from_}, [=, to = to_, from = from_](const auto& x) {
                     return is_same ? x[0] : converted(x[0], to, from, mode);
                   }};
    check.is_small = [from = from_, mode](const auto& x) { return is_small("f32", {number_of(x[0], from)}, mode); };
    for (const char* list : modifiers) {
      const std::string opcode = "cvt" + rounding + list + "." + to_ + "." + from_;
      std::string effective = list;
      // On the way to f16 the H200 flushes nothing, whatever the manual says.
      if (to_ == "f16" && effective.starts_with(".ftz")) effective.erase(0, 4);
      Check changed = modified(check, opcode, effective);
      changed.any_nan = to_ == "f64" || is_same || from_ == "bf16";
      if (std::string_view(list).ends_with(".satfinite"))
        changed.expected = [infinite = changed.expected, to = to_](const auto& x) {
          return made_finite(infinite(x), to);
        };
      // Beside bf16, PTX wants a register of the type's own width.
      if (to_ == "bf16" && width_of(from_) == 8)
        changed.body = "{{ .reg .b8 %byte; cvt.u8.u32 %byte, {1}; " + changed.opcode + " {0}, %byte; }}\n";
      checks_.push_back(changed);
    }
  }

 private:
  Checks& checks_;
  std::string to_, from_;
};

void add_rounded(Checks& checks, const Mode& mode) {
  for (const std::string from : integers) {
    Conversion(checks, "f16", from).add(mode.name, mode.host, {"", ".sat"});
    Conversion(checks, "bf16", from).add(mode.name, mode.host, {""});
    Conversion(checks, "f32", from).add(mode.name, mode.host, {"", ".ftz", ".sat", ".ftz.sat"});
    Conversion(checks, "f64", from).add(mode.name, mode.host, {"", ".sat"});
  }
  Conversion(checks, "f16", "f64").add(mode.name, mode.host, {"", ".sat"});
  Conversion(checks, "bf16", "f64").add(mode.name, mode.host, {""});
  Conversion(checks, "f32", "f64").add(mode.name, mode.host, {"", ".ftz", ".sat", ".ftz.sat"});
  Conversion(checks, "f16", "f32").add(mode.name, mode.host, {"", ".ftz", ".sat", ".ftz.sat"});
  Conversion(checks, "bf16", "f32").add(mode.name, mode.host, {"", ".ftz"});
  if (mode.host == FE_TONEAREST || mode.host == FE_TOWARDZERO)
    for (const char* to : {"f16", "bf16"})
      Conversion(checks, to, "f32").add(mode.name, mode.host, {".relu", ".satfinite", ".relu.satfinite"});
  Conversion(checks, "f16", "bf16").add(mode.name, mode.host, {""});
  Conversion(checks, "bf16", "f16").add(mode.name, mode.host, {""});
  Conversion(checks, "f32", "bf16").add(mode.name, mode.host, {"", ".ftz"});
  Conversion(checks, "f64", "bf16").add(mode.name, mode.host, {""});
}

}  // namespace

Checks float_conversion_checks() {
  Checks checks;
  for (const Mode& mode : modes) add_rounded(checks, mode);
  Conversion(checks, "f16", "f16").add("", FE_TONEAREST, {"", ".sat"});
  Conversion(checks, "bf16", "bf16").add("", FE_TONEAREST, {""});
  Conversion(checks, "f32", "f32").add("", FE_TONEAREST, {"", ".ftz", ".sat", ".ftz.sat"});
  Conversion(checks, "f64", "f64").add("", FE_TONEAREST, {"", ".sat"});
  Conversion(checks, "f32", "f16").add("", FE_TONEAREST, {"", ".ftz", ".sat", ".ftz.sat"});
  Conversion(checks, "f32", "bf16").add("", FE_TONEAREST, {"", ".ftz"});
  Conversion(checks, "f64", "f16").add("", FE_TONEAREST, {"", ".sat"});
  Conversion(checks, "f64", "bf16").add("", FE_TONEAREST, {""});
  Conversion(checks, "f64", "f32").add("", FE_TONEAREST, {"", ".ftz", ".sat", ".ftz.sat"});
  return checks;
}

}  // namespace warpwright::checks
