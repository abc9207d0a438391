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
enum class Width : std::uint8_t { predicate, b32, b64, b128 };

/// Bytes of one lane; a predicate has a bit in a mask.
constexpr std::uint32_t lane_bytes(Width width) {
  switch (width) {
    case Width::predicate:
      return 0;
    case Width::b32:
      return 4;
    case Width::b64:
      return 8;
    default:
      return 16;
  }
}
/// The width of a register for values of so many bytes.
constexpr Width width_for(std::size_t bytes) { return bytes <= 4 ? Width::b32 : bytes <= 8 ? Width::b64 : Width::b128; }

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
