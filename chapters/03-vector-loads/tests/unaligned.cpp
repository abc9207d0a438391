// vectors.unaligned: from every element of an array.
#include "traffic.h"
#include "vectors.h"

using namespace warpwright;

namespace {

/// Scales n floats from element `from` of an array that ends right behind them.
bool expect_scaled(std::size_t from, std::size_t n, float factor) {
  if (!takes_few_blocks([] {
        const DeviceArray<float> data("data", std::vector<float>{1, 2});
        vectors::unaligned(data.data(), 2, 1, nullptr);
      }) ||
      !takes_few_instructions([] {
        const DeviceArray<float> data("data", std::vector<float>(4096, 1));
        vectors::unaligned(data.data(), 4096, 1, nullptr);
      }))
    return false;
  const auto values = any_floats(from + n, n);
  const DeviceArray<float> array("data", values);
  vectors::unaligned(array.data() + from, n, factor, nullptr);
  std::vector<float> expected = values;
  for (std::size_t i = from; i < from + n; ++i) expected[i] *= factor;
  return expect_floats(fmt::format("{}, from element {} of the array", length(n), from), "data", array.download(),
                       expected, "a product is rounded the same everywhere");
}

observe::Report launch_of(std::size_t from, std::size_t n) {
  const DeviceArray<float> array("data", real_numbers(from + n, -1, 1, 1));
  auto launches = profile([&] { vectors::unaligned(array.data() + from, n, 2, nullptr); });
  // Head, body and tail may be launches of their own: they count together.
  for (std::size_t i = 1; i < launches.size(); ++i) {
    for (const auto& [metric, value] : launches[i].metrics) launches.front().metrics[metric] += value;
  }
  return launches.front();
}

}  // namespace

TEST_F(Right, ScalesFromEveryElement) {
  for (const std::size_t n : {4,   0,   1,   2,   3,   5,    6,    7,    8,    9,    31,   33,   127,
                              128, 129, 132, 260, 516, 1000, 1023, 1024, 1025, 1028, 2052, 4097, 4100}) {
    for (std::size_t from = 0; from < 9; ++from) {
      if (!expect_scaled(from, n, 3)) return;
    }
  }
  expect_scaled(1, long_length, 3);
}

TEST_F(Safely, LeavesNeighboursAlone) {
  for (std::size_t from = 1; from < 5; ++from) {
    const auto values = any_floats(100, from);
    const DeviceArray<float> array("the whole array", values);
    vectors::unaligned(array.data() + from, 90, 2, nullptr);
    std::vector<float> expected = values;
    for (std::size_t i = from; i < from + 90; ++i) expected[i] *= 2;
    expect_floats(fmt::format("n = 90, from element {} of 100", from), "the whole array", array.download(), expected,
                  "what lies before and behind is not to change");
  }
}

TEST_F(Contract, TheBodyIsLoadedFourAtATime) {
  for (std::size_t from = 0; from < 4; ++from) {
    constexpr std::size_t n = 1 << 14;
    const auto launch = launch_of(from, n);
    const std::string why = fmt::format(
        "from element {} on, all but 3 floats at each end lie in groups of four: 128 floats a request, and a few "
        "requests more for the ends",
        from);
    expect_at_most(launch, counters::global_loads, n / 128 + 8.0, why);
    expect_at_most(launch, counters::global_stores, n / 128 + 8.0, why);
    expect_exactly(launch, counters::bytes_loaded, 4.0 * n, "every float is to be loaded, and only once");
    expect_exactly(launch, counters::bytes_stored, 4.0 * n, "every float is to be stored, and only once");
    if (HasFailure()) return;
  }
}

TEST_F(Contract, EveryThreadHasSomethingToDo) {
  constexpr std::size_t n = 1 << 14;
  expect_an_element_for_each_thread(launch_of(0, n), n);
}

TEST_F(Contract, AnAlignedArrayNeedsNoHead) {
  constexpr std::size_t n = 1 << 14;
  expect_at_most(launch_of(0, n), counters::global_loads, n / 128.0, "there are neither head nor tail");
}
