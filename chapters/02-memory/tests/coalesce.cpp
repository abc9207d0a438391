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
  if (!takes_few_blocks([] {
        const DeviceArray<float> in("in", 2), out("out", 2);
        memory::coalesce(in.data(), out.data(), 1, 2, nullptr);
      }))
    return false;
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
  expect_scaled(long_length, 3);
}

TEST_F(Safely, TouchesNothingElse) {
  for (const std::size_t n : {1, 257, 2047, 2049, 5000}) {
    const auto values = any_floats(n, n);
    const DeviceArray<float> in("in", values), out("out", n);
    memory::coalesce(in.data(), out.data(), 2, n, nullptr);
    expect_floats(length(n) + ", after the run", "in", in.download(), values, "the input is read only");
  }
}

namespace {

constexpr std::size_t contract_n = 1 << 16;

observe::Report launch_of_contract() {
  const DeviceArray<float> in("in", real_numbers(contract_n, -1, 1, 1)), out("out", contract_n);
  return profile([&] { memory::coalesce(in.data(), out.data(), 2, contract_n, nullptr); }).front();
}

}  // namespace

TEST_F(Contract, EverySectorIsUsedWhole) {
  expect_whole_sectors(launch_of_contract(), 4.0 * contract_n, 4.0 * contract_n);
}

TEST_F(Contract, EveryBlockHasItsShare) { expect_even_shares(launch_of_contract(), contract_n); }
