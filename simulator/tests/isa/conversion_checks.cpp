// PTX ISA, "cvt": integers in 128 bits, floats by the host's own conversions under its rounding modes.
#include <algorithm>
#include <array>
#include <cfenv>
#include <cmath>

#include "isa/checks.h"
#include "isa/host_rounding.h"

namespace warpwright::checks {
namespace {

constexpr std::array<const char*, 8> integers = {"u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"};

struct Mode {
  const char* to_whole;  // to an integer
  const char* to_float;
  int host;
};

constexpr std::array<Mode, 4> modes = {
    {{"rni", "rn", FE_TONEAREST}, {"rzi", "rz", FE_TOWARDZERO}, {"rmi", "rm", FE_DOWNWARD}, {"rpi", "rp", FE_UPWARD}}};

s128 least(const std::string& type) { return is_signed(type) ? -(s128{1} << (width_of(type) - 1)) : s128{0}; }
s128 most(const std::string& type) { return (s128{1} << (width_of(type) - (is_signed(type) ? 1 : 0))) - 1; }

/// A value in its register: bytes are extended to the register's width as their type says.
Bits in_register(s128 value, const std::string& type) {
  return static_cast<Bits>(static_cast<u128>(value_of(static_cast<Bits>(static_cast<u128>(value)), type)));
}

void add_between_integers(Checks& checks) {
  for (const std::string to : integers)
    for (const std::string from : integers) {
      checks.push_back(
          {"cvt." + to + "." + from, to, {from}, [=](const auto& x) { return in_register(value_of(x[0], from), to); }});
      checks.push_back({"cvt.sat." + to + "." + from, to, {from}, [=](const auto& x) {
                          return in_register(std::clamp(value_of(x[0], from), least(to), most(to)), to);
                        }});
    }
}

void add_to_integers(Checks& checks, const Mode& mode) {
  for (const std::string from : {"f32", "f64"}) {
    const auto whole_of = [=](Bits bits) { return whole(from == "f32" ? f32_of(bits) : f64_of(bits), mode.host); };
    checks.push_back({std::string("cvt.") + mode.to_whole + "." + from + "." + from,
                      from,
                      {from},
                      [=](const auto& x) {
                        return from == "f32" ? bits_of(static_cast<float>(whole_of(x[0]))) : bits_of(whole_of(x[0]));
                      },
                      true});
    for (const std::string to : integers)
      checks.push_back(
          {std::string("cvt.") + mode.to_whole + "." + to + "." + from, to, {from}, [=](const auto& x) -> Bits {
             const double value = whole_of(x[0]);
             if (std::isnan(value)) return 0;
             // Beyond 2^65 every type is out of range; below, 128 bits hold the value exactly.
             const double bounded = std::clamp(value, -0x1p65, 0x1p65);
             return in_register(std::clamp(static_cast<s128>(bounded), least(to), most(to)), to);
           }});
  }
}

void add_to_floats(Checks& checks, const Mode& mode) {
  for (const std::string from : integers)
    for (const std::string to : {"f32", "f64"})
      checks.push_back(
          {std::string("cvt.") + mode.to_float + "." + to + "." + from, to, {from}, [=](const auto& x) {
             const auto from_signed = static_cast<std::int64_t>(value_of(x[0], from));
             const auto from_unsigned = static_cast<std::uint64_t>(value_of(x[0], from));
             if (to == "f32")
               return bits_of(is_signed(from) ? to_f32(from_signed, mode.host) : to_f32(from_unsigned, mode.host));
             return bits_of(is_signed(from) ? to_f64(from_signed, mode.host) : to_f64(from_unsigned, mode.host));
           }});
  checks.push_back({std::string("cvt.") + mode.to_float + ".f32.f64", "f32", {"f64"}, [=](const auto& x) {
                      return bits_of(to_f32(f64_of(x[0]), mode.host));
                    }});
}

}  // namespace

Checks conversion_checks() {
  Checks checks;
  add_between_integers(checks);
  for (const Mode& mode : modes) {
    add_to_integers(checks, mode);
    add_to_floats(checks, mode);
  }
  checks.push_back({"cvt.f64.f32", "f64", {"f32"}, [](const auto& x) { return bits_of(double{f32_of(x[0])}); }, true});
  checks.push_back({"cvt.sat.f32.f32", "f32", {"f32"}, [](const auto& x) {
                      const float value = f32_of(x[0]);
                      return bits_of(value > 0 ? std::fmin(value, 1.0f) : 0.0f);
                    }});
  checks.push_back({"cvt.sat.f64.f64", "f64", {"f64"}, [](const auto& x) {
                      const double value = f64_of(x[0]);
                      return bits_of(value > 0 ? std::fmin(value, 1.0) : 0.0);
                    }});
  return checks;
}

}  // namespace warpwright::checks
