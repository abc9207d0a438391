#include "isa/functions.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace warpwright::isa {
namespace {

/// Generic addresses from here on are functions'. The windows of shared and local memory and all devices lie elsewhere.
constexpr std::uint64_t function_window = std::uint64_t{1} << 60;
constexpr std::uint64_t module_stride = std::uint64_t{1} << 24;
constexpr std::uint64_t function_stride = 16;

using Edges = std::vector<std::vector<std::uint32_t>>;

Edges edges_of(const machine::Program& program) {
  Edges edges(program.functions.size());
  for (std::uint32_t f = 0; f < program.functions.size(); ++f)
    for (std::uint32_t pc = program.functions[f].begin; pc < program.functions[f].end; ++pc) {
      if (program.code[pc].flow != machine::Flow::call) continue;
      const machine::CallSite& site = program.call_sites[program.code[pc].option];
      if (site.function != machine::CallSite::indirect)
        edges[f].push_back(site.function);
      else
        for (std::uint32_t to = 1; to < program.functions.size(); ++to) edges[f].push_back(to);
    }
  return edges;
}

bool comes_back(const Edges& edges, std::uint32_t to) {
  std::vector<bool> seen(edges.size(), false);
  std::vector<std::uint32_t> work = edges[to];
  while (!work.empty()) {
    const std::uint32_t f = work.back();
    work.pop_back();
    if (f == to) return true;
    if (seen[f]) continue;
    seen[f] = true;
    work.insert(work.end(), edges[f].begin(), edges[f].end());
  }
  return false;
}

/// Bytes of the frames of `f` and of the deepest chain of calls from it; without recursion.
std::uint32_t depth_of(const machine::Program& program, const Edges& edges, std::uint32_t f,
                       std::unordered_map<std::uint32_t, std::uint32_t>& known) {
  if (const auto found = known.find(f); found != known.end()) return found->second;
  std::uint32_t below = 0;
  for (const std::uint32_t to : edges[f]) below = std::max(below, depth_of(program, edges, to, known));
  return known[f] = program.functions[f].frame_bytes + below;
}

}  // namespace

std::vector<const ptx::Function*> gather(const ptx::Module& module, const ptx::Function& entry) {
  std::unordered_map<std::string_view, const ptx::Function*> bodies;
  for (const ptx::Function& function : module.functions)
    if (!function.is_declaration && !function.is_entry) bodies[function.name] = &function;
  std::vector<const ptx::Function*> gathered = {&entry};
  std::unordered_set<const ptx::Function*> known = {&entry};
  const auto add = [&](const std::string& name) {
    const auto found = bodies.find(name);
    if (found != bodies.end() && known.insert(found->second).second) gathered.push_back(found->second);
  };
  for (std::size_t i = 0; i < gathered.size(); ++i)
    for (const ptx::Instruction& instruction : gathered[i]->body) {
      for (const ptx::Operand& operand : instruction.operands)
        if (operand.kind == ptx::Operand::Kind::symbol) add(operand.name);
      const bool through_pointer =
          instruction.parts.front() == "call" && instruction.operands.front().kind == ptx::Operand::Kind::reg;
      if (!through_pointer) continue;
      for (const ptx::Variable& variable : module.variables)
        for (const ptx::Relocation& relocation : variable.relocations) add(relocation.symbol);
    }
  return gathered;
}

std::uint64_t function_address(std::uint64_t module_number, std::size_t index) {
  return function_window + module_number * module_stride + (index + 1) * function_stride;
}

void add_functions(const ptx::Module& module, std::uint64_t module_number, Symbols& symbols) {
  for (std::size_t i = 0; i < module.functions.size(); ++i)
    symbols.addresses.try_emplace(module.functions[i].name, function_address(module_number, i));
}

void analyse_calls(machine::Program& program, bool has_alloca) {
  const Edges edges = edges_of(program);
  bool any_recursive = false;
  for (std::uint32_t f = 1; f < program.functions.size(); ++f)
    any_recursive |= program.functions[f].is_recursive = comes_back(edges, f);
  if (any_recursive) {
    program.local_bytes += open_stack;
  } else {
    std::unordered_map<std::uint32_t, std::uint32_t> known;
    program.local_bytes = depth_of(program, edges, 0, known);
  }
  if (has_alloca) program.local_bytes += open_stack;
}

}  // namespace warpwright::isa
