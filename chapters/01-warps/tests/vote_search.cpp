// warps.vote_search: the first column that holds the key, and no step beyond it.
#include <algorithm>

#include "groups.h"

using namespace warpwright;

namespace {

constexpr std::int32_t key = -5;

/// Rows of other numbers than the key.
std::vector<std::int32_t> without_key(std::size_t n, std::uint64_t seed) {
  auto values = warps::signed_numbers(1000, n, seed);
  std::replace(values.begin(), values.end(), key, key + 1);
  return values;
}

std::vector<std::int32_t> expected_of(const std::vector<std::int32_t>& values, std::size_t rows, unsigned columns) {
  std::vector<std::int32_t> expected(rows, -1);
  for (std::size_t row = 0; row < rows; ++row) {
    for (unsigned column = columns; column-- > 0;)
      if (values[row * columns + column] == key) expected[row] = static_cast<std::int32_t>(column);
  }
  return expected;
}

bool expect_found(const std::string& input, const std::vector<std::int32_t>& values, std::size_t rows,
                  unsigned columns) {
  const DeviceArray<std::int32_t> matrix("matrix", values), positions("positions", rows);
  warps::vote_search(matrix.data(), positions.data(), rows, columns, key, nullptr);
  return warps::expect_numbers(input, "positions", positions.download(), expected_of(values, rows, columns));
}

std::string shape(std::size_t rows, unsigned columns) { return fmt::format("{} x {} values", rows, columns); }

constexpr unsigned widths[] = {64, 1, 2, 31, 32, 33, 63, 65, 100, 300};

}  // namespace

TEST_F(Right, FindsEveryColumn) {
  for (const unsigned columns : widths) {
    // Row r holds the key in column r, and nowhere else; one more row does not hold it.
    auto values = without_key(std::size_t{columns} * (columns + 1), columns);
    for (std::size_t row = 0; row < columns; ++row) values[row * columns + row] = key;
    if (!expect_found(shape(columns + 1, columns) + ", the key in column r of row r", values, columns + 1, columns))
      return;
  }
}

TEST_F(Right, FindsTheFirstOfSeveral) {
  for (const unsigned columns : widths) {
    constexpr std::size_t rows = 40;
    auto values = without_key(rows * columns, columns);
    Random random(columns);
    for (auto& value : values)
      if (random.below(4) == 0) value = key;
    if (!expect_found(shape(rows, columns) + ", one in four of them the key", values, rows, columns)) return;
    std::fill(values.begin(), values.end(), key);
    if (!expect_found(shape(rows, columns) + ", all of them the key", values, rows, columns)) return;
  }
}

TEST_F(Right, FindsNothingWhereThereIsNothing) {
  for (const unsigned columns : widths) {
    for (const std::size_t rows : {1, 7, 8, 9}) {
      if (!expect_found(shape(rows, columns) + ", none of them the key", without_key(rows * columns, columns), rows,
                        columns))
        return;
    }
  }
  expect_found("3 rows of no columns", {}, 3, 0) && expect_found("no rows", {}, 0, 8);
}

TEST_F(Safely, TouchesNothingElse) {
  for (const unsigned columns : {1, 31, 33, 100}) {
    const auto values = without_key(std::size_t{3} * columns, columns);
    const DeviceArray<std::int32_t> matrix("matrix", values), positions("positions", 3);
    warps::vote_search(matrix.data(), positions.data(), 3, columns, key, nullptr);
    warps::expect_unchanged(shape(3, columns), "matrix", matrix, values);
  }
}

namespace {

/// A ballot, any and all are votes; a minimum over the lanes tells them as much.
const Counter votes = {
    "votes of warps",
    {{observe::metric::instructions_of("vote"), ""}, {observe::metric::instructions_of("redux"), "by a reduction"}}};

constexpr std::size_t searched_rows = 256;

struct Searched {
  observe::Report launch;
  double steps;  // of 32 columns, up to the one with the key, of all rows
};

/// 256 rows of 512 columns, the key in a place of its own in each; every eighth row is without it, or all are.
Searched search(bool anything_to_find) {
  constexpr std::size_t rows = searched_rows;
  constexpr unsigned columns = 512;
  auto values = without_key(rows * columns, 1);
  double steps = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    const std::size_t column = 37 * row % columns;
    const bool is_there = anything_to_find && row % 8 != 0;
    if (is_there) values[row * columns + column] = key;
    steps += is_there ? static_cast<double>(column / 32 + 1) : columns / 32;
  }
  const DeviceArray<std::int32_t> matrix("matrix", values), positions("positions", rows);
  return {profile([&] { warps::vote_search(matrix.data(), positions.data(), rows, columns, key, nullptr); }).front(),
          steps};
}

}  // namespace

TEST_F(Contract, AWarpLooksAt32ColumnsAStep) {
  const auto [launch, steps] = search(false);
  expect_at_most(launch, counters::load_sectors, 4 * steps, "32 columns lie in 4 sectors, and are read by one load");
  expect_at_least(launch, votes, steps, "after each step the lanes have to agree on whether one has found the key");
}

TEST_F(Contract, AWarpStopsWhereItHasFoundTheKey) {
  const auto [launch, steps] = search(true);
  expect_exactly(launch, counters::global_loads, steps, "behind the key there is nothing to look for");
  expect_at_most(launch, counters::load_sectors, 4 * steps, "32 columns lie in 4 sectors, and are read by one load");
  expect_at_least(launch, votes, steps, "after each step the lanes have to agree on whether one has found the key");
  expect_exactly(launch, counters::bytes_stored, 4.0 * searched_rows, "one lane of a warp writes its row's position");
  expect_at_most(launch, warps::launched_warps, searched_rows, "a warp for each row is enough");
}
