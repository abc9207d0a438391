// Problem: whether a value is defined is known by following it through registers, not by knowing what instructions
// mean.
// Idea: beside each instruction stands which registers it writes and reads, and which of a few kinds it is: does it
// move bytes, pick bits, compute?
// Invariant: a register is named by its offset in the register file, as everywhere; constants and special registers are
// always defined and do not appear.
#pragma once

#include <cstdint>

namespace warpwright::machine {

struct OperandRegister {
  std::uint32_t offset = 0;
  std::uint8_t bytes = 4;  // of a lane: 4, 8 or 16; 1 for a predicate
};

struct Operands {
  enum class Kind : std::uint8_t {
    other,    // barriers, fences, branches: what they read decides something
    move,     // mov, in parts too
    bits,     // shifts, masks, conversions: some bits of the operands matter
    select,   // selp
    compute,  // everything else
    load,
    store,
    atomic,
    shuffle,
  };
  Kind kind = Kind::other;
  std::uint8_t written = 0;     // registers from `first` on in Program::operand_registers...
  std::uint8_t read = 0;        // ...and behind them
  bool reads_constant = false;  // a source is no register
  std::uint32_t first = 0;
  std::uint32_t address = 0xffffffffu;  // memory: the register with the address, or no_register
};

}  // namespace warpwright::machine
