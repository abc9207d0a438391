// PTX ISA, "Comparison and Selection Instructions": the manual defines each comparison by which of less, equal, greater
// and unordered make it true.
#include <array>
#include <cmath>

#include "isa/checks.h"
#include "isa/small_formats.h"

namespace warpwright::checks {
namespace {

enum Relation : unsigned { less = 1, equal = 2, greater = 4, unordered = 8 };

unsigned relation(Bits a, Bits b, const std::string& type) {
  if (!is_float(type)) {
    const s128 difference = value_of(a, type) - value_of(b, type);
    return difference < 0 ? less : difference > 0 ? greater : equal;
  }
  const auto left = static_cast<double>(number_of(a, type));
  const auto right = static_cast<double>(number_of(b, type));
  if (std::isnan(left) || std::isnan(right)) return unordered;
  return left < right ? less : left > right ? greater : equal;
}

struct Comparison {
  const char* name;
  unsigned holds_for;
};

constexpr std::array<Comparison, 6> ordered = {{{"eq", equal},
                                                {"ne", less | greater},
                                                {"lt", less},
                                                {"le", less | equal},
                                                {"gt", greater},
                                                {"ge", greater | equal}}};
constexpr std::array<Comparison, 4> unsigned_only = {
    {{"lo", less}, {"ls", less | equal}, {"hi", greater}, {"hs", greater | equal}}};
constexpr std::array<Comparison, 8> float_only = {{{"equ", equal | unordered},
                                                   {"neu", less | greater | unordered},
                                                   {"ltu", less | unordered},
                                                   {"leu", less | equal | unordered},
                                                   {"gtu", greater | unordered},
                                                   {"geu", greater | equal | unordered},
                                                   {"num", less | equal | greater},
                                                   {"nan", unordered}}};

void add(Checks& checks, const Comparison& comparison, const std::string& type) {
  const std::string name = std::string("setp.") + comparison.name;
  checks.push_back({name + "." + type, "pred", {type, type}, [=](const auto& x) {
                      return (relation(x[0], x[1], type) & comparison.holds_for) != 0;
                    }});
  if (type == "f32" || type == "f16")
    checks.push_back({name + ".ftz." + type, "pred", {type, type}, [=](const auto& x) {
                        return (relation(flushed(x[0], type), flushed(x[1], type), type) & comparison.holds_for) != 0;
                      }});
}

}  // namespace

Checks comparison_checks() {
  Checks checks;
  for (const char* type : {"u16", "s16", "u32", "s32", "u64", "s64", "f32", "f64", "f16", "bf16"})
    for (const Comparison& comparison : ordered) add(checks, comparison, type);
  for (const char* type : {"u16", "u32", "u64"})
    for (const Comparison& comparison : unsigned_only) add(checks, comparison, type);
  for (const char* type : {"f32", "f64", "f16", "bf16"})
    for (const Comparison& comparison : float_only) add(checks, comparison, type);
  for (const char* type : {"b16", "b32", "b64"})
    for (const Comparison& comparison : {ordered[0], ordered[1]}) add(checks, comparison, type);
  for (const char* type : {"b16", "u16", "s16", "b32", "u32", "s32", "b64", "u64", "s64", "f32", "f64"}) {
    const std::string opcode = std::string("slct.") + type;
    checks.push_back({opcode + ".s32", type, {type, type, "s32"}, [](const auto& x) {
                        return value_of(x[2], "s32") >= 0 ? x[0] : x[1];
                      }});
    checks.push_back({opcode + ".f32", type, {type, type, "f32"}, [](const auto& x) {
                        return (relation(x[2], 0, "f32") & (equal | greater)) != 0 ? x[0] : x[1];
                      }});
    checks.push_back({std::string("slct.ftz.") + type + ".f32", type, {type, type, "f32"}, [](const auto& x) {
                        return (relation(flushed(x[2], "f32"), 0, "f32") & (equal | greater)) != 0 ? x[0] : x[1];
                      }});
  }
  return checks;
}

}  // namespace warpwright::checks
