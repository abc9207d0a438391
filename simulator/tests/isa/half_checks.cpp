// PTX ISA, "Half Precision Floating Point Instructions": the exact sum or product in 113 bits and what they lack, then
// the nearest of the format's own numbers.
#include <algorithm>
#include <cfenv>
#include <cmath>

#include "isa/checks.h"
#include "isa/small_formats.h"

namespace warpwright::checks {
namespace {

class Family {
 public:
  Family(Checks& checks, std::string type) : checks_(checks), type_(std::move(type)), flushes_(type_ == "f16") {}

  /// "min", ".NaN": a check each for the number and the pair, with and without .ftz where the type has it.
  void add(const std::string& mnemonic, const Check& check, const std::string& after = "",
           const std::string& modifiers = "") {
    for (const bool flush : {false, true}) {
      if (flush && !flushes_) continue;
      const std::string opcode = mnemonic + (flush ? ".ftz" : "") + after + "." + type_;
      const Check single = modified(check, opcode, (flush ? ".ftz" : "") + modifiers);
      checks_.push_back(single);
      checks_.push_back(packed(single, opcode + "x2"));
    }
  }

  Check of(std::size_t operands, std::function<Bits(const std::vector<Bits>&)> expected) const {
    return {"", type_, std::vector<std::string>(operands, type_), std::move(expected)};
  }

  f128 number(Bits bits) const { return number_of(bits, type_); }

  void add_arithmetic() {
    const auto rounded = [type = type_](const Value& value, bool negative) {
      return rounded_to(type, value, FE_TONEAREST, negative);
    };
    const Check sum = of(2, [this_ = *this, rounded](const auto& x) {
      const f128 a = this_.number(x[0]), b = this_.number(x[1]);
      return rounded(exact_sum(a, b), std::signbit(static_cast<double>(a)) && std::signbit(static_cast<double>(b)));
    });
    const Check difference = of(2, [sum](const auto& x) { return sum.expected({x[0], x[1] ^ 0x8000}); });
    Check product = of(2, [this_ = *this, rounded](const auto& x) {
      return rounded({this_.number(x[0]) * this_.number(x[1])}, ((x[0] ^ x[1]) & 0x8000) != 0);
    });
    product.is_small = [this_ = *this](const auto& x) {
      return is_small("f16", {this_.number(x[0]) * this_.number(x[1])}, FE_TONEAREST);
    };
    for (const auto& [mnemonic, check] : {std::pair{"add", sum}, {"sub", difference}, {"mul", product}})
      for (const char* rounding : {"", ".rn"}) {
        add(std::string(mnemonic) + rounding, check);
        if (flushes_) add(std::string(mnemonic) + rounding, check, ".sat", ".sat");
      }
  }

  Check fma() const {
    Check check = of(3, [this_ = *this](const auto& x) {
      const f128 product = this_.number(x[0]) * this_.number(x[1]), addend = this_.number(x[2]);
      const bool negative = ((x[0] ^ x[1]) & 0x8000) != 0;
      const bool opposite = negative != ((x[2] & 0x8000) != 0);
      return rounded_to(this_.type_, exact_sum(product, addend), FE_TONEAREST, !opposite && negative);
    });
    check.is_small = [this_ = *this](const auto& x) {
      const f128 product = this_.number(x[0]) * this_.number(x[1]);
      return is_small("f16", exact_sum(product, this_.number(x[2])), FE_TONEAREST);
    };
    return check;
  }

  void add_fma() {
    add("fma.rn", fma());
    add("fma.rn", fma(), ".relu", ".relu");
    if (flushes_) add("fma.rn", fma(), ".sat", ".sat");
  }

  /// The manual's pseudocode, in its order.
  void add_choice(const std::string& mnemonic, bool greatest) {
    for (const bool nan_wins : {false, true})
      for (const bool xorsign : {false, true}) {
        const auto choose = [this_ = *this, greatest, nan_wins, xorsign](Bits a, Bits b) -> Bits {
          const Bits sign = (a ^ b) & 0x8000;
          if (xorsign) a &= 0x7fff, b &= 0x7fff;
          const bool a_nan = is_nan(a, this_.type_), b_nan = is_nan(b, this_.type_);
          if ((a_nan && b_nan) || (nan_wins && (a_nan || b_nan))) return 0x7fff;
          const f128 x = this_.number(a), y = this_.number(b);
          const bool a_first = x < y || (x == y && (a & 0x8000) != 0);
          const Bits chosen = a_nan ? b : b_nan ? a : a_first != greatest ? a : b;
          return xorsign ? (chosen & 0x7fff) | sign : chosen;
        };
        add(mnemonic, of(2, [choose](const auto& x) { return choose(x[0], x[1]); }),
            std::string(nan_wins ? ".NaN" : "") + (xorsign ? ".xorsign.abs" : ""));
      }
  }

  void add_signs() {
    Check negated = of(1, [](const auto& x) { return x[0] ^ 0x8000; });
    Check magnitude = of(1, [](const auto& x) { return x[0] & 0x7fff; });
    negated.any_nan = magnitude.any_nan = true;
    add("neg", negated);
    add("abs", magnitude);
  }

  /// Within the manual's error, which is relative or absolute, or half a unit where a unit is larger.
  Check approximate(double (*function)(double), double relative, double absolute) const {
    Check check = of(1, [this_ = *this, function](const auto& x) {
      const double value = function(static_cast<double>(this_.number(x[0])));
      return rounded_to(this_.type_, {value}, FE_TONEAREST, std::signbit(value));
    });
    check.accepts = [this_ = *this, function, relative, absolute](const auto& x, Bits result) {
      const double value = function(static_cast<double>(this_.number(x[0])));
      const auto got = static_cast<double>(this_.number(result));
      if (!std::isfinite(value) || !std::isfinite(got)) return false;
      const double smallest = static_cast<double>(this_.number(1));
      return std::fabs(got - value) <= std::max(relative * std::fabs(value) + absolute, smallest);
    };
    return check;
  }

  void add_approximations() {
    const bool is_f16 = flushes_;
    const Check tanh = approximate(&std::tanh, 0, is_f16 ? 0x1p-10 * 0.505 : 0x1p-8);
    const Check ex2 = approximate(&std::exp2, is_f16 ? 0x1p-9 * 0.536 : 0x1p-7, 0);
    checks_.push_back(modified(tanh, "tanh.approx." + type_, ""));
    checks_.push_back(packed(tanh, "tanh.approx." + type_ + "x2"));
    const std::string opcode = is_f16 ? "ex2.approx.f16" : "ex2.approx.ftz.bf16";
    Check single = modified(ex2, opcode, "");
    if (!is_f16) {
      single.expected = [ex2](const auto& x) { return flushed(ex2.expected({flushed(x[0], "bf16")}), "bf16"); };
      single.accepts = [ex2](const auto& x, Bits result) { return ex2.accepts({flushed(x[0], "bf16")}, result); };
    }
    checks_.push_back(single);
    checks_.push_back(packed(single, opcode + "x2"));
  }

 private:
  Checks& checks_;
  std::string type_;
  bool flushes_;
};

}  // namespace

Checks half_checks() {
  Checks checks;
  for (const char* type : {"f16", "bf16"}) {
    Family family(checks, type);
    family.add_arithmetic();
    family.add_fma();
    family.add_choice("min", false);
    family.add_choice("max", true);
    family.add_signs();
    family.add_approximations();
  }
  return checks;
}

}  // namespace warpwright::checks
