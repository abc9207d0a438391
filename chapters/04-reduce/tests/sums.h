// What every version of the sum is held to; a test file adds what is its own.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <string>

#include "claims.h"
#include "contract.h"
#include "profile.h"
#include "reduce.h"
#include "words.h"

namespace reduce {

using Version = void (*)(const float* in, float* out, float* workspace, std::size_t n, cudaStream_t stream);

inline float sum_on_device(Version version, std::span<const float> values) {
  const warpwright::DeviceArray<float> in("in", values);
  const warpwright::DeviceArray<float> out("out", 1), workspace("workspace", workspace_floats(values.size()));
  version(in.data(), out.data(), workspace.data(), values.size(), nullptr);
  return out.download()[0];
}

inline std::string length(std::size_t n) { return "n = " + warpwright::thousands(n); }

/// False if the device's sum of the values is not `expected`, or it made a mistake on the way: the test has failed.
inline bool expect_sum(Version version, const std::string& input, std::span<const float> values, double expected,
                       const warpwright::Tolerance& tolerance) {
  const auto wrong = warpwright::mismatch("out[0]", sum_on_device(version, values), expected, tolerance);
  warpwright::expect(input, wrong);
  return !wrong && !warpwright::made_a_mistake();
}

/// Around every size at which a warp, a block, a pass or two passes are full. 2 comes before 0, so that a launcher
/// which mixes up its numbers is told so, and does not divide by 0 first.
inline void expect_every_length(Version version) {
  const std::size_t lengths[] = {2,    0,    1,    3,    31,    32,    33,    63,
                                 64,   65,   127,  128,  129,   255,   256,   257,
                                 1000, 4095, 4096, 4097, 65535, 65536, 65537, (std::size_t{1} << 20) + 3};
  for (const std::size_t n : lengths) {
    const auto values = warpwright::whole_numbers(n, -8, 8, n);
    const auto exact = warpwright::exact("whole numbers this small add up exactly, in any order");
    if (!expect_sum(version, length(n), values, warpwright::sum_reference(values).sum, exact)) return;
  }
}

inline void expect_real_numbers(Version version) {
  for (const std::size_t n : {1000, 65537, 1 << 18}) {
    const std::pair<const char*, std::vector<float>> inputs[] = {
        {"in [0, 1)", warpwright::real_numbers(n, 0, 1, n)},
        {"in [-1000, -1)", warpwright::real_numbers(n, -1000, -1, n)},
        {"that cancel", warpwright::cancelling_numbers(n, n)}};
    for (const auto& [kind, values] : inputs) {
      const auto reference = warpwright::sum_reference(values);
      const std::string input = length(n) + ", numbers " + kind;
      if (!expect_sum(version, input, values, reference.sum, warpwright::sum_tolerance(n, reference))) return;
    }
  }
}

/// In any place, the last one of a last, ragged tile included.
inline void expect_nan_and_infinity(Version version) {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
  constexpr std::size_t n = 1000;
  const auto exact = warpwright::exact("whatever is added to NaN or infinity, the sum stays that");
  for (const std::size_t at : {std::size_t{0}, std::size_t{255}, std::size_t{700}, n - 1}) {
    for (const float special : {nan, infinity, -infinity}) {
      auto values = warpwright::real_numbers(n, -1, 1, at);
      values[at] = special;
      const std::string input = length(n) + ", in[" + std::to_string(at) + "] = " + std::to_string(special);
      if (!expect_sum(version, input, values, special, exact)) return;
    }
  }
  auto values = warpwright::real_numbers(n, -1, 1, 1);
  values[1] = infinity;
  values[998] = -infinity;
  expect_sum(version, length(n) + ", in[1] = inf and in[998] = -inf", values, nan,
             warpwright::exact("infinity minus infinity is NaN"));
}

/// Nothing outside the arrays, which are exactly as long as promised, and nothing in the input; and what an earlier run
/// left behind does not matter.
inline void expect_own_memory_only(Version version) {
  for (const std::size_t n : {1, 31, 257, 1000, 65537}) {
    const auto values = warpwright::whole_numbers(n, -8, 8, n);
    const warpwright::DeviceArray<float> in("in", values), workspace("workspace", workspace_floats(n));
    warpwright::DeviceArray<float> out("out", 1);
    for (const char* run : {"", ", second run in the same memory"}) {
      out.poison();
      version(in.data(), out.data(), workspace.data(), n, nullptr);
      warpwright::expect(length(n) + run,
                         warpwright::mismatch("out[0]", out.download()[0], warpwright::sum_reference(values).sum,
                                              warpwright::exact("whole numbers add up exactly")));
    }
    const std::vector<double> before(values.begin(), values.end());
    warpwright::expect(length(n) + ", after the run",
                       warpwright::mismatch("in", in.download(), before, warpwright::exact("the input is read only")));
  }
}

// --- Contracts. All speak of the first launch, which reads the input; n is a power of two, so no block is ragged. ---

inline constexpr std::size_t contract_n = std::size_t{1} << 20;

/// The launch that reads the input, profiled.
inline warpwright::observe::Report first_launch(Version version, std::size_t n = contract_n) {
  const warpwright::DeviceArray<float> in("in", warpwright::whole_numbers(n, -8, 8, n));
  const warpwright::DeviceArray<float> out("out", 1), workspace("workspace", workspace_floats(n));
  return warpwright::profile([&] { version(in.data(), out.data(), workspace.data(), n, nullptr); }).front();
}

inline double blocks_of(const warpwright::observe::Report& launch) { return static_cast<double>(launch.grid.count()); }

inline unsigned threads_of(const warpwright::observe::Report& launch) {
  return static_cast<unsigned>(launch.block.count());
}

inline double warps_of(unsigned threads) { return static_cast<double>(groups_of(32, threads)); }

/// Additions by warps that a block's tree takes if they are packed: 4, 2, 1, 1, 1, 1, 1, 1 for 256 threads.
inline double packed_additions(unsigned threads) {
  double sum = 0;
  for (unsigned adding = threads / 2; adding > 0; adding /= 2) sum += warps_of(adding);
  return sum;
}

/// The same if every thread adds in its own place: 8, 8, 8, 8, 8, 4, 2, 1 for 256 threads.
inline double interleaved_additions(unsigned threads) {
  double sum = 0;
  for (unsigned step = 1; step < threads; step *= 2)
    sum += static_cast<double>(groups_of(std::max(32u, 2 * step), threads));
  return sum;
}

/// Bank conflicts of one store (or load) by each addition, if neighbouring lanes are 2, 4, 8, ... words apart:
/// 2-, 4-, 8-, 8-, 8-, 4-, 2- and 1-way for 256 threads.
inline double strided_conflicts(unsigned threads) {
  double sum = 0;
  for (unsigned stride = 2; stride <= threads; stride *= 2) {
    const unsigned adding = threads / stride;
    for (unsigned first = 0; first < adding; first += 32) {
      const unsigned lanes = std::min(32u, adding - first), banks = std::max(1u, 32 / stride);
      sum += static_cast<double>(groups_of(banks, lanes)) - 1;
    }
  }
  return sum;
}

inline void expect_no_needless_traffic(const warpwright::observe::Report& launch, std::size_t n = contract_n) {
  using namespace warpwright;
  expect_exactly(launch, counters::load_sectors, static_cast<double>(n) / 8,
                 "8 floats share a sector of 32 bytes, and every sector is to be moved once");
  expect_at_most(launch, counters::global_loads, static_cast<double>(n) / 32,
                 "a warp loads at least 32 floats at a time");
  expect_exactly(launch, counters::bytes_stored, sizeof(float) * blocks_of(launch),
                 "one thread of each block writes one float");
}

/// The tree of additions is in shared memory, a round is separated from the next wherever it spans warps, and the work
/// is that of a tree: a sum by one thread, by atomics or by shuffles is another exercise. `additions` are a block's, in
/// warp instructions; `conflicts` those of one load by each of them; `least_barriers` the barriers that a block needs.
inline void expect_tree(const warpwright::observe::Report& launch, double additions, double conflicts = 0,
                        int least_barriers = -1) {
  using namespace warpwright;
  const double blocks = blocks_of(launch);
  const unsigned threads = threads_of(launch);
  if (least_barriers < 0) least_barriers = static_cast<int>(std::bit_width(std::max(threads, 16u))) - 5;
  expect_at_least(launch, counters::block_barriers, blocks * least_barriers,
                  "a block barrier has to follow the load, and every round that spans several warps");
  expect_at_least(launch, counters::shared_loads, blocks * (additions + conflicts),
                  "each addition of the tree reads a partner's value from shared memory");
  expect_at_most(launch, counters::shared_loads, blocks * (2 * (additions + conflicts) + warps_of(threads)),
                 "an addition reads two values at most, and the additions of a round are to be done side by side");
  expect_exactly(launch, counters::atomics, 0, "the tree needs none");
}

/// No thread goes around a barrier. Threads that have exited are not waited for, so such a kernel may look right; CUDA
/// promises nothing for it.
inline void expect_whole_blocks_at_barriers(const warpwright::observe::Report& launch) {
  using namespace warpwright;
  expect_at_least(
      launch, counters::barrier_arrivals, count(launch, counters::block_barriers) * warps_of(threads_of(launch)),
      "__syncthreads() is for all threads of a block: place it where no condition can keep some of them away");
}

/// Rounds of fewer than 32 additions split a warp, and so does the store by one thread. Nothing else has to.
inline void expect_whole_warps(const warpwright::observe::Report& launch) {
  warpwright::expect_at_most(
      launch, warpwright::counters::divergent_branches, 6 * blocks_of(launch),
      "only the last 5 rounds, of 16, 8, 4, 2 and 1 additions, and the final store need to split "
      "a warp; in all others each warp adds with 32 lanes or none");
}

}  // namespace reduce
