#include "observe/paths.h"

#include <vector>

namespace warpwright::observe {

using machine::Flow;

namespace {

bool may_call(const machine::Program& program, const machine::Instruction& call, const machine::Function& function) {
  const std::uint32_t target = program.call_sites[call.option].function;
  return target == machine::CallSite::indirect ? !function.is_kernel : &function == &program.functions[target];
}

}  // namespace

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
    bool goes_on = true;
    switch (instruction.flow) {
      case Flow::branch:
        go(instruction.target);
        goes_on = false;
        break;
      case Flow::indexed_branch:
        for (const std::uint32_t target : program.branch_tables[instruction.option]) go(target);
        goes_on = false;
        break;
      case Flow::call:
        for (const machine::Function& function : program.functions)
          if (may_call(program, instruction, function)) go(function.begin);
        break;
      case Flow::return_from_call:
        for (std::uint32_t site = 0; site < program.code.size(); ++site)
          if (program.code[site].flow == Flow::call) go(site + 1);
        goes_on = false;
        break;
      case Flow::exit:
        goes_on = false;
        break;
      default:
        break;
    }
    if (goes_on || !always) go(pc + 1);
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
