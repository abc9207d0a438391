// vectors.copy4: a quarter of the instructions, every sector once, and nothing left behind.
#include "traffic.h"
#include "vectors.h"

using namespace warpwright;

namespace {

bool expect_copied(std::size_t n) {
  if (!takes_few_blocks([] {
        const DeviceArray<float> in("in", 2), out("out", 2);
        vectors::copy4(in.data(), out.data(), 2, nullptr);
      }) ||
      !takes_few_instructions([] {
        const DeviceArray<float> in("in", std::vector<float>(4096, 1)), out("out", 4096);
        vectors::copy4(in.data(), out.data(), 4096, nullptr);
      }))
    return false;
  const auto values = any_floats(n, n);
  const DeviceArray<float> in("in", values), out("out", n);
  vectors::copy4(in.data(), out.data(), n, nullptr);
  return expect_floats(length(n), "out", out.download(), values, "values are copied");
}

observe::Report launch_of(std::size_t n) {
  const DeviceArray<float> in("in", real_numbers(n, -1, 1, 1)), out("out", n);
  return profile([&] { vectors::copy4(in.data(), out.data(), n, nullptr); }).front();
}

}  // namespace

TEST_F(Right, CopiesEveryLength) {
  for (const std::size_t n : lengths()) {
    if (!expect_copied(n)) return;
  }
  expect_copied(long_length);
}

TEST_F(Safely, TouchesNothingElse) {
  for (const std::size_t n : {1, 3, 257, 1022, 1023}) {
    const auto values = any_floats(n, n);
    const DeviceArray<float> in("in", values), out("out", n);
    vectors::copy4(in.data(), out.data(), n, nullptr);
    expect_floats(length(n) + ", after the run", "in", in.download(), values, "the input is read only");
  }
}

TEST_F(Contract, OneInstructionCarries16Bytes) {
  constexpr std::size_t n = 1 << 16;
  const auto launch = launch_of(n);
  const std::string why = "32 lanes of 16 bytes carry 128 floats at a time";
  expect_at_most(launch, counters::global_loads, n / 128.0, why);
  expect_at_most(launch, counters::global_stores, n / 128.0, why);
}

TEST_F(Contract, ATailCostsTwoInstructionsAtMost) {
  constexpr std::size_t n = (1 << 14) + 3;
  const auto launch = launch_of(n);
  // One more for a last warp that is not full, and the tail: three floats, by as many lanes or one after the other.
  const std::string why = "the last 3 floats are few, and no reason to copy the others one by one";
  expect_at_most(launch, counters::global_loads, n / 128 + 4.0, why);
  expect_at_most(launch, counters::global_stores, n / 128 + 4.0, why);
}

TEST_F(Contract, EverySectorIsMovedOnce) { expect_whole_sectors(launch_of(1 << 16), 4 << 16, 4 << 16); }

TEST_F(Contract, EveryBlockHasItsShare) { expect_even_shares(launch_of(1 << 16), 1 << 16); }
