// vectors.add4: wide where four are there, and right where they are not.
#include "traffic.h"
#include "vectors.h"

using namespace warpwright;

namespace {

std::vector<float> sums(const std::vector<float>& a, const std::vector<float>& b) {
  std::vector<float> result(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) result[i] = a[i] + b[i];
  return result;
}

bool expect_added(std::size_t n) {
  if (!takes_few_blocks([] {
        const DeviceArray<float> a("a", std::vector<float>{1, 2}), out("out", 2);
        vectors::add4(a.data(), a.data(), out.data(), 2, nullptr);
      }) ||
      !takes_few_instructions([] {
        const DeviceArray<float> a("a", std::vector<float>(4096, 1)), out("out", 4096);
        vectors::add4(a.data(), a.data(), out.data(), 4096, nullptr);
      }))
    return false;
  const auto left = any_floats(n, n), right = any_floats(n, n + 1);
  const DeviceArray<float> a("a", left), b("b", right), out("out", n);
  vectors::add4(a.data(), b.data(), out.data(), n, nullptr);
  return expect_floats(length(n), "out", out.download(), sums(left, right),
                       "a sum of two is rounded the same everywhere");
}

}  // namespace

TEST_F(Right, AddsEveryLength) {
  for (const std::size_t n : lengths()) {
    if (!expect_added(n)) return;
  }
  expect_added(long_length);
}

TEST_F(Right, AddsInPlace) {
  for (const std::size_t n : {5, 1000, 1023}) {
    const auto left = any_floats(n, n), right = any_floats(n, n + 1);
    const DeviceArray<float> a("a", left), b("b", right);
    vectors::add4(a.data(), b.data(), b.data(), n, nullptr);
    expect_floats(length(n) + ", in place of b", "out", b.download(), sums(left, right), "");
    vectors::add4(a.data(), a.data(), a.data(), n, nullptr);
    expect_floats(length(n) + ", a + a in place of a", "out", a.download(), sums(left, left), "");
  }
}

TEST_F(Safely, TouchesNothingElse) {
  for (const std::size_t n : {1, 2, 3, 257, 1022}) {
    const auto values = any_floats(n, n);
    const DeviceArray<float> a("a", values), b("b", values), out("out", n);
    vectors::add4(a.data(), b.data(), out.data(), n, nullptr);
    expect_floats(length(n) + ", after the run", "a", a.download(), values, "the input is read only");
    expect_floats(length(n) + ", after the run", "b", b.download(), values, "the input is read only");
  }
}

TEST_F(Contract, OneInstructionCarries16Bytes) {
  constexpr std::size_t n = 1 << 16;
  const DeviceArray<float> a("a", real_numbers(n, -1, 1, 1)), b("b", real_numbers(n, -1, 1, 2)), out("out", n);
  const auto launch = profile([&] { vectors::add4(a.data(), b.data(), out.data(), n, nullptr); }).front();
  expect_at_most(launch, counters::global_loads, 2 * n / 128.0, "32 lanes of 16 bytes carry 128 floats at a time");
  expect_at_most(launch, counters::global_stores, n / 128.0, "32 lanes of 16 bytes carry 128 floats at a time");
  expect_whole_sectors(launch, 8.0 * n, 4.0 * n);
  expect_even_shares(launch, n);
}
