// What the tests of this chapter share: lengths around whole warps, results that are whole numbers, and counters of
// what warps execute.
#pragma once

#include <fmt/core.h>

#include <string>
#include <vector>

#include "claims.h"
#include "contract.h"
#include "device_array.h"
#include "inputs.h"
#include "numbers.h"
#include "observe/metrics.h"
#include "profile.h"
#include "warps.h"
#include "words.h"

namespace warps {

inline std::string length(std::size_t n) { return "n = " + warpwright::thousands(n); }

/// Around every length at which a lane, a warp or a block is full. 2 comes before 0, so that a launcher which divides
/// by its grid is told what is wrong with it.
inline constexpr std::size_t lengths[] = {2,   0,   1,   31,  32,   33,   63,   64,   65,   95,  127,
                                          128, 255, 256, 257, 1000, 1023, 1024, 1025, 4099, 9001};

/// False, and the test has failed, if the numbers differ or the device made a mistake on the way.
template <class T>
bool expect_numbers(const std::string& input, const std::string& what, const std::vector<T>& got,
                    const std::vector<T>& expected) {
  const auto wrong = difference(what, got, expected);
  warpwright::expect(input, wrong);
  return !wrong && !warpwright::made_a_mistake();
}

/// Fails the test if a kernel has changed its input.
template <class T>
void expect_unchanged(const std::string& input, const std::string& what, const warpwright::DeviceArray<T>& array,
                      const std::vector<T>& before) {
  warpwright::expect(input + ", after the run: the input is read only", difference(what, array.download(), before));
}

/// How often warps execute an instruction, by the first word of its name.
inline warpwright::Counter executed(const std::string& opcode, const std::string& name) {
  return {name, {{warpwright::observe::metric::instructions_of(opcode), ""}}};
}

inline const warpwright::Counter shuffles_executed = {"shuffles of warps",
                                                      {{std::string(warpwright::observe::metric::shuffles), ""}}};
inline const warpwright::Counter launched_warps = {"warps launched",
                                                   {{std::string(warpwright::observe::metric::launched_warps), ""}}};
inline const warpwright::Counter branches = {"conditional branches of warps",
                                             {{std::string(warpwright::observe::metric::branches), ""}}};
/// stir() and fold() multiply once a round.
inline const warpwright::Counter multiplications = {
    "multiplications of warps",
    {{warpwright::observe::metric::instructions_of("mul"), "plain"},
     {warpwright::observe::metric::instructions_of("mad"), "with an addition"}}};

}  // namespace warps
