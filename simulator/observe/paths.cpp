#include "observe/paths.h"

#include <vector>

namespace warpwright::observe {

using machine::Flow;

bool leads_to(const machine::Program& program, std::uint32_t from, std::uint32_t to, bool past_warp_barriers) {
  std::vector<bool> seen(program.code.size(), false);
  std::vector<std::uint32_t> work;
  const auto go = [&](std::uint32_t pc) {
    if (pc >= seen.size() || seen[pc]) return;
    seen[pc] = true;
    work.push_back(pc);
  };
  const auto leave = [&](std::uint32_t pc) {
    const machine::Instruction& instruction = program.code[pc];
    const bool always = instruction.guard == machine::no_register;
    if (instruction.flow == Flow::branch) go(instruction.target);
    if (!always || (instruction.flow != Flow::branch && instruction.flow != Flow::exit)) go(pc + 1);
  };
  for (leave(from); !work.empty();) {
    const std::uint32_t pc = work.back();
    work.pop_back();
    if (pc == to) return true;
    const Flow flow = program.code[pc].flow;
    if (flow == Flow::block_barrier || (flow == Flow::warp_barrier && !past_warp_barriers)) continue;
    leave(pc);
  }
  return false;
}

}  // namespace warpwright::observe
