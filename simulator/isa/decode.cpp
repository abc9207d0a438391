#include "isa/decode.h"

#include <fmt/core.h>

#include <algorithm>
#include <stdexcept>

#include "isa/decoder.h"
#include "isa/features.h"
#include "isa/functions.h"
#include "isa/layout.h"
#include "isa/operands.h"
#include "machine/flow.h"

namespace warpwright::isa {
namespace {

/// Of registers and variables that are not global: far more than any compiler needs.
constexpr std::uint64_t most_declared = std::uint64_t{1} << 27;

const ptx::Function& find_entry(const ptx::Module& module, const std::string& name) {
  const auto found = std::ranges::find_if(module.functions, [&](const ptx::Function& function) {
    return function.is_entry && !function.is_declaration && function.name == name;
  });
  if (found == module.functions.end()) throw std::invalid_argument("the module has no kernel called " + name);
  return *found;
}

/// The inlining chain of a location, innermost first. Line 0 marks code that no line stands for; it is skipped.
std::vector<machine::Frame> chain_of(const ptx::Module& module, std::int32_t location, const std::string& kernel) {
  std::vector<machine::Frame> chain;
  while (location >= 0) {
    const ptx::Location& at = module.locations[location];
    const std::string function = at.function.empty() ? kernel : source_name(at.function);
    if (at.line != 0) chain.push_back({module.files.at(at.file), at.line, function});
    location = at.inlined_at;
  }
  return chain;
}

void record_lines(const ptx::Module& module, const ptx::Function& function, machine::Program& program) {
  if (program.chains_.empty()) program.chains_.emplace_back();  // of instructions without a line
  const std::string name = source_name(function.name);
  std::vector<std::uint32_t> chain_of_location(module.locations.size(), 0);
  std::uint32_t last = 0;
  for (const ptx::Instruction& instruction : function.body) {
    std::uint32_t chain = 0;
    if (instruction.location >= 0) {
      std::uint32_t& known = chain_of_location[instruction.location];
      if (known == 0) {
        std::vector<machine::Frame> frames = chain_of(module, instruction.location, name);
        if (!frames.empty()) {
          known = static_cast<std::uint32_t>(program.chains_.size());
          program.chains_.push_back(std::move(frames));
        }
      }
      chain = known != 0 ? known : last;
    }
    last = chain;
    program.chain_of_.push_back(chain);
    program.ptx_lines_.push_back(instruction.ptx_line);
    program.texts_.push_back(to_text(instruction));
  }
}

std::string place_of(const machine::Program& program, std::uint32_t pc) {
  const machine::Frame* frame = program.learner_frame(pc);
  return frame == nullptr ? fmt::format("PTX line {}", program.ptx_line(pc))
                          : fmt::format("{}:{}, PTX line {}", frame->file, frame->line, program.ptx_line(pc));
}

/// What only the whole code shows.
void summarise(machine::Program& program) {
  for (const machine::Instruction& instruction : program.code) {
    if (instruction.elements == 0 || instruction.space == machine::Space::param) continue;
    if (instruction.generic || instruction.space == machine::Space::shared)
      program.shared_granule = std::min<std::uint32_t>(program.shared_granule, instruction.element_bytes);
    const bool may_be_global = instruction.generic || instruction.space == machine::Space::global;
    const bool is_atomic =
        instruction.kind == machine::AccessKind::atomic || instruction.kind == machine::AccessKind::reduction;
    if (may_be_global && (is_atomic || instruction.ordered)) program.order_dependent = true;
  }
}

/// A function ends where its body does.
void append_return(machine::Program& program, bool is_kernel) {
  machine::Instruction leave;
  leave.flow = is_kernel ? machine::Flow::exit : machine::Flow::return_from_call;
  program.code.push_back(leave);
  program.operands.emplace_back();
  program.texts_.push_back("ret");
  program.ptx_lines_.push_back(program.ptx_lines_.empty() ? 0 : program.ptx_lines_.back());
  program.chain_of_.push_back(program.chain_of_.empty() ? 0 : program.chain_of_.back());
}

/// Bytes in a warp's registers or in a block's memory, 0 of a variable that lies elsewhere.
std::uint64_t bytes_of(const ptx::Variable& variable) {
  if (variable.space == ptx::Space::global || variable.space == ptx::Space::constant) return 0;
  const std::uint64_t bytes = std::min(variable.bytes, most_declared) + variable.align;
  return variable.space == ptx::Space::param ? machine::warp_size * bytes : bytes;  // every lane's own
}

/// Places are 32-bit numbers: what declares more than those reach, which is more than any GPU has, is refused.
void check_room(const ptx::Module& module, const std::vector<const ptx::Function*>& functions) {
  std::uint64_t bytes = 0;
  const auto add = [&](std::uint64_t more, std::uint32_t ptx_line) {
    bytes += more;
    if (bytes <= most_declared) return;
    throw machine::UnsupportedInstruction(
        fmt::format("the simulated GPU cannot run `{}` (PTX line {}): with what it calls, it declares registers and "
                    "variables of more than {} bytes",
                    source_name(functions.front()->name), ptx_line, most_declared));
  };
  for (const ptx::Variable& variable : module.variables) add(bytes_of(variable), variable.ptx_line);
  for (const ptx::Function* function : functions) {
    for (const std::vector<ptx::Variable>* list : {&function->parameters, &function->returns, &function->variables})
      for (const ptx::Variable& variable : *list) add(bytes_of(variable), variable.ptx_line);
    if (function->body.empty()) continue;  // its registers have no place
    for (const ptx::Registers& group : function->registers)
      add(std::uint64_t{8} * machine::warp_size * std::max(group.count, 1u), function->body.front().ptx_line);
  }
}

void decode_function(const ptx::Module& module, const ptx::Function& function, Layout& layout,
                     machine::Program& program) {
  const auto base = static_cast<std::uint32_t>(program.code.size());
  record_lines(module, function, program);
  Decoder decoder(function, layout, program, base);
  for (const ptx::Instruction& instruction : function.body) {
    const auto pc = static_cast<std::uint32_t>(program.code.size());
    try {
      program.code.push_back(decoder.decode(instruction));
      append_operands(instruction, layout, program);
    } catch (const Decoder::Unsupported& reason) {
      const std::string_view feature = missing_feature(instruction);
      throw machine::UnsupportedInstruction(fmt::format("the simulated GPU cannot run `{}` ({}): {}", program.text(pc),
                                                        place_of(program, pc),
                                                        feature.empty() ? reason.what() : feature));
    }
  }
  append_return(program, function.is_entry);
}

}  // namespace

machine::Program decode(const ptx::Module& module, const std::string& entry_name, const Symbols& symbols) {
  const ptx::Function& entry = find_entry(module, entry_name);
  machine::Program program;
  program.mangled = entry_name;
  program.kernel = source_name(entry_name);
  if (entry.max_threads != 0) program.max_threads = entry.max_threads;

  if (std::ranges::any_of(entry.required_cluster, [](std::uint32_t blocks) { return blocks > 1; }))
    throw machine::UnsupportedInstruction(fmt::format(
        "the simulated GPU cannot run `{}`: its __cluster_dims__ ask for clusters of several blocks, which are not "
        "simulated",
        program.kernel));
  Symbols all = symbols;
  add_functions(module, 0, all);
  const std::vector<const ptx::Function*> functions = gather(module, entry);
  check_room(module, functions);
  Layout layout(module, functions, all, program);
  for (std::size_t i = 0; i < functions.size(); ++i) {
    layout.enter(i);
    program.functions[i].begin = static_cast<std::uint32_t>(program.code.size());
    decode_function(module, *functions[i], layout, program);
    program.functions[i].end = static_cast<std::uint32_t>(program.code.size());
  }
  analyse_calls(program, program.has_alloca);
  summarise(program);
  machine::analyse_flow(program);
  find_unwritten(program);
  return program;
}

}  // namespace warpwright::isa
