// What kernels that move arrays are held to in global memory: results element by element, and no byte moved for
// nothing.
#pragma once

#include <fmt/core.h>

#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "claims.h"
#include "contract.h"
#include "device.h"
#include "device_array.h"
#include "expect.h"
#include "inputs.h"
#include "observe/metrics.h"
#include "profile.h"
#include "words.h"

namespace warpwright {

inline std::string length(std::size_t n) { return "n = " + thousands(n); }

/// Around every size at which a warp, a block or a few blocks are full.
inline const std::vector<std::size_t>& lengths() {
  static const std::vector<std::size_t> sizes = {2,    0,    1,    3,    7,    8,    9,     31,    32,    33,
                                                 63,   64,   65,   255,  256,  257,  1000,  1023,  1024,  1025,
                                                 2047, 2048, 2049, 4095, 4096, 4097, 10001, 65535, 65536, 65537};
  return sizes;
}

/// So long that no launcher can mistake its blocks for the threads of one.
inline constexpr std::size_t long_length = (std::size_t{1} << 21) + 5;

/// Real numbers, with those among them that bad arithmetic and bad copies lose: NaN, infinities, -0, the smallest.
inline std::vector<float> any_floats(std::size_t n, std::uint64_t seed) {
  std::vector<float> values = real_numbers(n, -1000, 1000, seed);
  const float special[] = {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
                           -std::numeric_limits<float>::infinity(), -0.0f, std::numeric_limits<float>::denorm_min()};
  for (std::size_t i = 0; i < n; i += 97) values[n - 1 - i] = special[i / 97 % 5];
  return values;
}

/// False if `got` differs from `expected`, or a mistake was made on the way: the test has failed.
inline bool expect_floats(const std::string& input, const std::string& name, std::span<const float> got,
                          std::span<const float> expected, const std::string& why_exact) {
  const std::vector<double> wanted(expected.begin(), expected.end());
  const auto wrong = mismatch(name, got, wanted, exact(why_exact));
  expect(input, wrong);
  return !wrong && !made_a_mistake();
}

/// Every sector that is moved is used whole: `loaded` and `stored` are the bytes that the launch has to read and write.
inline void expect_whole_sectors(const observe::Report& launch, double loaded, double stored) {
  expect_exactly(launch, counters::bytes_loaded, loaded, "every element that counts is to be loaded, and only once");
  expect_exactly(launch, counters::bytes_stored, stored, "every result is to be stored, and only once");
  expect_exactly(launch, counters::load_sectors, loaded / 32,
                 "8 floats fill a sector of 32 bytes: lanes that load it together move it once");
  expect_exactly(launch, counters::store_sectors, stored / 32,
                 "8 floats fill a sector of 32 bytes: lanes that store it together move it once");
}

/// False, and the test has failed, if `launches`, which handle two elements or a matrix of two by two, take thousands
/// of blocks: then larger inputs would take minutes, and are not worth trying. Found out once, and only where launches
/// can be profiled.
inline bool takes_few_blocks(const std::function<void()>& launches) {
  static std::optional<bool> few;
  if (few) return *few;
  few = true;
  if (!why_no_counters().empty()) return true;
  try {
    for (const observe::Report& launch : profile(launches)) {
      constexpr std::uint64_t most = 1024;
      if (launch.grid.count() <= most) continue;
      few = false;
      expect("two elements", fmt::format("{} blocks of {} threads are launched for them\nexpected at most {}; look at "
                                         "how the launcher counts its blocks",
                                         thousands(launch.grid.count()), launch.block.count(), thousands(most)));
      break;
    }
  } catch (const NoLaunch&) {
    // What that leaves undone, the first result tells.
  }
  return *few;
}

/// False, and the test has failed, if `launches`, which handle 4,096 elements, take many instructions for each of
/// them: as if every thread went on to the end of the array. Then longer arrays would take minutes, and are not worth
/// trying. Found out once, and only where launches can be profiled.
inline bool takes_few_instructions(const std::function<void()>& launches) {
  static std::optional<bool> few;
  if (few) return *few;
  few = true;
  if (!why_no_counters().empty()) return true;
  constexpr double elements = 4096, most = 64;
  double executed = 0;
  try {
    for (const observe::Report& launch : profile(launches))
      executed += launch.metrics.at(std::string(observe::metric::thread_instructions));
  } catch (const NoLaunch&) {
    // What that leaves undone, the first result tells.
  }
  if (executed <= most * elements) return true;
  few = false;
  expect("4,096 elements",
         fmt::format("the threads execute {} instructions for each element\nexpected at most {}; look "
                     "for a loop that does not end where its thread's share ends",
                     count_text(std::round(executed / elements)), count_text(most)));
  return false;
}

/// No more threads are launched than there are elements.
inline void expect_an_element_for_each_thread(const observe::Report& launch, std::size_t n) {
  const std::uint64_t threads = launch.grid.count() * launch.block.count();
  if (threads <= n) return;
  expect(fmt::format("{}, {} blocks of {} threads", length(n), thousands(launch.grid.count()), launch.block.count()),
         fmt::format("{} threads are launched for {} elements\nexpected an element for each of them at least",
                     thousands(threads), thousands(n)));
}

/// The work is dealt out evenly: `n`, a large power of two or a multiple of one, is a whole number of elements for each
/// block, and none is launched that has nothing to do.
inline void expect_even_shares(const observe::Report& launch, std::size_t n) {
  const auto blocks = static_cast<std::size_t>(launch.grid.count());
  const std::string input =
      fmt::format("{}, {} blocks of {} threads", length(n), thousands(blocks), launch.block.count());
  if (n % blocks != 0)
    expect(input,
           fmt::format("{} elements do not make {} equal shares\nexpected a grid in which every block has as much "
                       "to do: such an n leaves no block without work, and none with a rest",
                       thousands(n), thousands(blocks)));
  expect_an_element_for_each_thread(launch, n);
}

}  // namespace warpwright
