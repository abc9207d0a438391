// Access patterns for the rules that a learner writes: random ones of every sort, and those that were measured on an
// H200.
#pragma once

#include <fmt/core.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "inputs.h"
#include "words.h"

namespace memory {

struct Pattern {
  unsigned bytes = 4;  // of one lane
  std::uint32_t active = 0xffffffff;
  std::array<std::uint64_t, 32> addresses{};
};

/// "4 bytes a lane, lane n at 4096 + 4 * n": enough to try it on paper.
inline std::string words_of(const Pattern& pattern) {
  std::string text = warpwright::so_many(pattern.bytes, "byte") + " a lane, ";
  if (pattern.active != 0xffffffff) text += fmt::format("active lanes 0x{:08x}, ", pattern.active);
  const auto apart = static_cast<std::int64_t>(pattern.addresses[1] - pattern.addresses[0]);
  bool regular = true;
  for (unsigned lane = 1; lane < 32; ++lane) {
    regular = regular && pattern.addresses[lane] - pattern.addresses[lane - 1] == static_cast<std::uint64_t>(apart);
  }
  if (regular && apart == 0) return text + fmt::format("all at {}", pattern.addresses[0]);
  if (regular)
    return text + fmt::format("lane n at {} {} {} * n", pattern.addresses[0], apart < 0 ? '-' : '+', std::abs(apart));
  text += "lanes at";
  for (unsigned lane = 0; lane < 32; ++lane) {
    text += (pattern.active >> lane & 1) != 0 ? fmt::format(" {}", pattern.addresses[lane]) : std::string(" -");
  }
  return text;
}

/// Lane n touches `bytes` at start + apart * n.
inline Pattern stride(unsigned bytes, std::uint64_t start, std::int64_t apart, std::uint32_t active = 0xffffffff) {
  Pattern pattern{bytes, active, {}};
  for (unsigned lane = 0; lane < 32; ++lane) {
    pattern.addresses[lane] = start + static_cast<std::uint64_t>(apart * static_cast<std::int64_t>(lane));
  }
  return pattern;
}

/// Strided, clustered and scattered ones, with lanes that share their addresses with others, and lanes that take no
/// part, of which the addresses are nonsense.
inline Pattern random_pattern(warpwright::Random& random, std::uint64_t start) {
  const unsigned bytes = 1u << random.below(5);
  const std::uint64_t span = std::uint64_t{1} << (1 + random.below(12));  // in elements
  const std::uint64_t apart = random.below(70);
  Pattern pattern{bytes, 0xffffffff, {}};
  for (unsigned lane = 0; lane < 32; ++lane) pattern.addresses[lane] = start + bytes * (apart * lane);
  const std::uint64_t strays = random.below(4) == 0 ? 0 : random.below(33);
  for (std::uint64_t i = 0; i < strays; ++i) pattern.addresses[random.below(32)] = start + bytes * random.below(span);
  // Partners with one address: what decides how wide loads are served.
  const std::uint64_t apart_lanes = std::uint64_t{1} << random.below(5);
  if (random.below(2) == 0) {
    for (unsigned lane = 0; lane < 32; ++lane) {
      if (random.below(20) != 0) pattern.addresses[lane] = pattern.addresses[lane & ~apart_lanes];
    }
  }
  if (random.below(2) == 0) pattern.active = static_cast<std::uint32_t>(random.next()) | 1u << random.below(32);
  for (unsigned lane = 0; lane < 32; ++lane) {
    if ((pattern.active >> lane & 1) == 0) pattern.addresses[lane] = random.next();
  }
  return pattern;
}

/// A row of simulator/tests/observe/h200/access_patterns.csv, whose README tells how they were measured.
struct Measured {
  std::string kind;  // "shared_load", "global_store", ...
  Pattern pattern;
  unsigned wavefronts = 0, conflicts = 0;  // of shared memory
  unsigned sectors = 0;                    // of global memory
};

inline std::vector<Measured> measured_patterns() {
  std::ifstream file(warpwright::in_repository("simulator/tests/observe/h200/access_patterns.csv"));
  std::string line;
  if (!std::getline(file, line)) throw std::runtime_error("the patterns measured on an H200 are not there");
  std::vector<Measured> rows;
  while (std::getline(file, line)) {
    std::istringstream cells(line);
    std::string cell;
    const auto number = [&](int base = 10) {
      std::getline(cells, cell, ',');
      return cell.empty() ? 0ul : std::stoul(cell, nullptr, base);
    };
    Measured row;
    std::getline(cells, row.kind, ',');
    row.pattern.bytes = static_cast<unsigned>(number());
    row.pattern.active = static_cast<std::uint32_t>(number(16));
    row.wavefronts = static_cast<unsigned>(number());
    row.conflicts = static_cast<unsigned>(number());
    number();  // requests: 1 of each
    row.sectors = static_cast<unsigned>(number());
    for (std::uint64_t& address : row.pattern.addresses) address = 65536 + row.pattern.bytes * number();
    rows.push_back(row);
  }
  return rows;
}

}  // namespace memory
