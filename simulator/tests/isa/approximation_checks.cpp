// PTX ISA, "Floating Point Instructions" with .approx and .full: results within the error that the manual documents,
// and the values that its tables give.
#include <algorithm>
#include <cfenv>
#include <cmath>

#include "isa/checks.h"
#include "isa/small_formats.h"

namespace warpwright::checks {
namespace {

using Operands = std::vector<double>;
/// The exact value, as near as long double has it.
using Function = std::function<long double(const Operands&)>;
/// How far a result may be off.
using Error = std::function<double(const Operands&, double exact)>;

/// The distance of two neighbours of single precision at this value.
double unit(double value) {
  const double magnitude = std::max(std::fabs(value), 0x1p-126);
  return std::ldexp(1.0, std::ilogb(magnitude) - 23);
}

Error ulps(double count) {
  return [=](const Operands&, double exact) { return count * unit(exact); };
}
/// Of a subnormal result half a unit is more than any relative error.
Error relative(double error) {
  return [=](const Operands&, double exact) { return std::max(error * std::fabs(exact), 0x1p-150); };
}

/// What is infinite, NaN or zero in the manual's table is exact; near the largest number infinity is near enough.
void add(Checks& checks, const std::string& opcode, std::size_t operands, const Function& function, const Error& error,
         bool flushable = true) {
  const auto values = [](const std::vector<Bits>& x) {
    Operands of;
    for (const Bits bits : x) of.push_back(f32_of(bits));
    return of;
  };
  Check check = {opcode + ".f32", "f32", std::vector<std::string>(operands, "f32"),
                 [=](const auto& x) { return bits_of(static_cast<float>(function(values(x)))); }};
  check.accepts = [=](const auto& x, Bits result) {
    const Operands of = values(x);
    const long double exact = function(of);
    const double got = f32_of(result);
    if (std::isnan(exact) || std::isnan(got)) return false;
    const double allowed = error(of, static_cast<double>(exact));
    if (std::isinf(got)) return std::fabs(exact) + allowed >= 0x1.fffffep127 && (exact > 0) == (got > 0);
    return std::isfinite(exact) && std::fabs(got - exact) <= allowed;
  };
  checks.push_back(check);
  if (flushable) checks.push_back(modified(check, opcode + ".ftz.f32", ".ftz"));
}

/// Within 2^-20.5 up to 2 pi, 2^-14.7 up to 100 pi; beyond that anything from -1 to 1.
double error_of_sine(const Operands& x, double) {
  const double angle = std::fabs(x[0]);
  return angle <= 2 * M_PI ? 0x1p-20 * 0.7072 : angle <= 100 * M_PI ? 0x1p-14 * 0.6156 : 2.0;
}

/// Within 2^-22 of the logarithm, or absolutely where that is near 0.
double error_of_logarithm(const Operands& x, double exact) {
  return x[0] > 0.5 && x[0] < 2 ? 0x1p-22 : 0x1p-22 * std::fabs(exact);
}

long double divided(const Operands& x) { return static_cast<long double>(x[0]) / x[1]; }

/// Beyond 2^126 the reciprocal of the divisor is lost.
long double approximately_divided(const Operands& x) {
  if (std::fabs(x[1]) <= 0x1p126 || std::isinf(x[1]) || std::isnan(x[1])) return divided(x);
  return static_cast<long double>(x[0]) * std::copysign(0.0, x[1]);
}

/// The manual promises nothing for divisors below 2^-126.
double error_of_division(const Operands& x, double exact) {
  return std::fabs(x[1]) < 0x1p-126 ? std::numeric_limits<double>::infinity() : 2 * unit(exact);
}

/// Double precision's gross approximations: of the upper word, into the upper word.
void add_gross(Checks& checks, const std::string& opcode, long double (*function)(long double)) {
  const auto upper = [](Bits bits) {
    return (bits & 0x7ff0000000000000) == 0 ? bits & Bits{1} << 63 : bits & ~Bits{0xffffffff};
  };
  Check check = {opcode, "f64", {"f64"}, [=](const auto& x) -> Bits {
                   const double exact = static_cast<double>(function(f64_of(upper(x[0]))));
                   return std::isnan(exact) || std::isnan(f64_of(x[0])) ? 0x7fffffff00000000 : upper(bits_of(exact));
                 }};
  check.accepts = [=](const auto& x, Bits result) {
    const long double exact = function(f64_of(upper(x[0])));
    if (!std::isfinite(exact) || (result & 0xffffffff) != 0) return false;
    if (std::fabs(exact) < 0x1p-1022L) return (result & ~(Bits{1} << 63)) == 0;
    return std::fabs(f64_of(result) - exact) <= 0x1p-19L * std::fabs(exact);
  };
  checks.push_back(check);
}

}  // namespace

Checks approximation_checks() {
  Checks checks;
  const auto one = [](auto function) -> Function {
    return [=](const Operands& x) { return function(static_cast<long double>(x[0])); };
  };
  add(checks, "rcp.approx", 1, one([](long double x) { return 1 / x; }), ulps(1));
  add(checks, "sqrt.approx", 1, one([](long double x) { return std::sqrt(x); }), relative(0x1p-23));
  add(checks, "rsqrt.approx", 1, one([](long double x) { return 1 / std::sqrt(x); }), relative(0x1p-22 * 0.5359));
  add(checks, "sin.approx", 1, one([](long double x) { return std::sin(x); }), &error_of_sine);
  add(checks, "cos.approx", 1, one([](long double x) { return std::cos(x); }), &error_of_sine);
  add(checks, "lg2.approx", 1, one([](long double x) { return std::log2(x); }), &error_of_logarithm);
  add(checks, "ex2.approx", 1, one([](long double x) { return std::exp2(x); }), ulps(2.5));
  add(checks, "tanh.approx", 1, one([](long double x) { return std::tanh(x); }), relative(0x1p-11), false);
  add(checks, "div.approx", 2, &approximately_divided, &error_of_division);
  add(checks, "div.full", 2, &divided, ulps(2));
  add_gross(checks, "rcp.approx.ftz.f64", [](long double x) { return 1 / x; });
  add_gross(checks, "rsqrt.approx.ftz.f64", [](long double x) { return 1 / std::sqrt(x); });
  Check rsqrt = {
      "rsqrt.approx.f64",
      "f64",
      {"f64"},
      [](const auto& x) { return bits_of(static_cast<double>(1 / std::sqrt(static_cast<long double>(f64_of(x[0]))))); },
      true};
  rsqrt.accepts = [](const auto& x, Bits result) {
    const long double exact = 1 / std::sqrt(static_cast<long double>(f64_of(x[0])));
    return std::isfinite(exact) && std::fabs(f64_of(result) - exact) <= 0x1p-50L * std::fabs(exact);
  };
  checks.push_back(rsqrt);
  return checks;
}

}  // namespace warpwright::checks
