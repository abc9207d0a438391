// Problem: two kinds of word are read through volatile pointers. A flag may change while it is read, and that is its
// purpose; data may not, and needs an order that volatile does not give.
// Idea: a flag decides something. What is read from it comes to a comparison, a branch or an address; from data it
// comes to sums and results only.
// Left out: which way the program takes, and which element of an array it is. In doubt a word decides.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "machine/program.h"
#include "observe/operands.h"

namespace warpwright::observe {

class Decisions {
 public:
  explicit Decisions(const machine::Program& program);
  /// Whether what the instruction writes to its registers decides what the program does.
  bool depend_on(std::uint32_t pc) const;

 private:
  struct Step {
    Operands operands;                 // what lies in shared or local memory counts as a register
    std::vector<std::string> decides;  // of those that are read
  };
  std::vector<Step> steps_;  // by pc
};

}  // namespace warpwright::observe
