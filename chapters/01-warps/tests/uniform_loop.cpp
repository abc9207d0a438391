// warps.uniform_loop: rows of every length, and a collective in each step.
#include <algorithm>
#include <utility>

#include "groups.h"

using namespace warpwright;

namespace {

/// Rows one behind the other, as warps.h lays them out.
struct Rows {
  std::vector<std::uint32_t> values, starts = {0};
  std::size_t count() const { return starts.size() - 1; }
  std::uint32_t length(std::size_t row) const { return starts[row + 1] - starts[row]; }
  std::uint32_t longest_of_group(std::size_t group) const {
    std::uint32_t longest = 0;
    for (std::size_t row = 32 * group; row < std::min(count(), 32 * group + 32); ++row)
      longest = std::max(longest, length(row));
    return longest;
  }
};

/// Rows as long as `lengths` says, of numbers below 1000.
Rows rows_of(const std::vector<std::uint32_t>& lengths, std::uint64_t seed) {
  Rows rows;
  for (const std::uint32_t length : lengths) rows.starts.push_back(rows.starts.back() + length);
  rows.values = warps::numbers_below(1000, rows.starts.back(), seed);
  return rows;
}

std::vector<std::uint32_t> peaks_of(const Rows& rows) {
  std::vector<std::uint32_t> peaks(warps::warps_of(rows.count()), 0);
  for (std::size_t group = 0; group < peaks.size(); ++group) {
    for (std::uint32_t k = 0; k < rows.longest_of_group(group); ++k) {
      std::uint32_t sum = 0;
      for (std::size_t row = 32 * group; row < std::min(rows.count(), 32 * group + 32); ++row)
        sum += k < rows.length(row) ? rows.values[rows.starts[row] + k] : 0;
      peaks[group] = std::max(peaks[group], sum);
    }
  }
  return peaks;
}

bool expect_peaks(const std::string& input, const Rows& rows) {
  const DeviceArray<std::uint32_t> values("values", rows.values), starts("starts", rows.starts),
      peaks("peaks", warps::warps_of(rows.count()));
  warps::uniform_loop(values.data(), starts.data(), peaks.data(), rows.count(), nullptr);
  return warps::expect_numbers(input, "peaks", peaks.download(), peaks_of(rows));
}

std::string rows_text(std::size_t n) { return fmt::format("{} rows", thousands(n)); }

}  // namespace

TEST_F(Right, FindsThePeakOfEveryNumberOfRows) {
  for (const std::size_t n : {1, 0, 2, 31, 32, 33, 64, 255, 256, 257, 1000}) {
    if (!expect_peaks(rows_text(n) + " of 0 to 8 values", rows_of(warps::numbers_below(9, n, n), n))) return;
    if (!expect_peaks(rows_text(n) + " of 5 values", rows_of(std::vector<std::uint32_t>(n, 5), n))) return;
  }
}

TEST_F(Right, FindsThePeakOfVeryUnequalRows) {
  for (const std::size_t at : {0, 1, 31, 32, 40}) {
    auto lengths = warps::numbers_below(3, 64, at);
    lengths[at] = 100;
    Rows rows = rows_of(lengths, at);
    rows.values[rows.starts[at] + 77] = 100'000;  // where every other row has ended
    if (!expect_peaks(fmt::format("64 rows, row {} of 100 values and the others of up to 2", at), rows)) return;
  }
}

TEST_F(Right, FindsNothingInEmptyRows) {
  for (const std::size_t n : {1, 32, 40}) {
    Rows rows = rows_of(std::vector<std::uint32_t>(n, 0), n);
    rows.values = {1'000'000};  // of no row
    if (!expect_peaks(rows_text(n) + ", all empty", rows)) return;
  }
}

TEST_F(Safely, TouchesNothingElse) {
  for (const std::size_t n : {1, 33, 300}) {
    const Rows rows = rows_of(warps::numbers_below(9, n, n), n);
    const DeviceArray<std::uint32_t> values("values", rows.values), starts("starts", rows.starts),
        peaks("peaks", warps::warps_of(n));
    warps::uniform_loop(values.data(), starts.data(), peaks.data(), n, nullptr);
    warps::expect_unchanged(rows_text(n), "values", values, rows.values);
    warps::expect_unchanged(rows_text(n), "starts", starts, rows.starts);
  }
}

namespace {

const Counter reductions = warps::executed("redux", "reductions of warps");

/// 1024 rows: those of one warp in four are up to 60 values long, the others up to 6.
Rows rows_of_contract() {
  auto lengths = warps::numbers_below(7, 1024, 3);
  for (std::size_t row = 0; row < lengths.size(); ++row) lengths[row] *= row / 32 % 4 == 2 ? 10 : 1;
  return rows_of(lengths, 4);
}

}  // namespace

TEST_F(Contract, AWarpStopsWithItsLongestRow) {
  const Rows rows = rows_of_contract();
  const std::size_t groups = warps::warps_of(rows.count());
  double steps = 0;
  for (std::size_t group = 0; group < groups; ++group) steps += rows.longest_of_group(group);

  const DeviceArray<std::uint32_t> values("values", rows.values), starts("starts", rows.starts), peaks("peaks", groups);
  const auto launch =
      profile([&] { warps::uniform_loop(values.data(), starts.data(), peaks.data(), rows.count(), nullptr); }).front();
  expect_at_least(launch, reductions, steps, "each place of a warp's longest row needs the sum of 32 lanes");
  expect_at_most(
      launch, reductions, steps + static_cast<double>(groups),
      "behind its own longest row a warp has nothing to add; one more reduction may find out how long it is");
  expect_at_most(launch, warps::launched_warps, static_cast<double>(groups), "a lane for each row is enough");
}
