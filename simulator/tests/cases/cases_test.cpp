// Every case is named at its lines, with its threads; every mended form is silent.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include "cudart/session.h"

extern "C" {
void missing_sync_tree();
void missing_sync_tree_fixed();
void block_sum_reused();
void block_sum_reused_fixed();
void unwritten_tail();
void unwritten_tail_fixed();
}

namespace warpwright {
namespace {

using observe::Diagnosis;

std::vector<Diagnosis> diagnoses_of(void (*run)()) {
  cudart::take_launches();
  cudart::take_diagnoses();
  run();
  std::vector<Diagnosis> all = cudart::take_diagnoses();
  for (const observe::Report& report : cudart::take_launches())
    all.insert(all.end(), report.diagnoses.begin(), report.diagnoses.end());
  return all;
}

std::string listed(const std::vector<Diagnosis>& diagnoses) {
  std::string text;
  for (const Diagnosis& diagnosis : diagnoses)
    text += diagnosis.kind + " at line " + std::to_string(diagnosis.line) + ": " + diagnosis.message + "\n";
  return text;
}

/// The line of CASE.cu that carries the comment `// [marker]`.
std::uint32_t line_of(const std::string& name, const std::string& marker) {
  std::ifstream file(std::string(CASES_FOLDER) + "/" + name + ".cu");
  std::string text;
  for (std::uint32_t line = 1; std::getline(file, text); ++line)
    if (text.find("// [" + marker + "]") != std::string::npos) return line;
  ADD_FAILURE() << name << ".cu has no marker [" << marker << "]";
  return 0;
}

bool passes_line(const std::vector<machine::Frame>& frames, std::uint32_t line) {
  return std::ranges::any_of(frames, [&](const machine::Frame& frame) { return frame.line == line; });
}

TEST(Cases, MissingSyncTreeIsARaceBetweenTwoWarps) {
  const std::vector<Diagnosis> found = diagnoses_of(missing_sync_tree);
  const std::uint32_t load = line_of("missing_sync_tree", "load");
  const std::uint32_t add = line_of("missing_sync_tree", "add");
  EXPECT_TRUE(std::ranges::any_of(found, [&](const Diagnosis& diagnosis) {
    return diagnosis.kind == "race" && diagnosis.line == add && diagnosis.who && diagnosis.other &&
           (diagnosis.other->line == load || diagnosis.other->line == add) && diagnosis.who->block.x == 0 &&
           diagnosis.message.find("tile[") != std::string::npos;
  })) << listed(found);
}

TEST(Cases, BlockSumReusedIsARaceBetweenTheTwoCalls) {
  const std::vector<Diagnosis> found = diagnoses_of(block_sum_reused);
  const std::uint32_t write = line_of("block_sum_reused", "write");
  const std::uint32_t read = line_of("block_sum_reused", "read");
  const std::uint32_t first = line_of("block_sum_reused", "first call");
  const std::uint32_t second = line_of("block_sum_reused", "second call");
  EXPECT_TRUE(std::ranges::any_of(found, [&](const Diagnosis& diagnosis) {
    return diagnosis.kind == "race" && diagnosis.line == write && passes_line(diagnosis.frames, second) &&
           diagnosis.other && diagnosis.other->line == read && passes_line(diagnosis.other->frames, first);
  })) << listed(found);
}

TEST(Cases, UnwrittenTailIsAnUninitialisedRead) {
  const std::vector<Diagnosis> found = diagnoses_of(unwritten_tail);
  const std::uint32_t add = line_of("unwritten_tail", "add");
  ASSERT_FALSE(found.empty());
  EXPECT_TRUE(std::ranges::any_of(found, [&](const Diagnosis& diagnosis) {
    // n = 1000 leaves 232 values to block 3: thread 104 is the first whose partner, slot 232, was never written.
    return diagnosis.kind == "uninitialised" && diagnosis.line == add && diagnosis.who && diagnosis.who->block.x == 3 &&
           diagnosis.who->thread.x == 104 && diagnosis.message.find("tile[232]") != std::string::npos;
  })) << listed(found);
}

TEST(Cases, MendedFormsAreSilent) {
  for (void (*run)() : {missing_sync_tree_fixed, block_sum_reused_fixed, unwritten_tail_fixed}) {
    const std::vector<Diagnosis> found = diagnoses_of(run);
    EXPECT_TRUE(found.empty()) << listed(found);
  }
}

}  // namespace
}  // namespace warpwright
