// reduce.generic: the least, the greatest and a dot product, each at the price of a sum.
#include "techniques.h"

using namespace warpwright;

namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();

constexpr std::size_t lengths[] = {
    2, 1, 3, 31, 32, 33, 255, 256, 257, 511, 512, 513, 1000, 4096, 65536, 65537, (std::size_t{1} << 18) + 3};

struct Extreme {
  reduce::Version version;
  const char* name;
  float of_none;
  float (*combine)(float, float);
};
const Extreme least{reduce::minimum, "the least", infinity, [](float a, float b) { return std::fmin(a, b); }};
const Extreme greatest{reduce::maximum, "the greatest", -infinity, [](float a, float b) { return std::fmax(a, b); }};

bool expect_extreme(const Extreme& kind, const std::string& input, std::span<const float> values,
                    const std::string& why = "it is one of the values, unchanged") {
  float expected = kind.of_none;
  for (const float value : values) expected = kind.combine(expected, value);
  return reduce::expect_sum(kind.version, input, values, expected, exact(why));
}

/// All of one sign, so that a 0 which stands for an absent value would win; and the winner in any place.
void expect_every_length(const Extreme& kind) {
  const int sign = kind.of_none > 0 ? 1 : -1;
  for (const std::size_t n : lengths) {
    auto values = whole_numbers(n, 100, 1000, n);
    for (float& value : values) value *= static_cast<float>(sign);
    if (!expect_extreme(kind, reduce::length(n) + ", values of one sign", values)) return;
    for (const std::size_t at : {std::size_t{0}, n / 3, n - 1}) {
      const float before = values[at];
      values[at] = static_cast<float>(sign);
      const bool right = expect_extreme(kind, reduce::length(n) + ", the result at " + std::to_string(at), values);
      values[at] = before;
      if (!right) return;
    }
  }
}

constexpr std::size_t some_places[] = {0, 300, 999};

/// Numbers, with a special one in each of some places.
bool expect_with(float special, const Extreme& kind, const std::string& why) {
  for (const std::size_t at : some_places) {
    auto values = real_numbers(1000, -1, 1, at);
    values[at] = special;
    const std::string input = reduce::length(1000) + ", in[" + std::to_string(at) + "] = " + std::to_string(special);
    if (!expect_extreme(kind, input, values, why)) return false;
  }
  return true;
}

void expect_nan_passed_over(const Extreme& kind) {
  const std::string why = "fminf and fmaxf pass over a NaN as long as there is a number";
  if (!expect_with(nan, kind, why)) return;
  for (const std::size_t at : some_places) {
    std::vector<float> values(1000, nan);
    values[at] = 5;
    const std::string input = reduce::length(1000) + ", all NaN but in[" + std::to_string(at) + "]";
    if (!expect_extreme(kind, input, values, why)) return;
  }
}

void expect_infinity(const Extreme& kind) {
  const std::string none = std::string(kind.name) + " of no numbers is what no number changes, and that is " +
                           (kind.of_none > 0 ? "infinity" : "-infinity");
  if (!expect_extreme(kind, reduce::length(0), {}, none)) return;
  for (const float special : {infinity, -infinity})
    if (!expect_with(special, kind, "infinity is beyond every other number")) return;
  if (!expect_extreme(kind, reduce::length(1000) + ", all of them " + std::to_string(kind.of_none),
                      std::vector<float>(1000, kind.of_none)))
    return;
  expect_extreme(kind, reduce::length(1000) + ", all of them NaN", std::vector<float>(1000, nan), none);
}

float dot_on_device(std::span<const float> x, std::span<const float> y) {
  const DeviceArray<float> on_x("x", x), on_y("y", y);
  const DeviceArray<float> out("out", 1), workspace("workspace", reduce::workspace_floats(x.size()));
  reduce::dot(on_x.data(), on_y.data(), out.data(), workspace.data(), x.size(), nullptr);
  return out.download()[0];
}

/// The products in double precision, where those of two floats are exact.
SumReference dot_reference(std::span<const float> x, std::span<const float> y) {
  SumReference reference;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double product = static_cast<double>(x[i]) * y[i];
    reference.sum += product;
    reference.sum_of_absolutes += std::abs(product);
  }
  return reference;
}

bool expect_dot(const std::string& input, std::span<const float> x, std::span<const float> y,
                const std::optional<Tolerance>& tolerance = {}) {
  const auto reference = dot_reference(x, y);
  // A product rounds once more than a value does; one of the 32 roundings to spare is for that.
  const auto wrong = mismatch("out[0]", dot_on_device(x, y), reference.sum,
                              tolerance ? *tolerance : sum_tolerance(x.size(), reference));
  expect(input, wrong);
  return !wrong && !made_a_mistake();
}

/// Profiles a launch of each of the three.
std::vector<std::pair<observe::Report, double>> first_launches() {
  constexpr std::size_t n = reduce::contract_n;
  const DeviceArray<float> x("x", whole_numbers(n, -8, 8, 1)), y("y", whole_numbers(n, -8, 8, 2));
  const DeviceArray<float> out("out", 1), workspace("workspace", reduce::workspace_floats(n));
  const auto dots = profile([&] { reduce::dot(x.data(), y.data(), out.data(), workspace.data(), n, nullptr); });
  return {{reduce::first_launch(reduce::minimum), 1}, {reduce::first_launch(reduce::maximum), 1}, {dots.front(), 2}};
}

}  // namespace

TEST_F(Right, FindsTheLeastOfEveryLength) { expect_every_length(least); }

TEST_F(Right, FindsTheGreatestOfEveryLength) { expect_every_length(greatest); }

TEST_F(Right, PassesOverNaN) {
  expect_nan_passed_over(least);
  expect_nan_passed_over(greatest);
}

TEST_F(Right, FindsInfinityWhereNothingElseIs) {
  expect_infinity(least);
  expect_infinity(greatest);
}

TEST_F(Right, AddsProductsOfEveryLength) {
  for (const std::size_t n : lengths) {
    const auto whole = exact("products of whole numbers this small add up exactly, in any order");
    if (!expect_dot(reduce::length(n), whole_numbers(n, -8, 8, n), whole_numbers(n, -8, 8, n + 1), whole)) return;
  }
  expect_dot(reduce::length(0), {}, {}, exact("the sum of no products is 0"));
}

TEST_F(Right, AddsProductsOfRealNumbers) {
  for (const std::size_t n : {1000, 65537}) {
    if (!expect_dot(reduce::length(n) + ", numbers in [0, 1)", real_numbers(n, 0, 1, n), real_numbers(n, 0, 1, 7)))
      return;
    if (!expect_dot(reduce::length(n) + ", numbers that cancel", cancelling_numbers(n, n), real_numbers(n, -1, 1, 7)))
      return;
  }
  auto x = real_numbers(1000, -1, 1, 1), y = real_numbers(1000, -1, 1, 2);
  x[999] = infinity;
  y[999] = 0;
  expect_dot(reduce::length(1000) + ", x[999] = inf and y[999] = 0", x, y, exact("infinity times 0 is NaN"));
}

TEST_F(Safely, TouchesNothingElse) {
  for (const Extreme& kind : {least, greatest}) {
    for (const std::size_t n : {1, 31, 513, 65537}) {
      const auto values = whole_numbers(n, -8, 8, n);
      const DeviceArray<float> in("in", values), out("out", 1), workspace("workspace", reduce::workspace_floats(n));
      for (int run = 0; run < 2; ++run) kind.version(in.data(), out.data(), workspace.data(), n, nullptr);
      const std::vector<double> before(values.begin(), values.end());
      expect(reduce::length(n) + ", after the run", mismatch("in", in.download(), before, exact("it is read only")));
    }
  }
}

TEST_F(Contract, ReadsEveryElementOnce) {
  for (const auto& [launch, arrays] : first_launches()) {
    expect_exactly(
        launch, counters::load_sectors, arrays * static_cast<double>(reduce::contract_n) / 8,
        "8 floats share a sector of 32 bytes, and every sector is to be moved once; a product needs no place "
        "in memory");
    expect_exactly(launch, counters::bytes_stored, sizeof(float) * reduce::blocks_of(launch),
                   "one thread of each block writes one float");
  }
}

TEST_F(Contract, OneBarrierOfTheBlockIsEnough) {
  for (const auto& [launch, arrays] : first_launches()) reduce::expect_one_barrier(launch);
}

TEST_F(Contract, SharedMemoryHoldsOneResultFromEachWarp) {
  for (const auto& [launch, arrays] : first_launches()) reduce::expect_little_shared_memory(launch);
}

TEST_F(Contract, LanesPassResultsOnByShuffles) {
  for (const auto& [launch, arrays] : first_launches()) reduce::expect_shuffles(launch);
}
