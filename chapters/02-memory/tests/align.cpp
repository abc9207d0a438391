// memory.align: every row begins a sector, and no gap is longer than it has to be.
#include "memory.h"
#include "traffic.h"

using namespace warpwright;

namespace {

struct Shape {
  std::size_t width, height;
  std::size_t pitch() const { return memory::align_pitch(width); }
  std::size_t in_floats() const { return height * pitch(); }
  std::size_t out_floats() const { return height == 0 ? 0 : (height - 1) * pitch(); }
};

std::string words_of(const Shape& shape) {
  return fmt::format("width {}, height {}, pitch {}", shape.width, shape.height, shape.pitch());
}

/// The rows side by side, without their gaps.
std::vector<float> without_gaps(const std::vector<float>& floats, const Shape& shape, std::size_t rows) {
  std::vector<float> result;
  for (std::size_t y = 0; y < rows; ++y) {
    for (std::size_t x = 0; x < shape.width; ++x) result.push_back(floats[y * shape.pitch() + x]);
  }
  return result;
}

std::vector<float> differences(const std::vector<float>& values, const Shape& shape) {
  std::vector<float> result;
  for (std::size_t i = shape.width; i < values.size(); ++i) result.push_back(values[i] - values[i - shape.width]);
  return result;
}

/// Values in the rows, poison in the gaps.
std::vector<float> rows_of(const std::vector<float>& values, const Shape& shape) {
  float poison = 0;
  __builtin_memcpy(&poison, &poison_word, sizeof(poison));
  std::vector<float> rows(shape.in_floats(), poison);
  for (std::size_t i = 0; i < values.size(); ++i) rows[i / shape.width * shape.pitch() + i % shape.width] = values[i];
  return rows;
}

bool expect_differences(const Shape& shape) {
  if (shape.pitch() < shape.width) return false;  // has failed already
  if (!takes_few_blocks([] {
        constexpr Shape few{2, 2};
        const DeviceArray<float> in("in", few.in_floats()), out("out", few.out_floats());
        memory::align(in.data(), out.data(), few.width, few.height, nullptr);
      }))
    return false;
  const std::size_t rows = shape.height == 0 ? 0 : shape.height - 1;
  const auto values = any_floats(shape.width * shape.height, shape.width);
  const DeviceArray<float> in("in", rows_of(values, shape)), out("out", shape.out_floats());
  memory::align(in.data(), out.data(), shape.width, shape.height, nullptr);
  return expect_floats(words_of(shape), "the rows of out", without_gaps(out.download(), shape, rows),
                       differences(values, shape), "a difference is rounded the same everywhere");
}

constexpr Shape contract_shapes[] = {{100, 40}, {97, 33}, {129, 20}, {128, 16}, {8, 100}, {1001, 9}};

}  // namespace

TEST_F(Right, ARowFitsIntoThePitch) {
  for (std::size_t width = 0; width < 300; ++width) {
    if (memory::align_pitch(width) < width)
      return expect(fmt::format("width {}", width), fmt::format("the pitch is {}", memory::align_pitch(width)));
  }
}

TEST_F(Right, SubtractsRowsOfEveryShape) {
  const Shape shapes[] = {{3, 2},  {0, 5},  {5, 0},  {5, 1},   {1, 2},   {1, 300},  {31, 3},
                          {32, 3}, {33, 3}, {64, 2}, {100, 7}, {257, 5}, {1000, 3}, {7, 70001}};
  for (const Shape& shape : shapes) {
    if (!expect_differences(shape)) return;
  }
  expect_differences({100, 10000});
}

TEST_F(Safely, TheGapsAreLeftAlone) {
  for (const Shape& shape : {Shape{1, 2}, Shape{33, 5}, Shape{100, 9}, Shape{257, 4}}) {
    if (shape.pitch() < shape.width) return;
    const auto values = any_floats(shape.width * shape.height, 1);
    const DeviceArray<float> in("in", rows_of(values, shape)), out("out", shape.out_floats());
    memory::align(in.data(), out.data(), shape.width, shape.height, nullptr);
    const auto written = out.download();
    for (std::size_t i = 0; i < written.size(); ++i) {
      if (i % shape.pitch() < shape.width || is_poison(written[i])) continue;
      return expect(words_of(shape), fmt::format("out[{}], behind the end of row {}, was written: it is {}", i,
                                                 i / shape.pitch(), written[i]));
    }
    expect_floats(words_of(shape) + ", after the run", "the rows of in",
                  without_gaps(in.download(), shape, shape.height), values, "the input is read only");
  }
}

TEST_F(Contract, TheGapIsShorterThanASector) {
  for (std::size_t width = 0; width < 300; ++width) {
    const std::size_t pitch = memory::align_pitch(width);
    if (pitch - width >= 8)
      return expect(fmt::format("width {}", width),
                    fmt::format("the pitch is {}, so {} floats of each row lie idle\nexpected fewer than the 8 floats "
                                "of a sector: the next row can begin with the next sector",
                                pitch, pitch - width));
  }
}

TEST_F(Contract, EveryRowBeginsASector) {
  for (const Shape& shape : contract_shapes) {
    const auto values = real_numbers(shape.width * shape.height, -1, 1, 1);
    const DeviceArray<float> in("in", rows_of(values, shape)), out("out", shape.out_floats());
    const auto launch =
        profile([&] { memory::align(in.data(), out.data(), shape.width, shape.height, nullptr); }).front();
    const auto sectors = static_cast<double>((shape.width + 7) / 8), rows = static_cast<double>(shape.height - 1);
    const std::string why =
        fmt::format("{:.0f} sectors hold a row of {} floats that begins a sector", sectors, shape.width);
    expect_at_most(launch, counters::load_sectors, 2 * rows * sectors, why + ", and two rows make a difference");
    expect_exactly(launch, counters::store_sectors, rows * sectors, why);
    expect_exactly(launch, counters::bytes_stored, rows * static_cast<double>(4 * shape.width),
                   "every difference is to be stored, and only once");
    if (HasFailure()) return;
  }
}

TEST_F(Contract, EveryBlockHasItsShare) {
  constexpr Shape shape{128, 257};
  const DeviceArray<float> in("in", rows_of(real_numbers(shape.width * shape.height, -1, 1, 1), shape));
  const DeviceArray<float> out("out", shape.out_floats());
  const auto launch =
      profile([&] { memory::align(in.data(), out.data(), shape.width, shape.height, nullptr); }).front();
  expect_even_shares(launch, shape.width * (shape.height - 1));
}
