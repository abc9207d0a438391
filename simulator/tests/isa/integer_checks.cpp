// PTX ISA, "Integer Arithmetic Instructions", in integers of 128 bits: no product and no sum of the operands' types is
// wider.
#include <algorithm>
#include <array>

#include "isa/checks.h"

namespace warpwright::checks {
namespace {

constexpr std::array<const char*, 6> types = {"u16", "s16", "u32", "s32", "u64", "s64"};

Bits bits_of_value(s128 value) { return static_cast<Bits>(static_cast<u128>(value)); }

/// The product's bits from `first` on. Twice 64 bits fit in 128, whatever the signs.
Bits product(Bits a, Bits b, const std::string& type, unsigned first) {
  const u128 whole = static_cast<u128>(value_of(a, type)) * static_cast<u128>(value_of(b, type));
  return static_cast<Bits>(whole >> first);
}

s128 clamped(s128 value, const std::string& type) {
  const unsigned width = width_of(type);
  const s128 least = is_signed(type) ? -(s128{1} << (width - 1)) : 0;
  const s128 most = (s128{1} << (is_signed(type) ? width - 1 : width)) - 1;
  return std::clamp(value, least, most);
}

/// The product of two elements of `bits` bits each.
s128 element_product(Bits a, Bits b, unsigned at_a, unsigned bits_a, unsigned at_b, const std::string& types_of_both) {
  const std::string type_a = types_of_both.substr(0, 1) + std::to_string(bits_a);
  const std::string type_b = types_of_both.substr(4, 1) + "8";
  return value_of(a >> at_a, type_a) * value_of(b >> at_b, type_b);
}

void add_dot_products(Checks& checks, const std::string& both) {
  const std::string sum = both == "u32.u32" ? "u32" : "s32";
  const std::vector<std::string> sources = {both.substr(0, 3), both.substr(4), sum};
  checks.push_back({"dp4a." + both, sum, sources, [both](const auto& x) {
                      s128 total = s128{x[2]};
                      for (unsigned i = 0; i < 4; ++i) total += element_product(x[0], x[1], 8 * i, 8, 8 * i, both);
                      return bits_of_value(total);
                    }});
  for (const bool high : {false, true})
    checks.push_back({std::string("dp2a.") + (high ? "hi." : "lo.") + both, sum, sources, [both, high](const auto& x) {
                        s128 total = s128{x[2]};
                        for (unsigned i = 0; i < 2; ++i)
                          total += element_product(x[0], x[1], 16 * i, 16, 8 * i + (high ? 16 : 0), both);
                        return bits_of_value(total);
                      }});
}

void add_for(Checks& checks, const std::string& type) {
  const unsigned width = width_of(type);
  const auto value = [type](Bits bits) { return value_of(bits, type); };
  const auto two = [&](const char* mnemonic, auto function) {
    checks.push_back(
        {mnemonic + type, type, {type, type}, [=](const auto& x) { return bits_of_value(function(x[0], x[1])); }});
  };
  const auto three = [&](const char* mnemonic, auto function) {
    checks.push_back({mnemonic + type, type, {type, type, type}, [=](const auto& x) {
                        return bits_of_value(function(x[0], x[1], x[2]));
                      }});
  };
  two("add.", [=](Bits a, Bits b) { return value(a) + value(b); });
  two("sub.", [=](Bits a, Bits b) { return value(a) - value(b); });
  two("mul.lo.", [=](Bits a, Bits b) { return s128{product(a, b, type, 0)}; });
  two("mul.hi.", [=](Bits a, Bits b) { return s128{product(a, b, type, width)}; });
  three("mad.lo.", [=](Bits a, Bits b, Bits c) { return product(a, b, type, 0) + value(c); });
  three("mad.hi.", [=](Bits a, Bits b, Bits c) { return product(a, b, type, width) + value(c); });
  three("sad.",
        [=](Bits a, Bits b, Bits c) { return value(c) + std::max(value(a), value(b)) - std::min(value(a), value(b)); });
  two("div.", [=](Bits a, Bits b) { return b == 0 ? s128{-1} : value(a) / value(b); });
  two("rem.", [=](Bits a, Bits b) { return b == 0 ? s128{-1} : value(a) % value(b); });
  two("min.", [=](Bits a, Bits b) { return std::min(value(a), value(b)); });
  two("max.", [=](Bits a, Bits b) { return std::max(value(a), value(b)); });
  if (is_signed(type)) {
    checks.push_back({"neg." + type, type, {type}, [=](const auto& x) { return bits_of_value(-value(x[0])); }});
    checks.push_back({"abs." + type, type, {type}, [=](const auto& x) {
                        return bits_of_value(value(x[0]) < 0 ? -value(x[0]) : value(x[0]));
                      }});
  }
  if (width == 64) return;
  const std::string wide = type.substr(0, 1) + std::to_string(2 * width);
  checks.push_back({"mul.wide." + type, wide, {type, type}, [=](const auto& x) {
                      return bits_of_value(value(x[0]) * value(x[1]));
                    }});
  checks.push_back({"mad.wide." + type, wide, {type, type, wide}, [=](const auto& x) {
                      return bits_of_value(value(x[0]) * value(x[1]) + value_of(x[2], wide));
                    }});
}

void add_24_bit_products(Checks& checks, const std::string& type) {
  const auto low = [type](Bits bits) -> s128 {
    const s128 value = bits & 0xffffff;
    return is_signed(type) && value >= 0x800000 ? value - 0x1000000 : value;
  };
  for (const bool high : {false, true}) {
    const auto product = [=](const auto& x) { return high ? low(x[0]) * low(x[1]) >> 16 : low(x[0]) * low(x[1]); };
    const std::string half = high ? "hi." : "lo.";
    checks.push_back(
        {"mul24." + half + type, type, {type, type}, [=](const auto& x) { return bits_of_value(product(x)); }});
    checks.push_back({"mad24." + half + type, type, {type, type, type}, [=](const auto& x) {
                        return bits_of_value(product(x) + value_of(x[2], type));
                      }});
    if (high && is_signed(type))
      checks.push_back({"mad24.hi.sat.s32", type, {type, type, type}, [=](const auto& x) {
                          const s128 result = value_of(bits_of_value(product(x)), type) + value_of(x[2], type);
                          return bits_of_value(clamped(result, type));
                        }});
  }
}

/// The distances of two or four elements, each in its place, or their sum and c.
void add_distances(Checks& checks, unsigned elements, const std::string& type) {
  const std::string element = type.substr(0, 1) + std::to_string(32 / elements);
  const std::string opcode = "vabsdiff" + std::to_string(elements) + ".u32." + type + "." + type;
  for (const bool adds : {false, true})
    checks.push_back({opcode + (adds ? ".add" : ""), "u32", {type, type, "u32"}, [=](const auto& x) {
                        Bits result = adds ? x[2] : 0;
                        for (unsigned at = 0; at < 32; at += 32 / elements) {
                          const s128 a = value_of(x[0] >> at, element), b = value_of(x[1] >> at, element);
                          result += bits_of_value(a > b ? a - b : b - a) << (adds ? 0 : at);
                        }
                        return result;
                      }});
}

/// Sums and choices of two halves each, and choices that .relu keeps from being negative.
void add_halves(Checks& checks, const std::string& type) {
  const std::string pair = type + "x2";
  const auto add = [&](const std::string& opcode, auto of) {
    checks.push_back({opcode, pair, {pair, pair}, [=](const auto& x) {
                        const auto half = [&](int shift) {
                          return bits_of_value(of(value_of(x[0] >> shift, type), value_of(x[1] >> shift, type))) &
                                 0xffff;
                        };
                        return half(16) << 16 | half(0);
                      }});
  };
  const auto least = [](s128 a, s128 b) { return std::min(a, b); };
  const auto greatest = [](s128 a, s128 b) { return std::max(a, b); };
  add("add." + pair, [](s128 a, s128 b) { return a + b; });
  add("min." + pair, least);
  add("max." + pair, greatest);
  if (!is_signed(type)) return;
  for (const auto& [before, after] : {std::pair{".relu.", ""}, {".", ".relu"}}) {
    add("min" + std::string(before) + pair + after, [=](s128 a, s128 b) { return greatest(least(a, b), 0); });
    add("max" + std::string(before) + pair + after, [=](s128 a, s128 b) { return greatest(greatest(a, b), 0); });
    const auto s32 = [](Bits bits) { return value_of(bits, "s32"); };
    checks.push_back({"min" + std::string(before) + "s32" + after, "s32", {"s32", "s32"}, [=](const auto& x) {
                        return bits_of_value(greatest(least(s32(x[0]), s32(x[1])), 0));
                      }});
    checks.push_back({"max" + std::string(before) + "s32" + after, "s32", {"s32", "s32"}, [=](const auto& x) {
                        return bits_of_value(greatest(greatest(s32(x[0]), s32(x[1])), 0));
                      }});
  }
}

}  // namespace

Checks integer_checks() {
  Checks checks;
  for (const char* type : types) add_for(checks, type);
  for (const char* type : {"u32", "s32"}) add_24_bit_products(checks, type);
  for (const char* type : {"u16", "s16"}) add_halves(checks, type);
  for (const unsigned elements : {2u, 4u})
    for (const char* type : {"u32", "s32"}) add_distances(checks, elements, type);
  const auto s32 = [](Bits bits) { return value_of(bits, "s32"); };
  const auto saturated = [](s128 value) { return bits_of_value(clamped(value, "s32")); };
  checks.push_back(
      {"add.sat.s32", "s32", {"s32", "s32"}, [=](const auto& x) { return saturated(s32(x[0]) + s32(x[1])); }});
  checks.push_back(
      {"sub.sat.s32", "s32", {"s32", "s32"}, [=](const auto& x) { return saturated(s32(x[0]) - s32(x[1])); }});
  checks.push_back({"mad.hi.sat.s32", "s32", {"s32", "s32", "s32"}, [=](const auto& x) {
                      return saturated(s32(product(x[0], x[1], "s32", 32)) + s32(x[2]));
                    }});
  for (const char* both : {"u32.u32", "u32.s32", "s32.u32", "s32.s32"}) add_dot_products(checks, both);
  return checks;
}

}  // namespace warpwright::checks
