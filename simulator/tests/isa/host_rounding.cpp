#include "isa/host_rounding.h"

#include <cfenv>
#include <cmath>

namespace warpwright::checks {
namespace {

class Mode {
 public:
  explicit Mode(int mode) : before_(std::fegetround()) { std::fesetround(mode); }
  ~Mode() { std::fesetround(before_); }

 private:
  int before_;
};

/// Computes under the mode and not before or after: the operands come out of, and the result goes into, memory.
template <class Function, class... T>
auto under(int mode, Function function, T... operands) {
  const Mode scope(mode);
  volatile auto result = function(const_cast<volatile T&>(operands)...);
  return result;
}

}  // namespace

template <class T>
T rounded(Arithmetic operation, T a, T b, int mode) {
  const auto compute = [operation](volatile T& x, volatile T& y) -> T {
    switch (operation) {
      case Arithmetic::add:
        return x + y;
      case Arithmetic::sub:
        return x - y;
      case Arithmetic::mul:
        return x * y;
      case Arithmetic::div:
        return x / y;
    }
    return 0;
  };
  return under(mode, compute, a, b);
}
template float rounded(Arithmetic, float, float, int);
template double rounded(Arithmetic, double, double, int);

template <class T>
T fused(T a, T b, T c, int mode) {
  return under(
      mode, [](volatile T& x, volatile T& y, volatile T& z) -> T { return std::fma(x, y, z); }, a, b, c);
}
template float fused(float, float, float, int);
template double fused(double, double, double, int);

template <class T>
T root(T a, int mode) {
  return under(
      mode, [](volatile T& x) -> T { return std::sqrt(x); }, a);
}
template float root(float, int);
template double root(double, int);

float to_f32(double a, int mode) {
  return under(
      mode, [](volatile double& x) { return static_cast<float>(x); }, a);
}
float to_f32(std::int64_t a, int mode) {
  return under(
      mode, [](volatile std::int64_t& x) { return static_cast<float>(x); }, a);
}
float to_f32(std::uint64_t a, int mode) {
  return under(
      mode, [](volatile std::uint64_t& x) { return static_cast<float>(x); }, a);
}
double to_f64(std::int64_t a, int mode) {
  return under(
      mode, [](volatile std::int64_t& x) { return static_cast<double>(x); }, a);
}
double to_f64(std::uint64_t a, int mode) {
  return under(
      mode, [](volatile std::uint64_t& x) { return static_cast<double>(x); }, a);
}
double whole(double a, int mode) {
  return under(
      mode, [](volatile double& x) -> double { return std::nearbyint(x); }, a);
}

}  // namespace warpwright::checks
