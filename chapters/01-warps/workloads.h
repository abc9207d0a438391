// What the chapter's benchmark runs at size n, how its result is checked, and what it has to move. `launcher` is the
// exercise's function or the solution's; where it is given, both can stand side by side.
#pragma once

#include <algorithm>
#include <functional>
#include <iterator>
#include <memory>
#include <string>
#include <utility>

#include "bench.h"
#include "comparisons.h"
#include "cuda_error.h"
#include "device_array.h"
#include "expect.h"
#include "inputs.h"
#include "numbers.h"
#include "warps.h"

namespace warps {
// Which of them a program holds, the linker decides: those that are not linked have no address.
[[gnu::weak]] decltype(identify) identify;
[[gnu::weak]] decltype(shuffles) shuffles;
[[gnu::weak]] decltype(follow) follow;
}  // namespace warps

namespace warps::bench {

using namespace warpwright;
using Words = std::vector<std::uint32_t>;

/// Work of branch_by_warp and partition: long enough to show what divergence costs.
inline constexpr unsigned rounds = 64;

/// A workload made of what to run, what its result has to be, and how many bytes it has to move.
class Case : public Workload {
 public:
  using Run = std::function<void(cudaStream_t)>;
  using Check = std::function<std::optional<std::string>()>;
  Case(Run run, Check check, double bytes) : run_(std::move(run)), check_(std::move(check)), bytes_(bytes) {}

  void run(cudaStream_t stream) override { run_(stream); }
  std::optional<std::string> mismatch() override { return check_(); }
  double bytes() const override { return bytes_; }

 private:
  Run run_;
  Check check_;
  double bytes_;
};

inline std::unique_ptr<Workload> workload(Case::Run run, Case::Check check, std::size_t words_moved) {
  return std::make_unique<Case>(std::move(run), std::move(check), 4.0 * static_cast<double>(words_moved));
}

template <class T>
auto device(const char* name, const std::vector<T>& values) {
  return std::make_shared<DeviceArray<T>>(name, values);
}
template <class T>
auto room(const char* name, std::size_t count) {
  return std::make_shared<DeviceArray<T>>(name, count);
}

/// Sets an array to 0, in the stream: what a run adds up starts there.
template <class T>
void zero(const DeviceArray<T>& array, cudaStream_t stream) {
  check(cudaMemsetAsync(array.data(), 0, array.size() * sizeof(T), stream), "cudaMemsetAsync");
}

/// n threads, rounded up to whole blocks.
inline std::unique_ptr<Workload> identify(std::size_t n) {
  constexpr unsigned block_threads = 256;
  const auto blocks = static_cast<unsigned>((n + block_threads - 1) / block_threads);
  const auto places = room<warps::Place>("places", std::size_t{blocks} * block_threads);
  const auto run = [=](cudaStream_t stream) {
    if (blocks != 0) warps::identify(places->data(), dim3(blocks), dim3(block_threads), stream);
  };
  const auto check = [=]() -> std::optional<std::string> {
    const auto got = places->download();
    for (std::size_t i = 0; i < got.size(); ++i) {
      const std::size_t thread = i % block_threads;
      if (got[i].warp != thread / 32 || got[i].lane != thread % 32) return "places[" + std::to_string(i) + "] is wrong";
    }
    return std::nullopt;
  };
  return workload(run, check, 2 * places->size());
}

/// branch_by_warp, whose items are even by their place, and partition, whose items are even by their value.
template <auto* launcher, bool by_value>
std::unique_ptr<Workload> two_kinds(std::size_t n) {
  const Words values = warps::words(n, n);
  Words expected(n);
  for (std::size_t i = 0; i < n; ++i) {
    const bool even = (by_value ? values[i] : i) % 2 == 0;
    expected[i] = even ? warps::stir(values[i], rounds) : warps::fold(values[i], rounds);
  }
  const auto in = device("in", values), out = room<std::uint32_t>("out", n);
  const auto run = [=](cudaStream_t stream) { launcher(in->data(), out->data(), n, rounds, stream); };
  return workload(
      run, [=] { return warps::difference("out", out->download(), expected); }, 2 * n);
}

template <auto* launcher>
std::unique_ptr<Workload> branchless(std::size_t n) {
  const auto values = whole_numbers(n, -9, 9, n);
  std::vector<double> expected(n);
  for (std::size_t i = 0; i < n; ++i) expected[i] = values[i] > 4 ? values[i] - 4 : values[i] < -4 ? values[i] + 4 : 0;
  const auto in = device("in", values), out = room<float>("out", n);
  const auto run = [=](cudaStream_t stream) { launcher(in->data(), out->data(), 4, n, stream); };
  return workload(
      run, [=] { return mismatch("out", out->download(), expected, exact("whole numbers")); }, 2 * n);
}

/// About n values in rows of 0 to 30.
template <auto* launcher>
std::unique_ptr<Workload> uniform_loop(std::size_t n) {
  const std::size_t rows = (n + 14) / 15;
  Words starts = {0};
  for (const std::uint32_t length : warps::numbers_below(31, rows, n)) starts.push_back(starts.back() + length);
  const Words values = warps::numbers_below(1000, starts.back(), n + 1);
  Words expected(warps::warps_of(rows), 0);
  for (std::size_t group = 0; group < expected.size(); ++group) {
    Words sums(31, 0);
    for (std::size_t row = 32 * group; row < std::min(rows, 32 * group + 32); ++row)
      for (std::uint32_t at = starts[row]; at < starts[row + 1]; ++at) sums[at - starts[row]] += values[at];
    expected[group] = *std::max_element(sums.begin(), sums.end());
  }
  const auto from = device("values", values), places = device("starts", starts);
  const auto peaks = room<std::uint32_t>("peaks", expected.size());
  const auto run = [=](cudaStream_t stream) { launcher(from->data(), places->data(), peaks->data(), rows, stream); };
  return workload(
      run, [=] { return warps::difference("peaks", peaks->download(), expected); },
      values.size() + starts.size() + expected.size());
}

template <auto* launcher>
std::unique_ptr<Workload> broadcast(std::size_t n) {
  const auto values = whole_numbers(n, -64, 64, n);
  Words leaders = warps::numbers_below(32, warps::warps_of(n), n + 1);
  if (n % 32 != 0) leaders.back() %= n % 32;
  std::vector<double> expected(n);
  for (std::size_t i = 0; i < n; ++i) expected[i] = values[i] - values[i / 32 * 32 + leaders[i / 32]];
  const auto in = device("in", values), out = room<float>("out", n);
  const auto lead = device("leaders", leaders);
  const auto run = [=](cudaStream_t stream) { launcher(in->data(), lead->data(), out->data(), n, stream); };
  return workload(
      run, [=] { return mismatch("out", out->download(), expected, exact("whole numbers")); }, 2 * n + leaders.size());
}

inline std::unique_ptr<Workload> shuffles(std::size_t n) {
  const auto values = warps::signed_numbers(1000, n, n);
  const auto in = device("in", values);
  const auto sights = room<warps::Sight>("sights", n);
  const auto run = [=](cudaStream_t stream) { warps::shuffles(in->data(), sights->data(), n, stream); };
  const auto check = [=]() -> std::optional<std::string> {
    const auto got = sights->download();
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t group = i / 32 * 32, lane = i % 32;
      const auto value_of = [&](std::size_t other) { return group + other < n ? values[group + other] : 0; };
      if (got[i].mirrored != value_of(31 - lane) || got[i].before != value_of(lane == 0 ? 0 : lane - 1) ||
          got[i].after != value_of(lane == 31 ? 31 : lane + 1) || got[i].paired != value_of(lane ^ 1))
        return "sights[" + std::to_string(i) + "] is wrong";
    }
    return std::nullopt;
  };
  return workload(run, check, 5 * n);
}

template <auto* launcher>
std::unique_ptr<Workload> warp_reduce(std::size_t n) {
  const auto values = whole_numbers(n, -64, 64, n);
  const std::size_t groups = warps::warps_of(n);
  std::vector<double> expected(groups, 0);
  for (std::size_t i = 0; i < n; ++i) expected[i / 32] += values[i];
  const auto in = device("in", values), sums = room<float>("sums", groups), minima = room<float>("minima", groups),
             maxima = room<float>("maxima", groups);
  const auto run = [=](cudaStream_t stream) {
    launcher(in->data(), sums->data(), minima->data(), maxima->data(), n, stream);
  };
  return workload(
      run, [=] { return mismatch("sums", sums->download(), expected, exact("whole numbers")); }, n + 3 * groups);
}

template <auto* launcher>
std::unique_ptr<Workload> butterfly(std::size_t n) {
  const auto values = real_numbers(n, 1, 2, n);
  std::vector<double> sums(warps::warps_of(n), 0), expected(n);
  for (std::size_t i = 0; i < n; ++i) sums[i / 32] += values[i];
  for (std::size_t i = 0; i < n; ++i) expected[i] = values[i] / sums[i / 32];
  const auto in = device("in", values), out = room<float>("out", n);
  const auto run = [=](cudaStream_t stream) { launcher(in->data(), out->data(), n, stream); };
  const Tolerance rounding{0x1p-20, "five additions and a division of positive numbers, the result at most 1"};
  return workload(
      run, [=] { return mismatch("out", out->download(), expected, rounding); }, 2 * n);
}

/// Rows of 8.
template <auto* launcher>
std::unique_ptr<Workload> sub_warp(std::size_t n) {
  constexpr unsigned width = 8;
  const std::size_t rows = n / width;
  const auto values = warps::signed_numbers(1000, rows * width, n);
  std::vector<std::int32_t> sums(rows, 0), peaks = values;
  for (std::size_t i = 0; i < values.size(); ++i) {
    sums[i / width] += values[i];
    if (i % width != 0) peaks[i] = std::max(peaks[i], peaks[i - 1]);
  }
  const auto in = device("in", values), sum = room<std::int32_t>("sums", rows),
             peak = room<std::int32_t>("peaks", values.size());
  const auto run = [=](cudaStream_t stream) { launcher(in->data(), sum->data(), peak->data(), rows, width, stream); };
  const auto check = [=] {
    const auto wrong = warps::difference("sums", sum->download(), sums);
    return wrong ? wrong : warps::difference("peaks", peak->download(), peaks);
  };
  return workload(run, check, 2 * values.size() + rows);
}

/// Rows of 256, of numbers below 256: most rows hold the key, somewhere.
template <auto* launcher>
std::unique_ptr<Workload> vote_search(std::size_t n) {
  constexpr unsigned columns = 256;
  constexpr std::int32_t key = 7;
  const std::size_t rows = n / columns;
  const Words numbers = warps::numbers_below(256, rows * columns, n);
  const std::vector<std::int32_t> values(numbers.begin(), numbers.end());
  std::vector<std::int32_t> expected(rows, -1);
  std::size_t looked_at = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    const auto first = values.begin() + static_cast<std::ptrdiff_t>(row * columns);
    const auto found = std::find(first, first + columns, key);
    if (found != first + columns) expected[row] = static_cast<std::int32_t>(found - first);
    looked_at += static_cast<std::size_t>(found - first);
  }
  const auto matrix = device("matrix", values), positions = room<std::int32_t>("positions", rows);
  const auto run = [=](cudaStream_t stream) {
    launcher(matrix->data(), positions->data(), rows, columns, key, stream);
  };
  return workload(
      run, [=] { return warps::difference("positions", positions->download(), expected); }, looked_at + rows);
}

/// Half of the values are kept.
template <auto* launcher>
std::unique_ptr<Workload> ballot_filter(std::size_t n) {
  const auto values = real_numbers(n, -1, 1, n);
  std::vector<float> expected;
  std::copy_if(values.begin(), values.end(), std::back_inserter(expected), [](float x) { return x > 0; });
  std::sort(expected.begin(), expected.end());
  const auto in = device("in", values), out = room<float>("out", n);
  const auto kept = room<std::uint32_t>("kept", 1);
  const auto run = [=](cudaStream_t stream) {
    zero(*kept, stream);
    launcher(in->data(), out->data(), kept->data(), 0, n, stream);
  };
  const auto check = [=]() -> std::optional<std::string> {
    auto got = out->download();
    got.resize(std::min<std::size_t>(kept->download()[0], n));
    std::sort(got.begin(), got.end());
    return got == expected ? std::nullopt : std::optional<std::string>("the values kept are others");
  };
  return workload(run, check, n + expected.size());
}

/// 16 different keys, so that lanes of a warp meet.
template <auto* launcher>
std::unique_ptr<Workload> match_groups(std::size_t n) {
  const Words values = warps::numbers_below(16, n, n);
  Words expected(16, 0);
  for (const std::uint32_t key : values) ++expected[key];
  const auto keys = device("keys", values), counts = room<std::uint32_t>("counts", expected.size());
  const auto run = [=](cudaStream_t stream) {
    zero(*counts, stream);
    launcher(keys->data(), counts->data(), n, stream);
  };
  return workload(
      run, [=] { return warps::difference("counts", counts->download(), expected); }, n);
}

template <auto* launcher>
std::unique_ptr<Workload> block_reduce(std::size_t n) {
  constexpr unsigned threads = 256;
  const auto values = whole_numbers(n, -64, 64, n);
  std::vector<double> expected((n + threads - 1) / threads, 0);
  for (std::size_t i = 0; i < n; ++i) expected[i / threads] += values[i];
  const auto in = device("in", values), sums = room<float>("sums", expected.size());
  const auto run = [=](cudaStream_t stream) { launcher(in->data(), sums->data(), n, threads, stream); };
  return workload(
      run, [=] { return mismatch("sums", sums->download(), expected, exact("whole numbers")); }, n + expected.size());
}

/// A chain of n links, 65,536 at most. Those of loads lie 128 bytes apart, in an order that nothing can guess.
class Latency : public Workload {
 public:
  Latency(Link link, std::size_t n)
      : link_(link), links_(static_cast<std::uint32_t>(std::min<std::size_t>(n, 65536))), ring_("ring", make_ring()) {}

  void run(cudaStream_t stream) override { follow(link_, ring_.data(), links_, cycles_.data(), end_.data(), stream); }
  std::optional<std::string> mismatch() override { return warps::difference("end", end_.download(), {expected()}); }
  double bytes() const override { return sizeof(std::uint64_t) + sizeof(std::uint32_t); }
  std::vector<std::pair<std::string, double>> readings() override {
    return {{"cycles", static_cast<double>(cycles_.download()[0]) / links_}};
  }

 private:
  static constexpr std::size_t words_apart = 32;

  /// Few places are in the L1, more in the L2; for memory, each is met once.
  Words make_ring() const {
    const std::size_t places = link_ == Link::l1 ? 64 : link_ == Link::l2 ? 8192 : link_ == Link::memory ? links_ : 1;
    Words order(places);
    for (std::size_t i = 0; i < places; ++i) order[i] = static_cast<std::uint32_t>(i * words_apart);
    Random random(places);
    for (std::size_t i = places; i > 2; --i) std::swap(order[i - 1], order[1 + random.below(i - 1)]);
    Words ring(places * words_apart);
    for (std::size_t i = 0; i < places; ++i) ring[order[i]] = order[(i + 1) % places];
    return ring;
  }
  std::uint32_t expected() const {
    if (link_ == Link::addition) return links_;
    if (link_ == Link::shuffle || link_ == Link::shared_memory) return links_ % 32;
    const Words ring = ring_.download();
    std::uint32_t at = 0;
    for (std::uint32_t i = 0; i < links_; ++i) at = ring[at];
    return at;
  }

  Link link_;
  std::uint32_t links_;
  DeviceArray<std::uint32_t> ring_;
  DeviceArray<std::uint64_t> cycles_{"cycles", 1};
  DeviceArray<std::uint32_t> end_{"end", 1};
};

}  // namespace warps::bench
