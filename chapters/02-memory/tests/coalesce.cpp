// memory.coalesce: the elements of a warp's round fill whole sectors.
#include "memory.h"
#include "traffic.h"

using namespace warpwright;

namespace {

std::vector<float> scaled(std::span<const float> values, float factor) {
  std::vector<float> result(values.begin(), values.end());
  for (float& value : result) value *= factor;
  return result;
}

bool expect_scaled(std::size_t n, float factor) {
  const auto values = any_floats(n, n);
  const DeviceArray<float> in("in", values), out("out", n);
  memory::coalesce(in.data(), out.data(), factor, n, nullptr);
  return expect_floats(fmt::format("{}, factor = {}", length(n), factor), "out", out.download(), scaled(values, factor),
                       "a product is rounded the same everywhere");
}

}  // namespace

TEST_F(Right, ScalesEveryLength) {
  for (const std::size_t n : lengths()) {
    if (!expect_scaled(n, 3) || !expect_scaled(n, -0.1f)) return;
  }
}

TEST_F(Safely, TouchesNothingElse) {
  for (const std::size_t n : {1, 257, 2047, 2049, 5000}) {
    const auto values = any_floats(n, n);
    const DeviceArray<float> in("in", values), out("out", n);
    memory::coalesce(in.data(), out.data(), 2, n, nullptr);
    expect_floats(length(n) + ", after the run", "in", in.download(), values, "the input is read only");
  }
}

TEST_F(Contract, EverySectorIsUsedWhole) {
  constexpr std::size_t n = 1 << 16;
  const DeviceArray<float> in("in", real_numbers(n, -1, 1, 1)), out("out", n);
  const auto launch = profile([&] { memory::coalesce(in.data(), out.data(), 2, n, nullptr); }).front();
  expect_whole_sectors(launch, 4.0 * n, 4.0 * n);
}
