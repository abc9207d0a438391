// The operands that checks are tried with.
#include <algorithm>
#include <cfenv>
#include <cmath>
#include <random>

#include "isa/checks.h"
#include "isa/small_formats.h"

namespace warpwright::checks {
namespace {

constexpr std::size_t most_combinations = 2048;
constexpr std::size_t random_tuples = 256;
constexpr std::size_t tuples_about_the_smallest = 128;

Bits encoded(double value, const std::string& type) {
  if (type == "f64") return bits_of(value);
  return type == "f32" ? bits_of(static_cast<float>(value)) : rounded_to(type, {value}, FE_TONEAREST);
}

/// Makes operands of one type whose result lies near 2^exponent, the smallest normal number: just above or just below,
/// as far as rounding can tell.
class AboutTheSmallest {
 public:
  AboutTheSmallest(const std::string& type, std::size_t count)
      : type_(type), count_(count), exponent_(type == "f16" ? -14 : -126) {}

  std::vector<Bits> next() {
    ++made_;
    if (count_ == 1) return {conversion()};
    std::vector<Bits> operands = count_ == 2 && made_ % 2 == 0 ? dividend() : factors(exponent_);
    if (count_ == 2) return operands;
    const Bits zeros[] = {encoded(0.0, type_), signed_at_random(encoded(0.0, type_)), signed_at_random(1)};
    if (made_ % 2 == 0) {
      operands.push_back(zeros[random_() % std::size(zeros)]);
      return operands;
    }
    operands = factors(exponent_ - static_cast<int>(random_() % 12 + (type_ == "f16" ? 6 : 4)));
    operands.push_back(signed_at_random(moved(encoded(std::ldexp(1.0, exponent_), type_))));
    return operands;
  }

 private:
  std::size_t below(std::size_t end) { return static_cast<std::size_t>(random_() % end); }
  double about_one() {
    const double distance = std::ldexp(1.0, -static_cast<int>(5 + below(27)));
    return 1 + (below(2) == 0 ? distance : -distance);
  }
  /// By up to two units in the last place.
  Bits moved(Bits bits) { return bits + below(5) - 2; }
  Bits signed_at_random(Bits bits) { return bits | Bits{below(2)} << (width_of(type_) - 1); }

  /// Of this format and of the narrower ones; and the smallest number's reciprocal.
  Bits conversion() {
    const int exponents[] = {-126, -14, -exponent_};
    const int exponent = type_ == "f16" ? -14 : exponents[made_ % std::size(exponents)];
    return signed_at_random(encoded(std::ldexp(about_one(), exponent), type_));
  }

  /// Two numbers with a product near 2^exponent.
  std::vector<Bits> factors(int exponent) {
    const Bits first = encoded(std::ldexp(1 + below(1 << 20) * 0x1p-20, exponent / 2), type_);
    const double other = std::ldexp(1.0, exponent) / static_cast<double>(number_of(first, type_));
    return {signed_at_random(first), signed_at_random(moved(encoded(other, type_)))};
  }
  /// And with a quotient near it.
  std::vector<Bits> dividend() {
    const Bits divisor = encoded(std::ldexp(1 + below(1 << 20) * 0x1p-20, 1), type_);
    const double dividend = std::ldexp(static_cast<double>(number_of(divisor, type_)), exponent_);
    return {signed_at_random(moved(encoded(dividend, type_))), signed_at_random(divisor)};
  }

  std::string type_;
  std::size_t count_;
  int exponent_;
  std::size_t made_ = 0;
  std::mt19937_64 random_{14};
};

}  // namespace

std::vector<std::vector<Bits>> about_the_smallest(const std::vector<std::string>& sources) {
  const std::string& type = sources.front();
  const bool is_pair = type.ends_with("x2");
  const std::string single = is_pair ? type.substr(0, type.size() - 2) : type;
  const bool is_known =
      single == "f16" || single == "bf16" || single == "f32" || (single == "f64" && sources.size() == 1);
  if (!is_known || sources.size() > 3 || std::ranges::count(sources, type) != std::ssize(sources)) return {};
  AboutTheSmallest maker(single, sources.size());
  std::vector<std::vector<Bits>> tuples;
  while (tuples.size() < tuples_about_the_smallest) {
    std::vector<Bits> tuple = maker.next();
    if (is_pair) {
      const std::vector<Bits> high = maker.next();
      for (std::size_t i = 0; i < tuple.size(); ++i) tuple[i] |= high[i] << 16;
    }
    tuples.push_back(std::move(tuple));
  }
  return tuples;
}

std::vector<std::vector<Bits>> operands_of(const Check& check) {
  const std::vector<std::string>& sources = check.sources;
  std::vector<std::vector<Bits>> lists;
  std::size_t combinations = 1;
  for (const std::string& source : sources) {
    lists.push_back(source.starts_with("imm:") ? std::vector<Bits>{0} : edges(source));
    combinations *= lists.back().size();
  }
  std::mt19937_64 random(1);
  const auto garbage_above = [&](Bits bits, const std::string& source) {
    if (source.starts_with("imm:") || source == "pred" || width_of(source) == 64) return bits;
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
  for (const std::vector<Bits>& tuple : about_the_smallest(sources)) tuples.push_back(tuple);
  for (std::size_t i = 0; i < random_tuples; ++i) {
    std::vector<Bits> tuple;
    for (const std::string& source : sources) tuple.push_back(source == "pred" ? random() % 2 : random());
    tuples.push_back(std::move(tuple));
  }
  return tuples;
}

std::vector<Bits> edges(std::string_view type) {
  if (type == "pred") return {0, 1};
  if (type == "small") return {0, 1, 7, 16, 30, 31};
  if (type == "f32")
    return {0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x3f000000, 0x3effffff, 0x3f000001, 0x3fc00000, 0x40200000,
            0xc0200000, 0x00000001, 0x80000001, 0x007fffff, 0x00800000, 0x80800000, 0x7f7fffff, 0xff7fffff, 0x7f800000,
            0xff800000, 0x7fc00000, 0xffc12345, 0x7f800001, 0x4effffff, 0x4f000000, 0xcf000000, 0xcf000001, 0x4f7fffff,
            0x4f800000, 0x5f000000, 0xdf000000, 0x5f800000, 0x43000000, 0x437f8000, 0xc3008000, 0x46fffe80, 0x47000000,
            0x4b7fffff, 0x3f7fffff, 0x3f800001, 0x40490fdb, 0x7fffffff, 0xfffff000};
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

}  // namespace warpwright::checks
