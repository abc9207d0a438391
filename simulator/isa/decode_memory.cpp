// ld, st, atom, red: PTX ISA, "Data Movement and Conversion Instructions" and "atom", "red".
#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "isa/decoder.h"
#include "isa/discard.h"
#include "isa/memory.h"
#include "isa/vector_atomic.h"

namespace warpwright::isa {
namespace {

using machine::AccessKind;
using machine::Instruction;
using machine::Space;

constexpr unsigned most_bytes = 16;  // that one lane may access at a time

bool is_one_of(std::string_view part, std::initializer_list<std::string_view> list) {
  return std::ranges::find(list, part) != list.end();
}

/// Cache operators and eviction hints: they change no result.
bool is_cache_hint(std::string_view part) {
  return is_one_of(part, {"ca", "cg", "cs", "lu", "cv", "wb", "wt", "nc"}) || part.starts_with("L1::") ||
         part.starts_with("L2::");
}

bool is_atomic_operation(std::string_view part) {
  return is_one_of(part, {"add", "min", "max", "inc", "dec", "and", "or", "xor", "exch", "cas"});
}

bool is_half(ptx::Type type) {
  return type == ptx::Type::f16 || type == ptx::Type::f16x2 || type == ptx::Type::bf16 || type == ptx::Type::bf16x2;
}

/// What the qualifiers between mnemonic and type say.
struct Qualifiers {
  bool generic = true;
  Space space = Space::global;
  bool ordered = false;
  unsigned elements = 1;
};

bool read_space(std::string_view part, Qualifiers& to) {
  constexpr std::array<std::pair<std::string_view, Space>, 8> spaces = {{{"global", Space::global},
                                                                         {"shared", Space::shared},
                                                                         {"shared::cta", Space::shared},
                                                                         {"local", Space::local},
                                                                         {"param", Space::param},
                                                                         {"param::entry", Space::param},
                                                                         {"const", Space::constant},
                                                                         {"param::func", Space::param}}};
  const auto* found = std::ranges::find(spaces, part, [](const auto& entry) { return entry.first; });
  if (found == spaces.end()) return false;
  to.generic = false;
  to.space = found->second;
  return true;
}

bool read_order(std::string_view part, Qualifiers& to) {
  if (is_one_of(part, {"volatile", "relaxed", "acquire", "release", "acq_rel", "mmio"})) {
    to.ordered = true;
    return true;
  }
  return is_one_of(part, {"weak", "cta", "cluster", "gpu", "sys"});
}

}  // namespace

Instruction Decoder::memory(const ptx::Instruction& from) {
  const bool is_load = from.parts.front() != "st";
  const auto type = ptx::type_named(from.parts.back());
  if (!type) throw Unsupported(fmt::format("the type .{}", from.parts.back()));
  Qualifiers qualifiers;
  for (std::size_t i = 1; i + 1 < from.parts.size(); ++i) {
    const std::string& part = from.parts[i];
    if (part == "v2" || part == "v4")
      qualifiers.elements = static_cast<unsigned>(part[1] - '0');
    else if (!read_space(part, qualifiers) && !read_order(part, qualifiers) && !is_cache_hint(part))
      throw Unsupported(fmt::format("the qualifier .{}", part));
  }
  Instruction to;
  to.generic = qualifiers.generic;
  to.space = qualifiers.space;
  to.ordered = qualifiers.ordered;
  to.set_elements(ptx::size_of(*type), qualifiers.elements);
  to.kind = is_load ? AccessKind::load : AccessKind::store;
  if (to.bytes > most_bytes) throw Unsupported("an access of more than 16 bytes");
  if (!is_load && !to.generic && to.space == Space::constant) throw Unsupported("a store to constant memory");
  const bool has_policy = std::ranges::find(from.parts, "L2::cache_hint") != from.parts.end();
  if (from.operands.size() != (has_policy ? 3u : 2u)) throw Unsupported("this number of operands");
  data(to, operand(from, is_load ? 0 : 1), *type, is_load);
  const ptx::Operand& at = operand(from, is_load ? 1 : 0);
  if (to.space == Space::param && !to.generic) {
    if (passes(to, at, is_load)) return to;
    if (!is_load) throw Unsupported("a store to a parameter");
    parameter(to, at, to.sign_extended);
    return to;
  }
  to.execute = is_load ? load(to.register_bytes, to.element_bytes, to.sign_extended)
                       : store(to.register_bytes, to.element_bytes);
  if (to.execute == nullptr) throw Unsupported("this type");
  address(to, at);
  return to;
}

void Decoder::data(Instruction& to, const ptx::Operand& operand, ptx::Type type, bool is_load) {
  using Kind = ptx::Operand::Kind;
  const std::vector<ptx::Operand> single = {operand};
  const std::vector<ptx::Operand>& elements = operand.kind == Kind::vector ? operand.elements : single;
  if (elements.size() != to.elements) throw Unsupported("this number of vector elements");
  Width width = width_for(to.element_bytes);
  for (const ptx::Operand& element : elements)
    if (element.kind == Kind::reg) width = std::max(width, layout_.reg(element.name).width);
  to.register_bytes = static_cast<std::uint8_t>(lane_bytes(width));
  to.sign_extended = ptx::name_of(type).starts_with('s');
  to.vector = static_cast<std::uint32_t>(program_.vectors.size());
  for (const ptx::Operand& element : elements) {
    if (is_load && element.kind == Kind::sink)
      program_.vectors.push_back(layout_.scratch());
    else
      program_.vectors.push_back(is_load ? destination(element, width) : source(element, width));
  }
}

void Decoder::parameter(Instruction& to, const ptx::Operand& at, bool sign_extended) {
  if (at.kind != ptx::Operand::Kind::address) throw Unsupported("this address of a parameter");
  if (at.base_is_register) {
    address(to, at);
    to.execute = load(to.register_bytes, to.element_bytes, sign_extended);
    if (to.execute == nullptr) throw Unsupported("this type");
    return;
  }
  const auto offset = layout_.parameter_offset(at.name);
  if (!offset) throw Unsupported(fmt::format("the parameter {}", at.name));
  const std::int64_t bytes = program_.parameter_bytes;
  if (at.offset < -bytes || at.offset > bytes) throw Unsupported("an address outside the parameters");
  to.offset = *offset + at.offset;
  if (to.offset < 0 || to.offset + to.bytes > bytes) throw Unsupported("an address outside the parameters");
  to.execute = load_parameter(to.register_bytes, to.element_bytes, sign_extended);
  if (to.execute == nullptr) throw Unsupported("this type");
}

void Decoder::address(Instruction& to, const ptx::Operand& at) {
  if (at.kind != ptx::Operand::Kind::address) throw Unsupported("this form of address");
  if (at.base_is_register) {
    const Layout::Register base = layout_.reg(at.name);
    if (base.width == Width::predicate) throw Unsupported("this form of address");
    to.wide_address = base.width == Width::b64;
    to.source[0] = base.offset;
    to.offset = at.offset;
    return;
  }
  std::uint64_t where = at.bits;
  if (!at.name.empty()) {
    const auto symbol = layout_.address_of(at.name);
    if (!symbol) throw Unsupported(fmt::format("the address of {}", at.name));
    where = *symbol;
  }
  to.source[0] = layout_.constant(Width::b64, where + static_cast<std::uint64_t>(at.offset));
}

bool Decoder::is_used(const std::string& name) const {
  std::size_t count = 0;
  const auto look = [&](const auto& again, const ptx::Operand& operand) -> void {
    if (operand.name == name || operand.name2 == name) ++count;
    for (const ptx::Operand& element : operand.elements) again(again, element);
  };
  for (const ptx::Instruction& instruction : function_.body)
    for (const auto* operands : {&instruction.operands, &instruction.returns, &instruction.arguments})
      for (const ptx::Operand& operand : *operands) look(look, operand);
  return count > 1;
}

Instruction Decoder::atomic(const ptx::Instruction& from) {
  const bool returns = from.parts.front() == "atom";
  const std::string& type_text = from.parts.back();
  const auto type = ptx::type_named(type_text);
  if (!type) throw Unsupported(fmt::format("the type .{}", type_text));
  std::string operation;
  Qualifiers qualifiers;
  for (std::size_t i = 1; i + 1 < from.parts.size(); ++i) {
    const std::string& part = from.parts[i];
    if (operation.empty() && is_atomic_operation(part))
      operation = part;
    else if ((part == "noftz" && is_half(*type)) || part == "L2::cache_hint")
      continue;
    else if (part == "v2" || part == "v4" || part == "v8")
      qualifiers.elements = static_cast<unsigned>(part[1] - '0');
    else if (!read_space(part, qualifiers) && !read_order(part, qualifiers))
      throw Unsupported(fmt::format("the qualifier .{}", part));
  }
  if (operation.empty()) throw Unsupported("an atomic without an operation");
  if (!returns && (operation == "exch" || operation == "cas")) throw Unsupported("a reduction that needs a result");
  if (!qualifiers.generic && qualifiers.space != Space::global && qualifiers.space != Space::shared)
    throw Unsupported(fmt::format("an atomic in {} memory", machine::name_of(qualifiers.space)));
  Instruction to;
  to.generic = qualifiers.generic;
  to.space = qualifiers.space;
  to.ordered = true;
  to.set_elements(ptx::size_of(*type), qualifiers.elements);
  const Width width = width_for(to.element_bytes);
  to.register_bytes = static_cast<std::uint8_t>(lane_bytes(width));
  to.kind = returns ? AccessKind::atomic : AccessKind::reduction;
  const bool has_policy = std::ranges::find(from.parts, "L2::cache_hint") != from.parts.end();
  const std::size_t operands = from.operands.size() - (has_policy && !from.operands.empty() ? 1 : 0);
  if (qualifiers.elements > 1) {
    vector_atomic(to, from, operation, operands);
    return to;
  }
  to.execute = isa::atomic(operation, type_text);
  if (to.execute == nullptr) throw Unsupported(fmt::format("the atomic {} of type {}", operation, type_text));
  std::size_t next = 0;
  if (returns) {
    const ptx::Operand& result = operand(from, next++);
    if (result.kind != ptx::Operand::Kind::sink) to.destination = destination(result, width);
  }
  address(to, operand(from, next++));
  to.source[1] = source(operand(from, next++), width);
  if (operation == "cas") to.source[2] = source(operand(from, next++), width);
  if (next != operands) throw Unsupported("this number of operands");
  to.compares = operation == "cas";
  // What ptxas makes ATOMS.POPC.INC of; not of add.s32.
  const ptx::Operand& value = from.operands[returns ? 2 : 1];
  const auto is_literal = [&](std::uint32_t bits) {
    return value.kind == ptx::Operand::Kind::integer && static_cast<std::uint32_t>(value.bits) == bits;
  };
  const bool adds_one =
      type_text == "u32" && ((operation == "add" && is_literal(1)) || (operation == "inc" && is_literal(0xffffffff)));
  to.counts_up = adds_one && !to.generic && to.space == Space::shared &&
                 (!returns || from.operands[0].kind == ptx::Operand::Kind::sink || !is_used(from.operands[0].name));
  return to;
}

/// Floats alone come in vectors, of 16 bytes at most: atom.add.v4.f32 {d}, [a], {b} and red.add.v4.f32 [a], {b}.
void Decoder::vector_atomic(Instruction& to, const ptx::Instruction& from, const std::string& operation,
                            std::size_t operands) {
  const std::string& type = from.parts.back();
  const bool returns = to.kind == AccessKind::atomic;
  const machine::Combine combine = combination(operation, type);
  if (combine == nullptr || to.bytes > most_bytes)
    throw Unsupported(fmt::format("the atomic {} of {} elements of type {}", operation, to.elements, type));
  if (!to.generic && to.space != Space::global) throw Unsupported("an atomic of a vector outside global memory");
  if (operands != (returns ? 3u : 2u)) throw Unsupported("this number of operands");
  to.execute = &isa::vector_atomic;
  to.option = static_cast<std::uint32_t>(program_.combinations.size());
  program_.combinations.push_back(combine);
  address(to, operand(from, returns ? 1 : 0));
  to.vector = static_cast<std::uint32_t>(program_.vectors.size());
  const auto elements_of = [&](const ptx::Operand& operand) -> const std::vector<ptx::Operand>& {
    if (operand.elements.size() != to.elements) throw Unsupported("this number of vector elements");
    return operand.elements;
  };
  for (const ptx::Operand& element : elements_of(operand(from, operands - 1)))
    program_.vectors.push_back(source(element, Width::b32));
  if (!returns || operand(from, 0).kind == ptx::Operand::Kind::sink) {
    program_.vectors.insert(program_.vectors.end(), to.elements, machine::no_register);
    return;
  }
  for (const ptx::Operand& element : elements_of(operand(from, 0)))
    program_.vectors.push_back(element.kind == ptx::Operand::Kind::sink ? machine::no_register
                                                                        : destination(element, Width::b32));
}

/// discard{.global}.L2 [a], 128.
Instruction Decoder::discard(const ptx::Instruction& from) {
  if (from.opcode != "discard.global.L2" && from.opcode != "discard.L2") throw Unsupported("this form of it");
  if (from.operands.size() != 2 || from.operands[1].bits != discarded_bytes) throw Unsupported("this number of bytes");
  Instruction to;
  to.execute = &isa::discard;
  address(to, operand(from, 0));
  if (!to.wide_address) throw Unsupported("this form of address");
  return to;
}

}  // namespace warpwright::isa
