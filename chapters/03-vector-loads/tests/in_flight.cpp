// vectors.in_flight: loads in a row before the first use.
#include "observe/metrics.h"
#include "traffic.h"
#include "vectors.h"

using namespace warpwright;

namespace {

const Counter waits = {"waits for global loads", {{std::string(observe::metric::global_load_waits), ""}}};

struct Shape {
  std::size_t width, height;
};

bool expect_sums(const Shape& shape, const std::vector<float>& values, const Tolerance& tolerance) {
  if (!takes_few_blocks([] {
        const DeviceArray<float> in("in", std::vector<float>(4, 1)), sums("sums", 2);
        vectors::in_flight(in.data(), sums.data(), 2, 2, nullptr);
      }))
    return false;
  const DeviceArray<float> in("in", values), sums("sums", shape.width);
  vectors::in_flight(in.data(), sums.data(), shape.width, shape.height, nullptr);
  std::vector<double> expected(shape.width, 0);
  for (std::size_t i = 0; i < values.size(); ++i) expected[i % shape.width] += values[i];
  const auto wrong = mismatch("sums", sums.download(), expected, tolerance);
  expect(fmt::format("width {}, height {}", shape.width, shape.height), wrong);
  return !wrong && !made_a_mistake();
}

}  // namespace

TEST_F(Right, SumsMatricesOfEveryShape) {
  const auto whole = exact("whole numbers this small add up exactly, in any order");
  for (const std::size_t height : {9, 0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 15, 16, 17, 100}) {
    for (const std::size_t width : {1, 0, 31, 32, 33, 128, 1000}) {
      if (!expect_sums({width, height}, whole_numbers(width * height, -64, 64, height), whole)) return;
    }
  }
  expect_sums({200001, 9}, whole_numbers(200001 * 9, -64, 64, 9), whole);
}

TEST_F(Right, SumsRealNumbers) {
  constexpr Shape shape{100, 300};
  // A thread may add all 300 values one by one.
  expect_sums(shape, real_numbers(shape.width * shape.height, -1, 1, 1),
              {300 * 0x1p-24 * 300, "each of 300 additions rounds by 2^-24 of its result at most, which is below 300"});
}

TEST_F(Safely, TouchesNothingElse) {
  for (const Shape& shape : {Shape{1, 9}, Shape{33, 7}, Shape{100, 23}}) {
    const auto values = whole_numbers(shape.width * shape.height, -8, 8, 1);
    const DeviceArray<float> in("in", values), sums("sums", shape.width);
    vectors::in_flight(in.data(), sums.data(), shape.width, shape.height, nullptr);
    expect_floats(fmt::format("width {}, height {}, after the run", shape.width, shape.height), "in", in.download(),
                  values, "the input is read only");
  }
}

TEST_F(Contract, ThirtyTwoBytesOfALaneAreInFlight) {
  constexpr Shape shape{512, 64};
  const DeviceArray<float> in("in", whole_numbers(shape.width * shape.height, -8, 8, 1)), sums("sums", shape.width);
  const auto launch =
      profile([&] { vectors::in_flight(in.data(), sums.data(), shape.width, shape.height, nullptr); }).front();
  constexpr double bytes = 4.0 * shape.width * shape.height;
  expect_exactly(launch, counters::bytes_loaded, bytes, "every element is to be loaded, and only once");
  expect_exactly(launch, counters::load_sectors, bytes / 32, "8 floats share a sector, and every sector is moved once");
  expect_at_most(launch, waits, bytes / (32 * 32),
                 "a lane is to ask for 32 bytes, 8 floats, before it uses the first of them");
  expect_even_shares(launch, shape.width * shape.height);
}
