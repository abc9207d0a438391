#include <gtest/gtest.h>

#include "device.h"

namespace warpwright {
namespace {

using machine::AccessKind;
using machine::Space;

struct Made {
  machine::Program program;

  void at_line(std::uint32_t line, AccessKind access, Space space, std::uint8_t elements = 1) {
    machine::Instruction instruction;
    instruction.kind = access;
    instruction.space = space;
    instruction.elements = elements;
    program.code.push_back(instruction);
    program.chain_of_.push_back(static_cast<std::uint32_t>(program.chains_.size()));
    program.chains_.push_back({{.file = "a.cu", .line = line, .function = "kernel"}});
  }
};

TEST(LinesThatWrite, AreThoseOfGlobalStoresReductionsAndAtomics) {
  if (!why_no_counters().empty()) GTEST_SKIP() << why_no_counters();
  Made made;
  made.at_line(1, AccessKind::load, Space::global);
  made.at_line(2, AccessKind::store, Space::global);
  made.at_line(3, AccessKind::store, Space::shared);
  made.at_line(4, AccessKind::reduction, Space::global, 0);  // no access to memory
  made.at_line(5, AccessKind::atomic, Space::global);
  made.at_line(6, AccessKind::reduction, Space::global);
  made.at_line(7, AccessKind::store, Space::shared);
  made.program.code.back().generic = true;
  made.at_line(0, AccessKind::store, Space::global);
  const std::set<SourceLine> expected = {{"a.cu", 2}, {"a.cu", 5}, {"a.cu", 6}, {"a.cu", 7}};
  EXPECT_EQ(lines_that_write(observe::Report(made.program)), expected);
}

}  // namespace
}  // namespace warpwright
