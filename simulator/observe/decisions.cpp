#include "observe/decisions.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>

namespace warpwright::observe {
namespace {

using machine::AccessKind;
using machine::Flow;
using machine::Instruction;
using machine::Space;

std::string_view in_brackets(std::string_view text) {
  const std::size_t begin = std::min(text.find('['), text.size());
  return text.substr(begin, text.find(']', begin) - begin);
}

bool compares(std::string_view opcode) { return opcode == "setp" || opcode == "set" || opcode == "slct"; }

/// All memory of a space that is accessed as one type: "shared.u8".
std::string memory_of(const Instruction& instruction, std::string_view text) {
  const std::string_view mnemonic = text.substr(0, text.find(' ', text.starts_with('@') ? text.find(' ') + 1 : 0));
  return std::string(name_of(instruction.space)).append(mnemonic.substr(mnemonic.rfind('.')));
}

}  // namespace

Decisions::Decisions(const machine::Program& program) : steps_(program.code.size()) {
  for (std::uint32_t pc = 0; pc < steps_.size(); ++pc) {
    const Instruction& instruction = program.code[pc];
    const std::string_view text = program.text(pc);
    Step& step = steps_[pc];
    step.operands = operands_of(text);
    if (instruction.elements != 0) {
      const std::string_view address = in_brackets(text);
      const bool is_swap = text.find(".cas.") != std::string_view::npos;
      std::ranges::copy_if(step.operands.read, std::back_inserter(step.decides), [&](const std::string& name) {
        return is_swap || address.find(name) != std::string_view::npos;
      });
      if (instruction.generic || instruction.space == Space::global) continue;
      auto& by_memory = instruction.kind == AccessKind::load ? step.operands.read : step.operands.written;
      by_memory.push_back(memory_of(instruction, text));
    } else if (compares(opcode_of(text)) || instruction.flow == Flow::branch ||
               instruction.flow == Flow::indexed_branch || instruction.flow == Flow::call) {
      step.decides = step.operands.read;
    }
  }
}

bool Decisions::depend_on(std::uint32_t pc) const {
  const auto& results = steps_[pc].operands.written;
  std::set<std::string_view> reached(results.begin(), results.end());
  const auto is_reached = [&](const std::string& name) { return reached.contains(name); };
  for (std::size_t before = 0; before != reached.size();) {
    before = reached.size();
    for (const Step& step : steps_) {
      if (std::ranges::any_of(step.decides, is_reached)) return true;
      if (std::ranges::any_of(step.operands.read, is_reached))
        reached.insert(step.operands.written.begin(), step.operands.written.end());
    }
  }
  return false;
}

}  // namespace warpwright::observe
