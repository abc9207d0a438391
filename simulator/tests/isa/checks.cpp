#include "isa/checks.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "machine/kernel.h"

namespace warpwright::checks {
namespace {

constexpr std::uint32_t threads_per_block = 64;  // shared arrays hold four bytes of each

bool is_immediate(std::string_view source) { return source.starts_with("imm:"); }

std::string register_of(std::string_view type, std::size_t number) {
  const char* stem = type == "pred"         ? "%p"
                     : type == "f32"        ? "%f"
                     : type == "f64"        ? "%fd"
                     : width_of(type) == 16 ? "%rs"
                     : width_of(type) == 64 ? "%rd"
                                            : "%r";
  return fmt::format("{}{}", stem, number);
}

/// Loads operand `number`, eight bytes each, into its register. Bytes and halves keep what lies above them.
std::string load(std::string_view type, std::size_t number) {
  const std::string reg = register_of(type, number);
  const std::size_t offset = 8 * (number - 1);
  if (type == "pred") return fmt::format("ld.global.u32 %r30, [%rd30+{}]; setp.ne.u32 {}, %r30, 0;\n", offset, reg);
  if (type == "small") return fmt::format("ld.global.u32 {0}, [%rd30+{1}]; and.b32 {0}, {0}, 31;\n", reg, offset);
  const unsigned bits = std::max(width_of(type), width_of(type) == 16 ? 16u : 32u);
  return fmt::format("ld.global.b{} {}, [%rd30+{}];\n", bits, reg, offset);
}

}  // namespace

std::string body_of(const Check& check) {
  const auto& [opcode, result, sources, expected, any_nan, accepts, body, is_small] = check;
  std::string text = fmt::format(
      "mul.lo.u32 %r31, %scratch, {}; cvt.u64.u32 %rd31, %r31; add.u64 %rd30, %ins, %rd31;\n", 8 * sources.size());
  std::string operands = register_of(result, 0);
  for (std::size_t i = 0; i < sources.size(); ++i) {
    if (is_immediate(sources[i])) {
      operands += ", " + sources[i].substr(4);
      continue;
    }
    text += load(sources[i], i + 1);
    operands += ", " + register_of(sources[i], i + 1);
  }
  text += "mul.wide.u32 %rd31, %scratch, 8; add.u64 %rd31, %outs, %rd31; st.global.v2.u32 [%rd31], {0, 0};\n";
  if (body.empty())
    text += fmt::format("{} {};\n", opcode, operands);
  else
    text += fmt::format(fmt::runtime(body), register_of(result, 0), register_of(sources[0], 1),
                        register_of(sources.size() > 1 ? sources[1] : "u32", 2),
                        register_of(sources.size() > 2 ? sources[2] : "u32", 3),
                        register_of(sources.size() > 3 ? sources[3] : "u32", 4));
  if (result == "pred") return text + "selp.b32 %r29, 1, 0, %p0; st.global.u32 [%rd31], %r29;\n";
  const unsigned bits = std::max(width_of(result), width_of(result) == 16 ? 16u : 32u);
  return text + fmt::format("st.global.b{} [%rd31], {};\n", bits, register_of(result, 0));
}

std::vector<Bits> results_of(const Check& check, const std::vector<std::vector<Bits>>& tuples) {
  kernels::Shape shape;
  shape.block = {threads_per_block, 1, 1};
  shape.grid = {static_cast<std::uint32_t>((tuples.size() + threads_per_block - 1) / threads_per_block), 1, 1};
  const std::size_t threads = std::size_t{shape.grid.x} * threads_per_block;
  shape.words = static_cast<std::uint32_t>(2 * threads);
  shape.in.clear();
  for (std::size_t thread = 0; thread < threads; ++thread)
    for (const Bits bits : tuples[std::min(thread, tuples.size() - 1)]) {
      shape.in.push_back(static_cast<std::uint32_t>(bits));
      shape.in.push_back(static_cast<std::uint32_t>(bits >> 32));
    }
  const kernels::Outcome outcome = kernels::run(body_of(check), shape);
  EXPECT_EQ(outcome.status, machine::LaunchStatus::finished) << check.opcode;
  std::vector<Bits> results;
  for (std::size_t i = 0; i < tuples.size(); ++i)
    results.push_back(outcome.out[2 * i] | Bits{outcome.out[2 * i + 1]} << 32);
  return results;
}

bool is_nan(Bits bits, std::string_view type) {
  if (type == "f16") return (bits & 0x7fff) > 0x7c00;
  if (type == "bf16") return (bits & 0x7fff) > 0x7f80;
  return type == "f32" ? std::isnan(f32_of(bits)) : type == "f64" && std::isnan(f64_of(bits));
}

std::string written(const Check& check, const std::vector<Bits>& operands) {
  std::string text = check.opcode;
  for (const Bits operand : operands) text += fmt::format(" {:#x}", operand);
  return text;
}

std::vector<Bits> as_seen(const Check& check, std::vector<Bits> operands) {
  for (std::size_t i = 0; i < operands.size(); ++i)
    operands[i] = is_immediate(check.sources[i]) ? std::stoull(check.sources[i].substr(4), nullptr, 0)
                                                 : masked(operands[i], check.sources[i]);
  return operands;
}

bool is_right(const Check& check, const std::vector<Bits>& operands, Bits result) {
  // A result of 8 bits lies in a register of 32, extended as its type says.
  const Bits expected = masked(check.expected(operands), width_of(check.result) == 8 ? "u32" : check.result);
  if (result == expected || (check.accepts && check.accepts(operands, result))) return true;
  if (!check.any_nan) return false;
  if (!check.result.ends_with("x2")) return is_nan(expected, check.result) && is_nan(result, check.result);
  const std::string half = check.result.substr(0, check.result.size() - 2);
  const auto same = [&](Bits a, Bits b) { return a == b || (is_nan(a, half) && is_nan(b, half)); };
  return same(expected & 0xffff, result & 0xffff) && same(expected >> 16, result >> 16);
}

unsigned width_of(std::string_view type) {
  if (type == "pred") return 1;
  if (type == "small") return 5;
  if (type == "e4m3x2" || type == "e5m2x2") return 16;
  if (type.ends_with("x2")) return 32;
  if (type.ends_with("64")) return 64;
  if (type.ends_with("32")) return 32;
  return type.ends_with("16") ? 16 : 8;
}

bool is_signed(std::string_view type) { return type.front() == 's'; }
bool is_float(std::string_view type) { return type.front() == 'f' || type.starts_with("bf"); }

Bits masked(Bits bits, std::string_view type) {
  const unsigned width = width_of(type);
  return width == 64 ? bits : bits & ((Bits{1} << width) - 1);
}

s128 value_of(Bits bits, std::string_view type) {
  bits = masked(bits, type);
  const unsigned width = width_of(type);
  const bool negative = is_signed(type) && (bits >> (width - 1)) != 0;
  return negative ? s128{bits} - (s128{1} << width) : s128{bits};
}

float f32_of(Bits bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits)); }
double f64_of(Bits bits) { return std::bit_cast<double>(bits); }
Bits bits_of(float value) { return std::isnan(value) ? canonical_nan : std::bit_cast<std::uint32_t>(value); }
Bits bits_of(double value) { return std::bit_cast<Bits>(value); }

void run_check(const Check& check) {
  const std::vector<std::vector<Bits>> tuples = operands_of(check);
  const std::vector<Bits> results = results_of(check, tuples);
  int shown = 0;
  for (std::size_t i = 0; i < tuples.size() && shown < 3; ++i) {
    const std::vector<Bits> operands = as_seen(check, tuples[i]);
    if (is_right(check, operands, results[i])) continue;
    ++shown;
    ADD_FAILURE() << fmt::format("{} = {:#x}, expected {:#x}", written(check, operands), results[i],
                                 check.expected(operands));
  }
}

Bits evaluate(const std::string& opcode, const std::string& result, const std::vector<std::string>& sources,
              const std::vector<Bits>& operands) {
  std::vector<Bits> tuple = operands;
  tuple.resize(sources.size());  // literals come last
  return results_of({opcode, result, sources, {}}, {tuple}).front();
}

}  // namespace warpwright::checks
