// Every access pattern that was measured on an H200 (h200/README.md), played to the counters: they must say what the
// hardware said.
#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "observe/bank_conflicts.h"
#include "observe/coalescing.h"
#include "observe/metrics.h"
#include "scene.h"

namespace warpwright::observe::testing {
namespace {

struct Pattern {
  std::string kind;
  std::uint32_t bytes = 0;
  Lanes active = 0;
  std::string wavefronts, conflicts, requests, sectors;  // empty where they mean nothing
  std::array<std::uint64_t, warp_size> index{};
};

std::vector<Pattern> read_patterns() {
  std::ifstream file(PATTERNS_FILE);
  std::string line;
  std::getline(file, line);
  std::vector<Pattern> patterns;
  while (std::getline(file, line)) {
    std::istringstream cells(line);
    const auto next = [&] {
      std::string cell;
      std::getline(cells, cell, ',');
      return cell;
    };
    Pattern pattern;
    pattern.kind = next();
    pattern.bytes = static_cast<std::uint32_t>(std::stoul(next()));
    pattern.active = static_cast<Lanes>(std::stoul(next(), nullptr, 16));
    pattern.wavefronts = next();
    pattern.conflicts = next();
    pattern.requests = next();
    pattern.sectors = next();
    for (std::uint64_t& index : pattern.index) index = std::stoull(next());
    patterns.push_back(pattern);
  }
  return patterns;
}

struct Kind {
  std::string instruction;         // without its width
  std::string_view first, second;  // the metrics that the file holds
};

const std::map<std::string, Kind> kinds = {
    {"global_load", {"ld.global", metric::global_load_requests, metric::global_load_sectors}},
    {"global_store", {"st.global", metric::global_store_requests, metric::global_store_sectors}},
    {"shared_load", {"ld.shared", metric::shared_load_wavefronts, metric::shared_load_conflicts}},
    {"shared_store", {"st.shared", metric::shared_store_wavefronts, metric::shared_store_conflicts}},
    {"shared_atomic_add", {"atom.shared.add", metric::shared_atomic_wavefronts, metric::shared_atomic_conflicts}},
    {"shared_atomic_exch", {"atom.shared.exch", metric::shared_atomic_wavefronts, metric::shared_atomic_conflicts}},
    {"shared_atomic_cas", {"atom.shared.cas", metric::shared_atomic_wavefronts, metric::shared_atomic_conflicts}},
    {"shared_atomic_count", {"red.shared.add", metric::shared_atomic_wavefronts, metric::shared_atomic_conflicts}},
    {"global_atomic", {"red.global.add", metric::global_atomic_requests, metric::global_atomic_sectors}},
};

const std::map<std::uint32_t, std::string> widths = {
    {1, ".b8"}, {2, ".b16"}, {4, ".b32"}, {8, ".v2.b32"}, {16, ".v4.b32"}};

TEST(AccessPatterns, AreCountedAsAnH200CountsThem) {
  constexpr std::uint64_t start = 1u << 16;
  std::map<std::string, int> rows;
  for (const Pattern& pattern : read_patterns()) {
    const Kind& kind = kinds.at(pattern.kind);
    const bool global = pattern.kind.starts_with("global");
    Scene scene(1, 32);
    const std::uint32_t pc = scene.at_line(1, kind.instruction + widths.at(pattern.bytes));
    scene.program.code[pc].compares = pattern.kind == "shared_atomic_cas";
    scene.program.code[pc].counts_up = pattern.kind == "shared_atomic_count";
    const Metrics metrics =
        Play(scene, global ? make_coalescing() : make_bank_conflicts())
            .access(pc, 0, pattern.active, [&](int lane) { return start + pattern.index[lane] * pattern.bytes; })
            .metrics();
    const std::string& first = global ? pattern.requests : pattern.wavefronts;
    const std::string& second = global ? pattern.sectors : pattern.conflicts;
    EXPECT_EQ(metrics.at(std::string(kind.first)), std::stod(first)) << "row " << rows["all"] + 2;
    EXPECT_EQ(metrics.at(std::string(kind.second)), std::stod(second)) << "row " << rows["all"] + 2;
    ++rows[pattern.kind];
    ++rows["all"];
  }
  const std::map<std::string, int> expected = {{"all", 761},
                                               {"global_load", 73},
                                               {"global_store", 70},
                                               {"global_atomic", 57},
                                               {"shared_load", 246},
                                               {"shared_store", 133},
                                               {"shared_atomic_add", 22},
                                               {"shared_atomic_exch", 58},
                                               {"shared_atomic_cas", 68},
                                               {"shared_atomic_count", 34}};
  EXPECT_EQ(rows, expected);
}

}  // namespace
}  // namespace warpwright::observe::testing
