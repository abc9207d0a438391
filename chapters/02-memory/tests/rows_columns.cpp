// memory.rows_columns: lanes lie side by side along rows too.
#include <algorithm>

#include "memory.h"
#include "traffic.h"

using namespace warpwright;

namespace {

struct Shape {
  std::size_t width, height;
};

std::string words_of(const Shape& shape) { return fmt::format("width {}, height {}", shape.width, shape.height); }

bool expect_sums(const Shape& shape, const std::vector<float>& values, bool whole) {
  if (!takes_few_blocks([] {
        const DeviceArray<float> in("in", std::vector<float>(4, 1)), rows("row_sums", 2), columns("column_sums", 2);
        memory::rows_columns(in.data(), rows.data(), columns.data(), 2, 2, nullptr);
      }))
    return false;
  const auto& [width, height] = shape;
  const DeviceArray<float> in("in", values), row_sums("row_sums", height), column_sums("column_sums", width);
  memory::rows_columns(in.data(), row_sums.data(), column_sums.data(), width, height, nullptr);
  std::vector<double> rows(height, 0), columns(width, 0);
  double largest = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    rows[i / width] += values[i];
    columns[i % width] += values[i];
    largest = std::max(largest, std::abs(double{values[i]}));
  }
  const auto tolerance = [&](std::size_t n) {
    if (whole) return exact("whole numbers this small add up exactly, in any order");
    // A thread may add all n values one by one.
    const auto many = static_cast<double>(n);
    return Tolerance{many * 0x1p-24 * many * largest,
                     "each of n additions rounds by 2^-24 of its result at most, which is below n * max|x|"};
  };
  auto wrong = mismatch("column_sums", column_sums.download(), columns, tolerance(height));
  if (!wrong) wrong = mismatch("row_sums", row_sums.download(), rows, tolerance(width));
  expect(words_of(shape), wrong);
  return !wrong && !made_a_mistake();
}

}  // namespace

TEST_F(Right, SumsMatricesOfEveryShape) {
  const Shape shapes[] = {{2, 3},    {0, 5},     {5, 0},     {1, 1},    {1, 33},   {33, 1},    {31, 9},   {32, 32},
                          {33, 257}, {100, 257}, {257, 100}, {1000, 3}, {3, 1000}, {70001, 2}, {2, 70001}};
  for (const Shape& shape : shapes) {
    if (!expect_sums(shape, whole_numbers(shape.width * shape.height, -64, 64, shape.width), true)) return;
  }
}

TEST_F(Right, SumsRealNumbers) {
  const Shape shape{300, 200};
  expect_sums(shape, real_numbers(shape.width * shape.height, -1, 1, 1), false);
}

TEST_F(Safely, TouchesNothingElse) {
  for (const Shape& shape : {Shape{1, 40}, Shape{40, 1}, Shape{33, 65}}) {
    const auto values = whole_numbers(shape.width * shape.height, -8, 8, 1);
    const DeviceArray<float> in("in", values), row_sums("row_sums", shape.height),
        column_sums("column_sums", shape.width);
    memory::rows_columns(in.data(), row_sums.data(), column_sums.data(), shape.width, shape.height, nullptr);
    expect_floats(words_of(shape) + ", after the run", "in", in.download(), values, "the input is read only");
  }
}

TEST_F(Contract, EverySectorIsUsedWhole) {
  const Shape shape{256, 128};
  const double bytes = 4.0 * shape.width * shape.height;
  const DeviceArray<float> in("in", whole_numbers(shape.width * shape.height, -8, 8, 1));
  const DeviceArray<float> row_sums("row_sums", shape.height), column_sums("column_sums", shape.width);
  const auto launches = profile([&] {
    memory::rows_columns(in.data(), row_sums.data(), column_sums.data(), shape.width, shape.height, nullptr);
  });
  double loaded = 0;
  for (const observe::Report& launch : launches) {
    const double own = count(launch, counters::bytes_loaded);
    loaded += own;
    expect_exactly(launch, counters::load_sectors, own / 32,
                   "8 floats fill a sector of 32 bytes: lanes that lie side by side move it once");
  }
  expect_at_most(launches.back(), counters::bytes_loaded,
                 2 * bytes - (loaded - count(launches.back(), counters::bytes_loaded)),
                 "two sums of each element take two loads of it at most");
  for (const observe::Report& launch : launches) expect_even_shares(launch, shape.width * shape.height);
}
