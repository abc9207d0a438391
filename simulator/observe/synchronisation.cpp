#include "observe/synchronisation.h"

#include <algorithm>
#include <string_view>

namespace warpwright::observe {
namespace {

using machine::AccessKind;
using machine::Flow;

/// Of "bar.sync 1, 64;": "1, 64".
std::string_view operands_of(std::string_view text) {
  if (text.starts_with('@')) text.remove_prefix(std::min(text.find(' ') + 1, text.size()));
  const std::size_t space = text.find_first_of(" \t");
  if (space == std::string_view::npos) return {};
  text.remove_prefix(space);
  const std::size_t first = text.find_first_not_of(" \t");
  const std::size_t last = text.find_last_not_of(" \t;");
  return first == std::string_view::npos ? std::string_view{} : text.substr(first, last - first + 1);
}

std::string_view mnemonic_of(std::string_view text) {
  if (text.starts_with('@')) text.remove_prefix(std::min(text.find(' ') + 1, text.size()));
  return text.substr(0, text.find_first_of(" \t;"));
}

/// PTX ISA, "bar": sync a{, b}; arrive a, b; red.popc d, a{, b}, {!}c; red.and p, a{, b}, {!}c. `b` is the number of
/// threads.
bool names_thread_count(std::string_view text) {
  const std::string_view operands = operands_of(text);
  const auto count = 1 + std::ranges::count(operands, ',');
  const bool reduces = mnemonic_of(text).find(".red") != std::string_view::npos;
  return count > (reduces ? 3 : 1);
}

bool names_all_lanes(std::string_view text) {
  const std::string_view mask = operands_of(text);
  return mask == "-1" || mask == "0xffffffff" || mask == "0xFFFFFFFF" || mask == "4294967295";
}

bool may_be_shared(const machine::Instruction& instruction) {
  return instruction.elements != 0 && (instruction.generic || instruction.space == machine::Space::shared);
}

}  // namespace

Synchronisation synchronisation_of(const machine::Program& program) {
  Synchronisation found;
  for (std::uint32_t pc = 0; pc < program.code.size(); ++pc) {
    const machine::Instruction& instruction = program.code[pc];
    const std::string_view text = program.text(pc);
    if (instruction.flow == Flow::block_barrier) found.partial_block_barriers |= names_thread_count(text);
    if (instruction.flow == Flow::warp_barrier) found.partial_warp_barriers |= !names_all_lanes(text);
    if (!may_be_shared(instruction)) continue;
    const bool updates = instruction.kind == AccessKind::atomic || instruction.kind == AccessKind::reduction;
    const bool strong_store = instruction.kind == AccessKind::store && instruction.ordered;
    found.atomics |= updates || strong_store;
  }
  return found;
}

}  // namespace warpwright::observe
