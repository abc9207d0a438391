#include "observe/roles.h"

#include <algorithm>
#include <span>

#include "observe/decisions.h"
#include "observe/paths.h"

namespace warpwright::observe {
namespace {

using machine::AccessKind;
using machine::Instruction;
using machine::Program;

bool is_update(const Instruction& instruction) {
  return instruction.kind == AccessKind::atomic || instruction.kind == AccessKind::reduction;
}

std::string_view mnemonic_of(std::string_view text) {
  if (text.starts_with('@')) text.remove_prefix(std::min(text.find(' ') + 1, text.size()));
  return text.substr(0, text.find_first_of(" \t;"));
}

/// Whether an atomic on the same address follows the load: then what was loaded is a first guess, and nothing depends
/// on its being current. The usual loop around an atomic compare-and-swap begins so.
bool is_first_guess(const Program& program, std::uint32_t load) {
  const Instruction& first = program.code[load];
  if (first.source[0] == machine::no_register) return false;
  for (std::uint32_t pc = 0; pc < program.code.size(); ++pc) {
    const Instruction& later = program.code[pc];
    if (later.elements == 0 || !is_update(later) || later.source[0] != first.source[0] || later.offset != first.offset)
      continue;
    if (leads_to(program, load, pc, true)) return true;
  }
  return false;
}

/// Marks the volatile loads of data in a program that also reads flags. A flag that is read behind the data may tell
/// whether they were whole, as the number in a sequence lock does: then nothing is said of them.
void find_data(const Program& program, std::vector<Roles::Entry>& entries) {
  const auto may_be_data = [&](std::uint32_t pc) {
    return entries[pc].is_volatile && entries[pc].role == Role::strong_read &&
           (program.code[pc].generic || program.code[pc].space == machine::Space::global);
  };
  std::vector<std::uint32_t> reads;
  for (std::uint32_t pc = 0; pc < entries.size(); ++pc)
    if (entries[pc].acquires) reads.push_back(pc);
  if (reads.size() < 2 || std::ranges::none_of(reads, may_be_data)) return;
  const Decisions decisions(program);
  const auto data = std::ranges::partition(reads, [&](std::uint32_t pc) { return decisions.depend_on(pc); });
  const std::span flags(reads.begin(), data.begin());
  for (const std::uint32_t pc : data)
    entries[pc].is_data = may_be_data(pc) && !flags.empty() && std::ranges::none_of(flags, [&](std::uint32_t flag) {
                            return leads_to(program, pc, flag, true);
                          });
}

bool is_mbarrier(std::string_view text) {
  return text.starts_with("mbarrier.") || text.starts_with("cp.async.mbarrier.");
}

/// PTX ISA, "mbarrier": who arrives releases, who has waited acquires, within the block, unless .relaxed is said. To
/// initialise one is a plain write.
Roles::Entry mbarrier_entry(const Instruction& instruction, std::string_view text) {
  Roles::Entry entry;
  if (has_part(text, "init") || has_part(text, "inval")) {
    entry.role = Role::writes;
    return entry;
  }
  const bool is_relaxed = has_part(text, "relaxed");
  entry.role = is_update(instruction) ? Role::atomic : Role::strong_read;
  entry.block_scope = true;
  entry.acquires = !is_update(instruction) && !is_relaxed;
  entry.releases = entry.releases_itself = is_update(instruction) && !is_relaxed;
  return entry;
}

Roles::Entry entry_of(const Program& program, std::uint32_t pc) {
  const Instruction& instruction = program.code[pc];
  const std::string_view text = mnemonic_of(program.text(pc));
  Roles::Entry entry;
  entry.is_volatile = has_part(text, "volatile");
  entry.system_scope = entry.is_volatile || has_part(text, "sys");
  const bool itself = has_part(text, "release") || has_part(text, "acq_rel");
  if (is_mbarrier(text)) return mbarrier_entry(instruction, text);
  if (is_update(instruction)) {
    entry.role = Role::atomic;
    entry.block_scope = has_part(text, "cta");
    entry.acquires = instruction.kind == AccessKind::atomic;
    entry.releases = true;
    entry.releases_itself = itself;
  } else if (instruction.kind == AccessKind::load) {
    entry.role = instruction.ordered ? Role::strong_read : Role::reads;
    entry.acquires = instruction.ordered;
  } else {
    entry.role = !instruction.ordered ? Role::writes : entry.is_volatile ? Role::volatile_write : Role::atomic;
    entry.releases = instruction.ordered;
    entry.releases_itself = itself;
    entry.block_scope = instruction.ordered && has_part(text, "cta");
  }
  return entry;
}

}  // namespace

bool has_part(std::string_view text, std::string_view part) {
  for (std::size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) {
    const std::size_t end = at + part.size();
    const bool starts = at > 0 && text[at - 1] == '.';
    if (starts && (end == text.size() || text[end] == '.')) return true;
  }
  return false;
}

Roles::Roles(const Program& program) : entries_(program.code.size()) {
  bool has_atomics = false, has_fences = false, releases = false;
  for (std::uint32_t pc = 0; pc < program.code.size(); ++pc) {
    const std::string_view text = program.text(pc);
    const std::string_view mnemonic = mnemonic_of(text);
    has_fences |= mnemonic.starts_with("membar.") || mnemonic.starts_with("fence.");
    const Instruction& instruction = program.code[pc];
    if (instruction.elements == 0) continue;
    entries_[pc] = entry_of(program, pc);
    has_atomics |= is_update(instruction);
    releases |= entries_[pc].releases_itself;
  }
  hands_over_ = has_fences || releases;
  find_data(program, entries_);
  if (!has_atomics) return;
  for (std::uint32_t pc = 0; pc < program.code.size(); ++pc) {
    const Instruction& instruction = program.code[pc];
    const bool plain_load = instruction.elements == 1 && entries_[pc].role == Role::reads &&
                            instruction.kind == AccessKind::load && instruction.space != machine::Space::param;
    if (plain_load && is_first_guess(program, pc)) entries_[pc].role = Role::strong_read;
  }
}

bool conflict(const Roles::Entry& one, const Roles::Entry& other, bool strangers) {
  const auto reads = [](Role role) { return role == Role::reads || role == Role::strong_read; };
  const auto plain = [](Role role) { return role == Role::reads || role == Role::writes; };
  if (reads(one.role) && reads(other.role)) return false;
  const auto hands_over = [](const Roles::Entry& write, const Roles::Entry& read) {
    return write.role == Role::volatile_write && read.is_data;
  };
  if (hands_over(one, other) || hands_over(other, one)) return true;
  if (plain(one.role) || plain(other.role)) return true;
  if (one.role == Role::volatile_write && other.role == Role::volatile_write) return true;
  return strangers && (one.block_scope || other.block_scope) && one.role == Role::atomic && other.role == Role::atomic;
}

}  // namespace warpwright::observe
