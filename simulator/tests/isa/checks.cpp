#include "isa/checks.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <random>

#include "machine/kernel.h"

namespace warpwright::checks {
namespace {

constexpr std::size_t most_combinations = 2048;
constexpr std::size_t random_tuples = 256;
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
  const auto& [opcode, result, sources, expected, any_nan, accepts, body] = check;
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

std::vector<std::vector<Bits>> operands_of(const Check& check) {
  const std::vector<std::string>& sources = check.sources;
  std::vector<std::vector<Bits>> lists;
  std::size_t combinations = 1;
  for (const std::string& source : sources) {
    lists.push_back(is_immediate(source) ? std::vector<Bits>{0} : edges(source));
    combinations *= lists.back().size();
  }
  std::mt19937_64 random(1);
  const auto garbage_above = [&](Bits bits, const std::string& source) {
    if (is_immediate(source) || source == "pred" || width_of(source) == 64) return bits;
    return masked(bits, source) | (random() << width_of(source));
  };
  std::vector<std::vector<Bits>> tuples;
  for (std::size_t i = 0; i < std::min(combinations, most_combinations); ++i) {
    std::size_t index = combinations <= most_combinations ? i : random() % combinations;
    std::vector<Bits> tuple;
    for (std::size_t s = 0; s < lists.size(); ++s) {
      tuple.push_back(garbage_above(lists[s][index % lists[s].size()], sources[s]));
      index /= lists[s].size();
    }
    tuples.push_back(std::move(tuple));
  }
  for (std::size_t i = 0; i < random_tuples; ++i) {
    std::vector<Bits> tuple;
    for (const std::string& source : sources) tuple.push_back(source == "pred" ? random() % 2 : random());
    tuples.push_back(std::move(tuple));
  }
  return tuples;
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

std::vector<Bits> edges(std::string_view type) {
  if (type == "pred") return {0, 1};
  if (type == "small") return {0, 1, 7, 16, 30, 31};
  if (type == "f32")
    return {0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x3f000000, 0x3effffff, 0x3f000001, 0x3fc00000,
            0x40200000, 0xc0200000, 0x00000001, 0x80000001, 0x007fffff, 0x00800000, 0x80800000, 0x7f7fffff,
            0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc12345, 0x7f800001, 0x4effffff, 0x4f000000,
            0xcf000000, 0xcf000001, 0x4f7fffff, 0x4f800000, 0x5f000000, 0xdf000000, 0x5f800000, 0x43000000,
            0x437f8000, 0xc3008000, 0x46fffe80, 0x47000000, 0x4b7fffff, 0x3f7fffff, 0x3f800001, 0x40490fdb};
  if (type == "f64")
    return {0x0000000000000000, 0x8000000000000000, 0x3ff0000000000000, 0xbff0000000000000, 0x3fe0000000000000,
            0x3fdfffffffffffff, 0x3ff8000000000000, 0x4004000000000000, 0xc004000000000000, 0x0000000000000001,
            0x8000000000000001, 0x000fffffffffffff, 0x0010000000000000, 0x7fefffffffffffff, 0xffefffffffffffff,
            0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000, 0xfff8123400000000, 0x7ff0000000000001,
            0x41dfffffffc00000, 0x41dfffffffe00000, 0x41e0000000000000, 0xc1e0000000000000, 0xc1e0000000200000,
            0x41efffffffe00000, 0x41f0000000000000, 0x43dfffffffffffff, 0x43e0000000000000, 0xc3e0000000000000,
            0x43efffffffffffff, 0x43f0000000000000, 0x47efffffe0000000, 0x47efffffefffffff, 0x47effffff0000000,
            0x47f0000000000000, 0x36a0000000000000, 0x3690000000000000, 0x3690000000000001, 0x380fffffe0000000,
            0x3ff0000010000000, 0x3ff0000010000001, 0x3ff0000030000000, 0x400921fb54442d18};
  if (type == "f16")
    return {0x0000, 0x8000, 0x3c00, 0xbc00, 0x3800, 0x37ff, 0x3801, 0x3e00, 0x4100, 0xc100, 0x0001, 0x8001,
            0x0002, 0x03ff, 0x83ff, 0x0400, 0x8400, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00, 0xfe12, 0x7c01,
            0x7fff, 0x57f8, 0x5bff, 0xd800, 0x5c00, 0x77ff, 0x7800, 0xf800, 0x3bff, 0x3c01, 0x4248, 0x2400};
  if (type == "bf16")
    return {0x0000, 0x8000, 0x3f80, 0xbf80, 0x3f00, 0x3eff, 0x3f01, 0x3fc0, 0x4020, 0xc020, 0x0001, 0x8001,
            0x0002, 0x007f, 0x807f, 0x0080, 0x8080, 0x7f7f, 0xff7f, 0x7f80, 0xff80, 0x7fc0, 0xffc1, 0x7f81,
            0x7fff, 0x42ff, 0x437f, 0xc300, 0x4380, 0x4eff, 0x4f00, 0xcf00, 0x3f7f, 0x3f81, 0x4049, 0x3400};
  if (type.ends_with("x2") && is_float(type)) {
    const std::vector<Bits> halves = edges(type.substr(0, type.size() - 2));
    std::vector<Bits> pairs;
    for (std::size_t i = 0; i < halves.size(); ++i)
      pairs.push_back(halves[i] | halves[(7 * i + 5) % halves.size()] << 16);
    return pairs;
  }
  const unsigned width = width_of(type);
  const Bits ones = masked(~Bits{0}, type);
  const Bits top = Bits{1} << (width - 1);
  std::vector<Bits> list = {0,          1,    2,        3,   7,       8,       width - 1, width,
                            width + 1,  ones, ones - 1, top, top - 1, top + 1, ones / 3,  ones / 3 * 2,
                            ones / 255, 31,   32,       33,  0xff};
  if (width == 64) list.insert(list.end(), {0xffffffff, 0x100000000, 0x7fffffff, 0xffffffff80000000, 0x20000000000001});
  if (width == 32) list.insert(list.end(), {0xffff, 0x10000, 0x01000001, 0x01000003, 0x8001, 0x100});
  for (Bits& bits : list) bits = masked(bits, type);
  std::ranges::sort(list);
  list.erase(std::ranges::unique(list).begin(), list.end());
  return list;
}

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
