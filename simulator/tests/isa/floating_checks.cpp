// PTX ISA, "Floating Point Instructions". What IEEE 754 defines is asked of the host's own arithmetic, with its
// rounding mode set; fma of doubles and results to nearest are compared with a wider type.
#include <cfenv>
#include <cmath>

#include "isa/checks.h"
#include "isa/host_rounding.h"

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
  checks.push_back({"neg." + type, type, {type}, [=](const auto& x) { return x[0] ^ sign; }});
  checks.push_back({"abs." + type, type, {type}, [=](const auto& x) { return x[0] & (sign - 1); }});
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
  test("normal", [=](T a) { return magnitude(a) < infinity && magnitude(a) >= smallest_normal(T{}); });
  test("subnormal", [=](T a) { return magnitude(a) > 0 && magnitude(a) < smallest_normal(T{}); });
}

Bits saturated(float value) { return bits_of(value > 0 ? std::fmin(value, 1.0f) : 0.0f); }

void add_saturating(Checks& checks) {
  const auto two = [&](const std::string& opcode, auto function) {
    checks.push_back({opcode, "f32", {"f32", "f32"}, [=](const auto& x) {
                        return saturated(static_cast<float>(function(double{f32_of(x[0])}, double{f32_of(x[1])})));
                      }});
  };
  for (const std::string rounding : {"", "rn."}) {
    two("add." + rounding + "sat.f32", [](double a, double b) { return a + b; });
    two("sub." + rounding + "sat.f32", [](double a, double b) { return a - b; });
    two("mul." + rounding + "sat.f32", [](double a, double b) { return a * b; });
  }
  checks.push_back({"fma.rn.sat.f32", "f32", {"f32", "f32", "f32"}, [](const auto& x) {
                      return saturated(fused<float>(f32_of(x[0]), f32_of(x[1]), f32_of(x[2]), FE_TONEAREST));
                    }});
}

void add_directed(Checks& checks, const std::string& name, int mode) {
  const auto two = [&](const std::string& mnemonic, Arithmetic operation) {
    checks.push_back({mnemonic + "." + name + ".f32", "f32", {"f32", "f32"}, [=](const auto& x) {
                        return bits_of(rounded(operation, f32_of(x[0]), f32_of(x[1]), mode));
                      }});
  };
  two("add", Arithmetic::add);
  two("sub", Arithmetic::sub);
  two("mul", Arithmetic::mul);
  two("div", Arithmetic::div);
  for (const char* mnemonic : {"fma.", "mad."})
    checks.push_back({mnemonic + name + ".f32", "f32", {"f32", "f32", "f32"}, [=](const auto& x) {
                        return bits_of(fused<float>(f32_of(x[0]), f32_of(x[1]), f32_of(x[2]), mode));
                      }});
  checks.push_back({"rcp." + name + ".f32", "f32", {"f32"}, [=](const auto& x) {
                      return bits_of(rounded(Arithmetic::div, 1.0f, f32_of(x[0]), mode));
                    }});
  checks.push_back({"sqrt." + name + ".f32", "f32", {"f32"}, [=](const auto& x) {
                      return bits_of(root<float>(f32_of(x[0]), mode));
                    }});
}

}  // namespace

Checks floating_checks() {
  Checks checks;
  add_for<float>(checks, "f32");
  add_for<double>(checks, "f64");
  add_saturating(checks);
  add_directed(checks, "rz", FE_TOWARDZERO);
  add_directed(checks, "rm", FE_DOWNWARD);
  add_directed(checks, "rp", FE_UPWARD);
  return checks;
}

}  // namespace warpwright::checks
