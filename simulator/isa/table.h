// Problem: a mnemonic must be found, its operands checked, and its function known.
// Idea: one table from the opcode as PTX spells it to the function that does it and the types of its operands.
// Invariant: an opcode that is not in the table, or not handled by the decoder's own rules (memory, branches, barriers,
// collectives), is unsupported: it stops the program with its name.
// Left out: instructions whose operands are not registers and immediates alone; see decode_*.cpp.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "isa/lanewise.h"

namespace warpwright::isa {

/// What a lanewise instruction needs of an operand.
enum class Width : std::uint8_t { predicate, b32, b64 };

struct Row {
  machine::Execute execute = nullptr;
  Width destination = Width::b32;
  std::uint8_t sources = 0;
  std::array<Width, 4> source{};
  /// Bytes of the value in its register when narrower than 4 (8- and 16-bit types), else 0: matters for wider
  /// registers.
  std::array<std::uint8_t, 4> source_bytes{};
  std::uint8_t destination_bytes = 0;
  bool destination_signed = false;
};

/// The row of an opcode such as "mad.lo.s32", or null.
const Row* find_row(std::string_view opcode);

/// All opcodes of the table, in order.
std::vector<std::string> opcodes();

}  // namespace warpwright::isa
