// CUDA's math library, integers of 128 bits and halves, compiled by nvcc and run on the simulated GPU: each is a chain
// of instructions that comes out right only if all of them are right.
#include "math/functions.h"

#include <cuda_runtime_api.h>
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <random>
#include <vector>

#include "isa/small_formats.h"

namespace warpwright::math {
namespace {

using checks::f128;

constexpr int count = 1024;

template <class T>
class Buffer {
 public:
  explicit Buffer(std::size_t size) : size_(size) { cudaMalloc(reinterpret_cast<void**>(&data_), size * sizeof(T)); }
  explicit Buffer(const std::vector<T>& from) : Buffer(from.size()) {
    cudaMemcpy(data_, from.data(), size_ * sizeof(T), cudaMemcpyHostToDevice);
  }
  ~Buffer() { cudaFree(data_); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  T* get() const { return data_; }
  std::vector<T> read() const {
    std::vector<T> to(size_);
    EXPECT_EQ(cudaMemcpy(to.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost), cudaSuccess);
    return to;
  }

 private:
  std::size_t size_;
  T* data_ = nullptr;
};

/// Edges, numbers around 1, and numbers of every magnitude.
template <class T>
std::vector<T> arguments(unsigned seed) {
  std::mt19937_64 random(seed);
  constexpr T infinity = std::numeric_limits<T>::infinity();
  std::vector<T> list = {0,
                         T(-0.0),
                         1,
                         -1,
                         T(0.5),
                         2,
                         T(1e-30),
                         T(-1e-30),
                         infinity,
                         -infinity,
                         NAN,
                         std::numeric_limits<T>::denorm_min(),
                         std::numeric_limits<T>::max()};
  std::normal_distribution<T> around(0, 4);
  std::uniform_real_distribution<T> exponent(-30, 30);
  while (list.size() < count)
    list.push_back(list.size() % 2 == 0 ? around(random) : std::copysign(std::exp2(exponent(random)), around(random)));
  return list;
}

/// The distance of two neighbours at this value.
template <class T>
long double unit(long double value) {
  const int exponent = value == 0 ? std::numeric_limits<T>::min_exponent : std::ilogb(value);
  return std::ldexp(
      1.0L, std::max(exponent, std::numeric_limits<T>::min_exponent - 1) - (std::numeric_limits<T>::digits - 1));
}

template <class T, class Exact>
void expect_near(const char* name, const std::vector<T>& x, const std::vector<T>& out, Exact exact, int units) {
  int shown = 0;
  for (std::size_t i = 0; i < x.size() && shown < 3; ++i) {
    const long double expected = exact(i);
    const T rounded = static_cast<T>(expected);
    const bool special = std::isnan(rounded) || std::isinf(rounded) || std::isinf(out[i]);
    const bool right = std::isnan(rounded) ? std::isnan(out[i])
                       : special           ? out[i] == rounded
                                           : std::fabs(out[i] - expected) <= (units + 0.5L) * unit<T>(expected);
    if (right) continue;
    ++shown;
    ADD_FAILURE() << fmt::format("{}({}) = {}, expected {} within {} units", name, x[i], out[i], rounded, units);
  }
}

// The same functions in extended precision, by the names of CUDA.
#define WARPWRIGHT_EXACT(function, ...) \
  long double exact_##function(long double x) { return __VA_ARGS__; }
#define WARPWRIGHT_EXACT_BOTH(function) \
  WARPWRIGHT_EXACT(function, std::function(x)) WARPWRIGHT_EXACT(function##f, std::function(x))
WARPWRIGHT_EXACT_BOTH(sin)
WARPWRIGHT_EXACT_BOTH(cos)
WARPWRIGHT_EXACT_BOTH(tan)
WARPWRIGHT_EXACT_BOTH(asin)
WARPWRIGHT_EXACT_BOTH(acos)
WARPWRIGHT_EXACT_BOTH(atan)
WARPWRIGHT_EXACT_BOTH(sinh)
WARPWRIGHT_EXACT_BOTH(tanh)
WARPWRIGHT_EXACT_BOTH(exp)
WARPWRIGHT_EXACT_BOTH(exp2)
WARPWRIGHT_EXACT_BOTH(expm1)
WARPWRIGHT_EXACT_BOTH(log)
WARPWRIGHT_EXACT_BOTH(log2)
WARPWRIGHT_EXACT_BOTH(log10)
WARPWRIGHT_EXACT_BOTH(log1p)
WARPWRIGHT_EXACT_BOTH(cbrt)
WARPWRIGHT_EXACT_BOTH(erf)
WARPWRIGHT_EXACT_BOTH(erfc)
WARPWRIGHT_EXACT_BOTH(cosh)
WARPWRIGHT_EXACT(asinhf, std::asinh(x))
WARPWRIGHT_EXACT(atanhf, std::atanh(x))
WARPWRIGHT_EXACT(exp10f, std::pow(10.0L, x))
WARPWRIGHT_EXACT(rsqrt, 1 / std::sqrt(x))
WARPWRIGHT_EXACT(rsqrtf, 1 / std::sqrt(x))
WARPWRIGHT_EXACT(tgammaf, x < 0 && x == std::floor(x) ? NAN : std::tgamma(x))
WARPWRIGHT_EXACT(sinpif, std::isinf(x) ? NAN
                         : x == std::floor(x)
                             ? std::copysign(0.0L, x)
                             : std::sin(std::remainder(x, 2.0L) * 3.14159265358979323846264338327950288L))

#define WARPWRIGHT_TEST(function, units, type)                                                   \
  TEST(Functions, function##IsAsExactAsDocumented) {                                             \
    const std::vector<type> x = arguments<type>(1);                                              \
    const Buffer<type> in(x), out(x.size());                                                     \
    run_##function(in.get(), out.get(), count);                                                  \
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);                                             \
    expect_near<type>(                                                                           \
        #function, x, out.read(), [&](std::size_t i) { return exact_##function(x[i]); }, units); \
  }
#define WARPWRIGHT_TEST_F32(function, units) WARPWRIGHT_TEST(function, units, float)
#define WARPWRIGHT_TEST_F64(function, units) WARPWRIGHT_TEST(function, units, double)
WARPWRIGHT_FUNCTIONS_F32(WARPWRIGHT_TEST_F32)
WARPWRIGHT_FUNCTIONS_F64(WARPWRIGHT_TEST_F64)

TEST(Functions, OfTwoArgumentsAreAsExactAsDocumented) {
  const std::vector<float> x = arguments<float>(2);
  std::vector<float> y = arguments<float>(3);
  std::ranges::reverse(y);
  const Buffer<float> a(x), b(y), power(count), rest(count);
  run_powf(a.get(), b.get(), power.get(), count);
  run_fmodf(a.get(), b.get(), rest.get(), count);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  expect_near<float>(
      "powf", x, power.read(), [&](std::size_t i) { return std::pow((long double){x[i]}, (long double){y[i]}); }, 4);
  expect_near<float>(
      "fmodf", x, rest.read(), [&](std::size_t i) { return std::fmod((long double){x[i]}, (long double){y[i]}); }, 0);
}

TEST(Functions, OfTwoDoublesAreAsExactAsDocumented) {
  const std::vector<double> x = arguments<double>(2);
  std::vector<double> y = arguments<double>(3);
  std::ranges::reverse(y);
  const Buffer<double> a(x), b(y), power(count), rest(count);
  run_pow(a.get(), b.get(), power.get(), count);
  run_fmod(a.get(), b.get(), rest.get(), count);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  expect_near<double>(
      "pow", x, power.read(), [&](std::size_t i) { return std::pow((long double){x[i]}, (long double){y[i]}); }, 2);
  expect_near<double>(
      "fmod", x, rest.read(), [&](std::size_t i) { return std::fmod((long double){x[i]}, (long double){y[i]}); }, 0);
}

TEST(Integers, Of128BitsAreExact) {
  std::mt19937_64 random(4);
  std::vector<u128> a, b;
  for (int i = 0; i < count; ++i) {
    const auto number = [&] { return (u128{random()} << 64 | random()) >> random() % 128; };
    a.push_back(number());
    b.push_back(std::max<u128>(number(), 1));
  }
  a[0] = ~u128{0}, b[0] = 1, a[1] = 0, b[1] = ~u128{0}, a[2] = u128{1} << 127, b[2] = u128{1} << 64;
  const Buffer<u128> left(a), right(b), out(std::size_t{count} * integer_results);
  run_integers(left.get(), right.get(), out.get(), count);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  const std::vector<u128> results = out.read();
  for (int i = 0; i < count; ++i) {
    const int shift = static_cast<int>(b[i] % 128);
    const s128 c = static_cast<s128>(a[i]), d = static_cast<s128>(b[i]);
    const u128 expected[integer_results] = {a[i] + b[i],
                                            a[i] - b[i],
                                            a[i] * b[i],
                                            a[i] << shift,
                                            a[i] / b[i],
                                            a[i] % b[i],
                                            static_cast<u128>(c >> shift),
                                            c < d,
                                            static_cast<u128>(c / d),
                                            static_cast<u128>(c % d)};
    for (int r = 0; r < integer_results; ++r)
      ASSERT_TRUE(results[i * integer_results + r] == expected[r]) << "result " << r << " of pair " << i;
  }
}

class Halves : public testing::TestWithParam<const char*> {};

TEST_P(Halves, AreRoundedOnceOrAsExactAsDocumented) {
  const std::string type = GetParam();
  std::mt19937_64 random(5);
  std::vector<unsigned short> a, b, c;
  for (std::vector<unsigned short>* list : {&a, &b, &c}) {
    for (const checks::Bits edge : checks::edges(type)) list->push_back(static_cast<unsigned short>(edge));
    std::shuffle(list->begin(), list->end(), random);
    while (list->size() < count) list->push_back(static_cast<unsigned short>(random()));
  }
  const Buffer<unsigned short> x(a), y(b), z(c);
  const Buffer<float> out(std::size_t{count} * half_results);
  run_halves(type == "bf16", x.get(), y.get(), z.get(), out.get(), count);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  const std::vector<float> results = out.read();
  const auto number = [&](checks::Bits bits) { return checks::number_of(bits, type); };
  const auto rounded = [&](checks::Value value) {
    return static_cast<float>(number(checks::rounded_to(type, value, FE_TONEAREST)));
  };
  const double unit = type == "f16" ? 0x1p-10 : 0x1p-7;
  for (int i = 0; i < count; ++i) {
    const float* got = &results[static_cast<std::size_t>(i) * half_results];
    const auto expect = [&](int which, float expected, double error) {
      const bool same = got[which] == expected || (std::isnan(got[which]) && std::isnan(expected));
      if (!same && !(std::fabs(got[which] - expected) <= error * std::fabs(expected)))
        ADD_FAILURE() << fmt::format("result {} of {} {:#x} {:#x} {:#x}: {}, expected {}", which, type, a[i], b[i],
                                     c[i], got[which], expected);
    };
    const f128 u = number(a[i]), v = number(b[i]), w = number(c[i]);
    expect(0, rounded(checks::exact_sum(u * v, w)), 0);
    expect(1, rounded({u / v}), unit);
    expect(2, rounded({std::sqrt(static_cast<long double>(u))}), unit);
    expect(3, rounded({std::exp2(static_cast<long double>(u))}), 2 * unit);
    const float sum = rounded(checks::exact_sum(u, v));
    expect(4, rounded({std::nearbyint(sum)}), 0);
  }
}

INSTANTIATE_TEST_SUITE_P(OfEachFormat, Halves, testing::Values("f16", "bf16"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace warpwright::math
