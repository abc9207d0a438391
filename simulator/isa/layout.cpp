#include "isa/layout.h"

#include <cxxabi.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <unordered_set>
#include <utility>

namespace warpwright::isa {
namespace {

using machine::SpecialRegister;

constexpr std::uint32_t round_up(std::uint32_t value, std::uint32_t to) { return (value + to - 1) / to * to; }

constexpr std::array<std::pair<std::string_view, SpecialRegister>, 40> special_registers = {{
    {"tid.x", SpecialRegister::tid_x},
    {"tid.y", SpecialRegister::tid_y},
    {"tid.z", SpecialRegister::tid_z},
    {"ntid.x", SpecialRegister::ntid_x},
    {"ntid.y", SpecialRegister::ntid_y},
    {"ntid.z", SpecialRegister::ntid_z},
    {"ctaid.x", SpecialRegister::ctaid_x},
    {"ctaid.y", SpecialRegister::ctaid_y},
    {"ctaid.z", SpecialRegister::ctaid_z},
    {"nctaid.x", SpecialRegister::nctaid_x},
    {"nctaid.y", SpecialRegister::nctaid_y},
    {"nctaid.z", SpecialRegister::nctaid_z},
    {"laneid", SpecialRegister::laneid},
    {"warpid", SpecialRegister::warpid},
    {"nwarpid", SpecialRegister::nwarpid},
    {"lanemask_eq", SpecialRegister::lanemask_eq},
    {"lanemask_le", SpecialRegister::lanemask_le},
    {"lanemask_lt", SpecialRegister::lanemask_lt},
    {"lanemask_ge", SpecialRegister::lanemask_ge},
    {"lanemask_gt", SpecialRegister::lanemask_gt},
    {"dynamic_smem_size", SpecialRegister::dynamic_smem_size},
    {"total_smem_size", SpecialRegister::total_smem_size},
    {"smid", SpecialRegister::smid},
    {"nsmid", SpecialRegister::nsmid},
    {"clusterid.x", SpecialRegister::ctaid_x},  // a cluster is one block
    {"clusterid.y", SpecialRegister::ctaid_y},
    {"clusterid.z", SpecialRegister::ctaid_z},
    {"nclusterid.x", SpecialRegister::nctaid_x},
    {"nclusterid.y", SpecialRegister::nctaid_y},
    {"nclusterid.z", SpecialRegister::nctaid_z},
    {"cluster_ctaid.x", SpecialRegister::zero},
    {"cluster_ctaid.y", SpecialRegister::zero},
    {"cluster_ctaid.z", SpecialRegister::zero},
    {"cluster_ctarank", SpecialRegister::zero},
    {"cluster_nctaid.x", SpecialRegister::one},
    {"cluster_nctaid.y", SpecialRegister::one},
    {"cluster_nctaid.z", SpecialRegister::one},
    {"cluster_nctarank", SpecialRegister::one},
    {"envreg1", SpecialRegister::envreg1},
    {"envreg2", SpecialRegister::envreg2},
}};

void collect_names(const ptx::Operand& operand, std::unordered_set<std::string>& names) {
  if (!operand.name.empty()) names.insert(operand.name);
  for (const ptx::Operand& element : operand.elements) collect_names(element, names);
}

std::unordered_set<std::string> names_used(const std::vector<const ptx::Function*>& functions) {
  std::unordered_set<std::string> names;
  for (const ptx::Function* function : functions)
    for (const ptx::Instruction& instruction : function->body)
      for (const ptx::Operand& operand : instruction.operands) collect_names(operand, names);
  return names;
}

std::string demangled(const std::string& mangled) {
  // What is not mangled may still look like a mangled type: `i` is one of int.
  if (!mangled.starts_with("_Z")) return mangled;
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> name(
      abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 ? std::string(name.get()) : mangled;
}

/// Cuts a demangled function's parameter list off, and what encloses the name: "(anonymous namespace)::f<2>(int)" is
/// "f<2>".
std::string last_component(std::string name) {
  int depth = 0;
  std::size_t end = name.size();
  if (!name.empty() && name.back() == ')') {
    for (std::size_t i = name.size(); i-- > 0;) {
      depth += name[i] == ')' ? 1 : name[i] == '(' ? -1 : 0;
      if (depth == 0) {
        end = i;
        break;
      }
    }
  }
  name.resize(end);
  std::size_t start = 0;
  depth = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] == '<' || name[i] == '(') ++depth;
    if (name[i] == '>' || name[i] == ')') --depth;
    if (depth == 0 && (name[i] == ' ' || (name[i] == ':' && i > 0 && name[i - 1] == ':'))) start = i + 1;
  }
  return name.substr(start);
}

}  // namespace

std::string source_name(const std::string& mangled) {
  // An array in a function that is inlined twice is two: "part" and "part_$_1".
  const std::string name = mangled.substr(0, mangled.find("_$_"));
  // What is not mangled may still look like a mangled type: `s` is a short one.
  return name.starts_with("_Z") ? last_component(demangled(name)) : name;
}

Layout::Layout(const ptx::Module& module, const std::vector<const ptx::Function*>& functions, const Symbols& symbols,
               machine::Program& program)
    : program_(program), symbols_(symbols), scopes_(functions.size()) {
  program.functions.resize(functions.size());
  for (std::size_t i = 0; i < functions.size(); ++i) {
    machine::Function& to = program.functions[i];
    to.name = source_name(functions[i]->name);
    to.is_kernel = functions[i]->is_entry;
    to.address = address_of(functions[i]->name).value_or(0);
    functions_[functions[i]->name] = static_cast<std::uint32_t>(i);
    program_.register_bytes = round_up(program_.register_bytes, 64);
    to.registers_begin = program_.register_bytes;
    lay_out_registers(*functions[i], to, scopes_[i]);
    lay_out_storages(*functions[i], to, scopes_[i]);
    lay_out_locals(*functions[i], to, scopes_[i]);
    to.registers_end = program_.register_bytes;
  }
  lay_out_shared(module, functions);
  lay_out_parameters(*functions.front());
  enter(0);
}

std::uint32_t Layout::allocate(std::uint32_t bytes) {
  const std::uint32_t offset = program_.register_bytes;
  program_.register_bytes += bytes;
  return offset;
}

void Layout::lay_out_registers(const ptx::Function& function, machine::Function& to, Scope& scope) {
  if (function.body.empty()) return;  // nobody uses them
  const auto add = [&](const std::string& name, ptx::Type type) {
    Register& reg = scope.registers[name];
    if (type == ptx::Type::pred) {
      reg = {allocate(sizeof(machine::Lanes)), Width::predicate};
    } else {
      const Width width = width_for(ptx::size_of(type));
      reg = {allocate(lane_bytes(width) * machine::warp_size), width};
    }
    to.registers.push_back({reg.offset, lane_bytes(reg.width)});
  };
  const auto add_all = [&](bool predicates) {
    for (const ptx::Registers& group : function.registers) {
      if ((group.type == ptx::Type::pred) != predicates) continue;
      if (group.count == 0) add(group.stem, group.type);
      for (std::uint32_t i = 0; i < group.count; ++i) add(group.stem + std::to_string(i), group.type);
    }
  };
  // Predicates are one mask each and lie together, so that vectors of lanes stay aligned behind them.
  add_all(true);
  program_.register_bytes = round_up(program_.register_bytes, 64);
  add_all(false);
}

void Layout::lay_out_storages(const ptx::Function& function, machine::Function& to, Scope& scope) {
  const auto add = [&](const ptx::Variable& variable) {
    machine::Storage storage{0, static_cast<std::uint32_t>(variable.bytes)};
    storage.offset = allocate(storage.lane_bytes() * machine::warp_size);
    to.registers.push_back({storage.offset, storage.lane_bytes()});
    scope.storages[variable.name] = storage;
    return storage;
  };
  for (const ptx::Variable& variable : function.variables)
    if (variable.space == ptx::Space::param) add(variable);
  if (function.is_entry) return;
  for (const ptx::Variable& variable : function.parameters) to.parameters.push_back(add(variable));
  for (const ptx::Variable& variable : function.returns) to.returns.push_back(add(variable));
}

void Layout::lay_out_shared(const ptx::Module& module, const std::vector<const ptx::Function*>& functions) {
  const std::unordered_set<std::string> used = names_used(functions);
  std::uint32_t declared = 0;  // as the hardware would place it
  std::uint32_t zones = 0;
  std::uint32_t end = 0;
  std::vector<const ptx::Variable*> dynamic;
  const auto place = [&](const ptx::Variable& variable) {
    if (variable.space != ptx::Space::shared) return;
    if (variable.bytes == 0) {
      if (used.contains(variable.name)) dynamic.push_back(&variable);
      return;
    }
    if (!used.contains(variable.name)) return;
    declared = round_up(declared, static_cast<std::uint32_t>(variable.align));
    const std::uint32_t offset = declared + zones++ * red_zone;
    program_.shared.push_back({source_name(variable.name), offset, static_cast<std::uint32_t>(variable.bytes), false});
    variables_[variable.name] = offset;
    declared += static_cast<std::uint32_t>(variable.bytes);
    end = offset + static_cast<std::uint32_t>(variable.bytes);
  };
  for (const ptx::Variable& variable : module.variables) place(variable);
  for (const ptx::Function* function : functions)
    for (const ptx::Variable& variable : function->variables) place(variable);
  program_.static_shared_bytes = declared;
  program_.shared_window_bytes = end;
  if (dynamic.empty()) return;
  std::uint32_t align = 16;
  for (const ptx::Variable* variable : dynamic) align = std::max(align, static_cast<std::uint32_t>(variable->align));
  const std::uint32_t offset = round_up(declared, align) + zones * red_zone;
  program_.shared.push_back({source_name(dynamic.front()->name), offset, 0, true});
  program_.shared_window_bytes = offset;
  for (const ptx::Variable* variable : dynamic) variables_[variable->name] = offset;
}

void Layout::lay_out_locals(const ptx::Function& function, machine::Function& to, Scope& scope) {
  for (const ptx::Variable& variable : function.variables) {
    if (variable.space != ptx::Space::local) continue;
    const std::uint32_t offset = round_up(to.frame_bytes, static_cast<std::uint32_t>(variable.align));
    to.frame_bytes = offset + static_cast<std::uint32_t>(variable.bytes);
    if (function.is_entry) {
      variables_[variable.name] = offset;
      continue;
    }
    const std::uint32_t reg = allocate(8 * machine::warp_size);
    to.registers.push_back({reg, 8});
    to.frame_addresses.push_back({reg, offset});
    scope.frame_addresses[variable.name] = reg;
  }
  to.frame_bytes = round_up(to.frame_bytes, 16);
  if (function.is_entry) program_.local_bytes = to.frame_bytes;
}

void Layout::lay_out_parameters(const ptx::Function& function) {
  for (const ptx::Variable& parameter : function.parameters) {
    const std::uint32_t offset = round_up(program_.parameter_bytes, static_cast<std::uint32_t>(parameter.align));
    parameters_[parameter.name] = offset;
    program_.parameters.push_back({offset, static_cast<std::uint32_t>(parameter.bytes)});
    program_.parameter_bytes = offset + static_cast<std::uint32_t>(parameter.bytes);
  }
}

std::uint32_t Layout::constant(Width width, std::uint64_t bits) {
  if (width == Width::predicate) bits = bits != 0 ? machine::all_lanes : 0;
  if (width != Width::b64) bits &= 0xffffffffu;
  const auto [entry, is_new] = constants_.try_emplace({width, bits}, 0);
  if (is_new) {
    const std::uint32_t lane_bytes = width == Width::b64 ? 8 : 4;
    entry->second = allocate(lane_bytes * machine::warp_size);
    program_.immediates.push_back({entry->second, lane_bytes, bits});
  }
  return entry->second;
}

std::optional<std::uint32_t> Layout::special(const std::string& name) {
  if (const auto known = specials_.find(name); known != specials_.end()) return known->second;
  const auto* which = std::ranges::find(special_registers, name, [](const auto& entry) { return entry.first; });
  if (which == special_registers.end()) return std::nullopt;
  const std::uint32_t reg = allocate(4 * machine::warp_size);
  program_.specials.push_back({which->second, reg});
  specials_[name] = reg;
  return reg;
}

std::uint32_t Layout::scratch(std::size_t which) {
  while (scratches_.size() <= which) scratches_.push_back(allocate(lane_bytes(Width::b128) * machine::warp_size));
  return scratches_[which];
}

std::uint32_t Layout::condition_code() {
  if (!condition_code_) condition_code_ = allocate(4 * machine::warp_size);  // so that what follows stays aligned
  return *condition_code_;
}

std::optional<std::uint64_t> Layout::address_of(const std::string& symbol) const {
  if (const auto found = variables_.find(symbol); found != variables_.end()) return found->second;
  if (const auto found = symbols_.addresses.find(symbol); found != symbols_.addresses.end()) return found->second;
  // The address of a kernel's own parameter is its place among them.
  if (const auto found = parameters_.find(symbol); found != parameters_.end()) return found->second;
  return std::nullopt;
}

std::optional<std::uint32_t> Layout::parameter_offset(const std::string& name) const {
  const auto found = parameters_.find(name);
  return found == parameters_.end() ? std::nullopt : std::optional(found->second);
}

template <class Map>
static std::optional<typename Map::mapped_type> find(const Map& map, const std::string& name) {
  const auto found = map.find(name);
  return found == map.end() ? std::nullopt : std::optional(found->second);
}

std::optional<machine::Storage> Layout::storage(const std::string& name) const { return find(scope_->storages, name); }

std::optional<std::uint32_t> Layout::frame_address(const std::string& name) const {
  return find(scope_->frame_addresses, name);
}

std::optional<std::uint32_t> Layout::function(const std::string& name) const { return find(functions_, name); }

}  // namespace warpwright::isa
