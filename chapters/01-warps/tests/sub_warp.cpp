// warps.sub_warp: rows of 1 to 32 values, several of them in a warp.
#include <algorithm>

#include "groups.h"
#include "traffic.h"

using namespace warpwright;

namespace {

constexpr unsigned widths[] = {8, 1, 2, 4, 16, 32};

struct Results {
  std::vector<std::int32_t> sums, peaks;
};

Results expected_of(const std::vector<std::int32_t>& values, unsigned width) {
  Results expected{std::vector<std::int32_t>(values.size() / width, 0), values};
  for (std::size_t i = 0; i < values.size(); ++i) {
    expected.sums[i / width] += values[i];
    if (i % width != 0) expected.peaks[i] = std::max(expected.peaks[i], expected.peaks[i - 1]);
  }
  return expected;
}

Results on_device(const std::vector<std::int32_t>& values, unsigned width) {
  const std::size_t rows = values.size() / width;
  const DeviceArray<std::int32_t> in("in", values), sums("sums", rows), peaks("peaks", values.size());
  warps::sub_warp(in.data(), sums.data(), peaks.data(), rows, width, nullptr);
  return {sums.download(), peaks.download()};
}

/// Numbers of rows such that the last warp, and the last block, are full, almost full, and almost empty.
std::vector<std::size_t> row_counts(unsigned width) {
  const std::size_t in_a_warp = 32 / width;
  return {1, 0, 2, 3, in_a_warp, in_a_warp + 1, 4 * in_a_warp - 1, 8 * in_a_warp, 8 * in_a_warp + 1, 1001};
}

std::string rows_text(std::size_t rows, unsigned width) { return fmt::format("{} of {}", so_many(rows, "row"), width); }

bool is_worth_more_rows() {
  return takes_few_blocks([] {
    const DeviceArray<std::int32_t> in("in", std::vector<std::int32_t>(16)), sums("sums", 2), peaks("peaks", 16);
    warps::sub_warp(in.data(), sums.data(), peaks.data(), 2, 8, nullptr);
  });
}

}  // namespace

TEST_F(Right, SumsRowsOfEveryWidth) {
  if (!is_worth_more_rows()) return;
  for (const unsigned width : widths) {
    for (const std::size_t rows : row_counts(width)) {
      const auto values = warps::signed_numbers(1'000'000, rows * width, rows);
      if (!warps::expect_numbers(rows_text(rows, width), "sums", on_device(values, width).sums,
                                 expected_of(values, width).sums))
        return;
    }
  }
}

TEST_F(Right, FindsThePeaksOfEveryWidth) {
  if (!is_worth_more_rows()) return;
  for (const unsigned width : widths) {
    for (const std::size_t rows : row_counts(width)) {
      auto values = warps::signed_numbers(1'000'000, rows * width, rows + 1);
      if (!warps::expect_numbers(rows_text(rows, width), "peaks", on_device(values, width).peaks,
                                 expected_of(values, width).peaks))
        return;
      for (auto& value : values) value = -1 - std::abs(value);  // no 0 may come in between
      if (!warps::expect_numbers(rows_text(rows, width) + ", all below 0", "peaks", on_device(values, width).peaks,
                                 expected_of(values, width).peaks))
        return;
    }
  }
}

TEST_F(Safely, TouchesNothingElse) {
  if (!is_worth_more_rows()) return;
  for (const unsigned width : widths) {
    const auto values = warps::signed_numbers(1000, 9 * width, width);
    const DeviceArray<std::int32_t> in("in", values), sums("sums", 9), peaks("peaks", values.size());
    warps::sub_warp(in.data(), sums.data(), peaks.data(), 9, width, nullptr);
    warps::expect_unchanged(rows_text(9, width), "in", in, values);
  }
}

TEST_F(Contract, TakesTwoShufflesARound) {
  if (!is_worth_more_rows()) return;
  constexpr std::size_t n = 12288;
  constexpr double all_warps = n / 32.0;
  const DeviceArray<std::int32_t> in("in", warps::signed_numbers(1000, n, 1));
  double rounds = 5;
  for (unsigned width = 32; width >= 2; width /= 2, rounds -= 1) {
    const DeviceArray<std::int32_t> sums("sums", n / width), peaks("peaks", n);
    const auto launch =
        profile([&] { warps::sub_warp(in.data(), sums.data(), peaks.data(), n / width, width, nullptr); }).front();
    expect_exactly(
        launch, warps::shuffles_executed, 2 * rounds * all_warps,
        fmt::format("rows of {} take {} rounds, with one shuffle for the sum and one for the peak", width, rounds));
    expect_exactly(launch, counters::shared_loads, 0, "the values stay in registers");
    expect_exactly(launch, counters::load_sectors, n / 8.0, "8 numbers share a sector, and each is loaded once");
  }
}
