// PTX ISA, "Floating Point Instructions". What IEEE 754 defines is asked of the host's own arithmetic, with its
// rounding mode set; fma of doubles and results to nearest are compared with a wider type.
#include <algorithm>
#include <cfenv>
#include <cmath>

#include "isa/checks.h"
#include "isa/host_rounding.h"
#include "isa/small_formats.h"

namespace warpwright::checks {
namespace {

constexpr double smallest_normal(double) { return 0x1p-1022; }
constexpr float smallest_normal(float) { return 0x1p-126f; }

template <class T>
T number(Bits bits) {
  if constexpr (sizeof(T) == 4)
    return f32_of(bits);
  else
    return f64_of(bits);
}

template <class T>
void add_for(Checks& checks, const std::string& type) {
  const auto one = [&](const std::string& opcode, auto function) {
    checks.push_back(
        {opcode, type, {type}, [=](const auto& x) { return bits_of(function(number<T>(x[0]))); }, type == "f64"});
  };
  const auto two = [&](const std::string& opcode, auto function) {
    checks.push_back({opcode,
                      type,
                      {type, type},
                      [=](const auto& x) { return bits_of(function(number<T>(x[0]), number<T>(x[1]))); },
                      type == "f64"});
  };
  const auto three = [&](const std::string& opcode, auto function) {
    checks.push_back(
        {opcode,
         type,
         {type, type, type},
         [=](const auto& x) { return bits_of(function(number<T>(x[0]), number<T>(x[1]), number<T>(x[2]))); },
         type == "f64"});
  };
  // Twice the precision and two bits more, and rounding twice is rounding once.
  using Wide = std::conditional_t<sizeof(T) == 4, double, __float128>;
  const auto wide = [](T value) { return static_cast<Wide>(value); };
  for (const char* rounding : {"", "rn."}) {
    two(std::string("add.") + rounding + type, [=](T a, T b) { return static_cast<T>(wide(a) + wide(b)); });
    two(std::string("sub.") + rounding + type, [=](T a, T b) { return static_cast<T>(wide(a) - wide(b)); });
    two(std::string("mul.") + rounding + type, [=](T a, T b) { return static_cast<T>(wide(a) * wide(b)); });
  }
  for (const char* mnemonic : {"fma.rn.", "mad.rn."})
    three(mnemonic + type, [](T a, T b, T c) { return fused<T>(a, b, c, FE_TONEAREST); });
  two("div.rn." + type, [=](T a, T b) { return static_cast<T>(wide(a) / wide(b)); });
  one("rcp.rn." + type, [=](T a) { return static_cast<T>(wide(1) / wide(a)); });
  one("sqrt.rn." + type, [](T a) { return root<T>(a, FE_TONEAREST); });

  // -0 is less than +0; a NaN loses against a number.
  const auto before = [](T a, T b) { return a < b || (a == b && std::signbit(a) && !std::signbit(b)); };
  two("min." + type, [=](T a, T b) { return std::isnan(a) ? b : std::isnan(b) ? a : before(a, b) ? a : b; });
  two("max." + type, [=](T a, T b) { return std::isnan(a) ? b : std::isnan(b) ? a : before(a, b) ? b : a; });
  if (type == "f32") {
    two("min.NaN.f32", [=](T a, T b) { return std::isnan(a) || std::isnan(b) ? T(NAN) : before(a, b) ? a : b; });
    two("max.NaN.f32", [=](T a, T b) { return std::isnan(a) || std::isnan(b) ? T(NAN) : before(a, b) ? b : a; });
  }

  const Bits sign = Bits{1} << (width_of(type) - 1);
  checks.push_back({"neg." + type, type, {type}, [=](const auto& x) { return x[0] ^ sign; }, true});
  checks.push_back({"abs." + type, type, {type}, [=](const auto& x) { return x[0] & (sign - 1); }, true});
  checks.push_back(
      {"copysign." + type, type, {type, type}, [=](const auto& x) { return (x[0] & sign) | (x[1] & (sign - 1)); }});

  const auto test = [&](const char* property, auto holds) {
    checks.push_back({"testp." + std::string(property) + "." + type, "pred", {type}, [=](const auto& x) {
                        return holds(number<T>(x[0]));
                      }});
  };
  const auto magnitude = [](T a) { return a < 0 ? -a : a; };
  const T infinity = std::numeric_limits<T>::infinity();
  test("finite", [=](T a) { return magnitude(a) < infinity; });
  test("infinite", [=](T a) { return magnitude(a) == infinity; });
  test("number", [](T a) { return a == a; });
  test("notanumber", [](T a) { return a != a; });
  // Zeros count.
  test("normal", [=](T a) { return a == 0 || (magnitude(a) < infinity && magnitude(a) >= smallest_normal(T{})); });
  test("subnormal", [=](T a) { return magnitude(a) > 0 && magnitude(a) < smallest_normal(T{}); });
}

void add_directed(Checks& checks, const std::string& name, int mode) {
  const auto two = [&](const std::string& mnemonic, Arithmetic operation) {
    checks.push_back({mnemonic + "." + name + ".f32", "f32", {"f32", "f32"}, [=](const auto& x) {
                        return bits_of(rounded(operation, f32_of(x[0]), f32_of(x[1]), mode));
                      }});
    checks.push_back({mnemonic + "." + name + ".f64",
                      "f64",
                      {"f64", "f64"},
                      [=](const auto& x) { return bits_of(rounded(operation, f64_of(x[0]), f64_of(x[1]), mode)); },
                      true});
  };
  two("add", Arithmetic::add);
  two("sub", Arithmetic::sub);
  two("mul", Arithmetic::mul);
  two("div", Arithmetic::div);
  for (const char* mnemonic : {"fma.", "mad."}) {
    checks.push_back({mnemonic + name + ".f32", "f32", {"f32", "f32", "f32"}, [=](const auto& x) {
                        return bits_of(fused<float>(f32_of(x[0]), f32_of(x[1]), f32_of(x[2]), mode));
                      }});
    checks.push_back(
        {mnemonic + name + ".f64",
         "f64",
         {"f64", "f64", "f64"},
         [=](const auto& x) { return bits_of(fused<double>(f64_of(x[0]), f64_of(x[1]), f64_of(x[2]), mode)); },
         true});
  }
  checks.push_back({"rcp." + name + ".f32", "f32", {"f32"}, [=](const auto& x) {
                      return bits_of(rounded(Arithmetic::div, 1.0f, f32_of(x[0]), mode));
                    }});
  checks.push_back({"rcp." + name + ".f64",
                    "f64",
                    {"f64"},
                    [=](const auto& x) { return bits_of(rounded(Arithmetic::div, 1.0, f64_of(x[0]), mode)); },
                    true});
  checks.push_back({"sqrt." + name + ".f32", "f32", {"f32"}, [=](const auto& x) {
                      return bits_of(root<float>(f32_of(x[0]), mode));
                    }});
  checks.push_back({"sqrt." + name + ".f64",
                    "f64",
                    {"f64"},
                    [=](const auto& x) { return bits_of(root<double>(f64_of(x[0]), mode)); },
                    true});
}

/// The exact result of what can round a smaller number to the smallest normal one; none of other instructions.
std::function<Value(const std::vector<Bits>&)> exact_of(const std::string& mnemonic) {
  const auto number = [](Bits bits) { return number_of(bits, "f32"); };
  if (mnemonic == "mul") return [=](const auto& x) { return Value{number(x[0]) * number(x[1])}; };
  if (mnemonic == "div") return [=](const auto& x) { return Value{number(x[0]) / number(x[1])}; };
  if (mnemonic == "rcp") return [=](const auto& x) { return Value{1 / number(x[0])}; };
  if (mnemonic == "fma" || mnemonic == "mad")
    return [=](const auto& x) { return exact_sum(number(x[0]) * number(x[1]), number(x[2])); };
  return {};
}

int mode_of(const std::string& opcode) {
  const auto has = [&](const char* rounding) { return opcode.find(rounding) != opcode.npos; };
  return has(".rz.") ? FE_TOWARDZERO : has(".rm.") ? FE_DOWNWARD : has(".rp.") ? FE_UPWARD : FE_TONEAREST;
}

/// .ftz and .sat of single precision: the same instruction, between flushed operands and a flushed or clamped result.
void add_modified(Checks& checks) {
  const Checks plain = checks;
  for (Check check : plain) {
    if (!check.opcode.ends_with(".f32") || check.result != "f32") continue;
    const std::string stem = check.opcode.substr(0, check.opcode.size() - 4);
    const std::string mnemonic = stem.substr(0, stem.find('.'));
    if (const auto exact = exact_of(mnemonic))
      check.is_small = [exact, mode = mode_of(check.opcode)](const auto& x) { return is_small("f32", exact(x), mode); };
    const auto add = [&](std::string_view before, const char* modifiers, std::string_view after = ".f32") {
      checks.push_back(modified(check, std::string(before).append(modifiers).append(after), modifiers));
    };
    const bool is_sum =
        mnemonic == "add" || mnemonic == "sub" || mnemonic == "mul" || mnemonic == "fma" || mnemonic == "mad";
    if (mnemonic == "min" || mnemonic == "max")
      add(mnemonic, ".ftz", check.opcode.substr(3));
    else if (mnemonic != "copysign")
      add(stem, ".ftz");
    if (!is_sum) continue;
    add(stem, ".sat");
    add(stem, ".ftz.sat");
  }
}

/// .xorsign.abs, as the manual's pseudocode has it.
void add_xorsign(Checks& checks, const std::string& mnemonic, bool greatest) {
  for (const bool nan_wins : {false, true})
    checks.push_back(
        {mnemonic + (nan_wins ? ".NaN" : "") + ".xorsign.abs.f32", "f32", {"f32", "f32"}, [=](const auto& x) -> Bits {
           const Bits sign = (x[0] ^ x[1]) & 0x80000000, a = x[0] & 0x7fffffff, b = x[1] & 0x7fffffff;
           const bool a_nan = is_nan(a, "f32"), b_nan = is_nan(b, "f32");
           if ((a_nan && b_nan) || (nan_wins && (a_nan || b_nan))) return canonical_nan;
           return (a_nan ? b : b_nan ? a : greatest ? std::max(a, b) : std::min(a, b)) | sign;
         }});
}

}  // namespace

Checks floating_checks() {
  Checks checks;
  add_for<float>(checks, "f32");
  add_for<double>(checks, "f64");
  add_directed(checks, "rz", FE_TOWARDZERO);
  add_directed(checks, "rm", FE_DOWNWARD);
  add_directed(checks, "rp", FE_UPWARD);
  add_xorsign(checks, "min", false);
  add_xorsign(checks, "max", true);
  add_modified(checks);
  return checks;
}

}  // namespace warpwright::checks
