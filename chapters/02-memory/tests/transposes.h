// What every transpose is held to; a test file adds what is its own.
#pragma once

#include <algorithm>

#include "memory.h"
#include "traffic.h"

namespace memory {

using Transpose = void (*)(const float* in, float* out, std::size_t width, std::size_t height, cudaStream_t stream);

struct Shape {
  std::size_t width, height;
  std::size_t floats() const { return width * height; }
};

inline std::string words_of(const Shape& shape) {
  return fmt::format("width {}, height {}", warpwright::thousands(shape.width), warpwright::thousands(shape.height));
}

/// What is wrong with `out`, told by row and column; nothing if it is the transposed matrix of `in`, in which no two
/// elements are equal.
inline std::optional<std::string> mismatch(const std::vector<float>& in, const std::vector<float>& out,
                                           const Shape& shape) {
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::size_t x = i / shape.height, y = i % shape.height;  // of the element in `in`
    const float expected = in[y * shape.width + x];
    if (out[i] == expected) continue;
    const std::string place = fmt::format("out[{}], row {} and column {} of the result,", i, x, y);
    if (warpwright::is_poison(out[i]))
      return place + " was never written: it still holds the poison that the test put there";
    const auto from = static_cast<std::size_t>(std::find(in.begin(), in.end(), out[i]) - in.begin());
    std::string text = fmt::format("{} is {}", place, out[i]);
    if (from < in.size())
      text += fmt::format(", the element of row {} and column {}", from / shape.width, from % shape.width);
    return text + fmt::format("\nexpected {}, the element of row {} and column {}", expected, y, x);
  }
  return std::nullopt;
}

/// 0.5, 1.5, 2.5, ...: each element tells where it was. Exact below 2^23 elements.
inline std::vector<float> matrix_of(const Shape& shape) {
  std::vector<float> values(shape.floats());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i) + 0.5f;
  return values;
}

/// False if the device's result is wrong, or it made a mistake on the way: the test has failed.
inline bool expect_transposed(Transpose transpose, const Shape& shape) {
  if (!warpwright::takes_few_blocks([&] {
        const warpwright::DeviceArray<float> in("in", 4), out("out", 4);
        transpose(in.data(), out.data(), 2, 2, nullptr);
      }))
    return false;
  const auto values = matrix_of(shape);
  const warpwright::DeviceArray<float> in("in", values), out("out", shape.floats());
  transpose(in.data(), out.data(), shape.width, shape.height, nullptr);
  const auto wrong = mismatch(values, out.download(), shape);
  warpwright::expect(words_of(shape), wrong);
  return !wrong && !warpwright::made_a_mistake();
}

/// Shapes around every multiple of a tile, in one direction and in the other.
inline void expect_every_shape(Transpose transpose) {
  const Shape shapes[] = {{32, 32},  {0, 5},   {5, 0},   {0, 0},    {1, 1},     {64, 32},  {32, 64}, {96, 32},
                          {1, 33},   {33, 1},  {31, 31}, {33, 33},  {31, 33},   {100, 7},  {7, 100}, {1, 1000},
                          {1000, 1}, {64, 65}, {65, 64}, {96, 160}, {257, 129}, {129, 257}};
  for (const Shape& shape : shapes) {
    if (!expect_transposed(transpose, shape)) return;
  }
  expect_transposed(transpose, {1056, 1024});
}

/// So long and so narrow that a grid counted along it does not fit into gridDim.y or gridDim.z, whose limit is 65535.
inline void expect_long_shapes(Transpose transpose) {
  for (const Shape& shape : {Shape{1, 2100001}, Shape{2100001, 1}}) {
    if (!expect_transposed(transpose, shape)) return;
  }
}

inline void expect_read_only_input(Transpose transpose) {
  for (const Shape& shape : {Shape{33, 31}, Shape{100, 65}}) {
    const auto values = matrix_of(shape);
    const warpwright::DeviceArray<float> in("in", values);
    warpwright::DeviceArray<float> out("out", shape.floats());
    for (const char* run : {"", ", second run in the same memory"}) {
      out.poison();
      transpose(in.data(), out.data(), shape.width, shape.height, nullptr);
      warpwright::expect(words_of(shape) + run, mismatch(values, out.download(), shape));
    }
    warpwright::expect_floats(words_of(shape) + ", after the run", "in", in.download(), values,
                              "the input is read only");
  }
}

// --- Contracts. Width and height are different multiples of every likely tile, so no block is ragged. ---

inline constexpr Shape contract_shape = {256, 384};

inline warpwright::observe::Report launch_of(Transpose transpose, const Shape& shape = contract_shape) {
  const warpwright::DeviceArray<float> in("in", matrix_of(shape)), out("out", shape.floats());
  return warpwright::profile([&] { transpose(in.data(), out.data(), shape.width, shape.height, nullptr); }).front();
}

/// What a launch's block owns of shared memory.
inline std::size_t shared_bytes(const warpwright::observe::Report& launch) {
  return launch.program().static_shared_bytes + launch.dynamic_shared_bytes;
}

inline void expect_whole_sectors_both_ways(Transpose transpose) {
  const auto bytes = static_cast<double>(4 * contract_shape.floats());
  warpwright::expect_whole_sectors(launch_of(transpose), bytes, bytes);
}

inline void expect_even_shares(Transpose transpose) {
  warpwright::expect_even_shares(launch_of(transpose), contract_shape.floats());
}

/// Every element goes through shared memory, and somebody waits for it.
inline void expect_a_tile(Transpose transpose) {
  using namespace warpwright;
  const auto launch = launch_of(transpose);
  const auto warps = static_cast<double>(contract_shape.floats() / 32);
  const std::string why = "each element is put into a tile in shared memory by one lane and taken out by another";
  expect_at_least(launch, counters::shared_stores, warps, why);
  expect_at_least(launch, counters::shared_loads, warps, why);
  expect_at_least(launch, counters::block_barriers, static_cast<double>(launch.grid.count()),
                  "an element is taken out by another warp than the one that put it there, in every block");
}

inline void expect_no_conflicts(Transpose transpose, const std::string& why) {
  warpwright::expect_exactly(launch_of(transpose), warpwright::counters::bank_conflicts, 0, why);
}

}  // namespace memory
