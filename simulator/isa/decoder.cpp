#include "isa/decoder.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>

#include "isa/clock.h"
#include "isa/quiet.h"

namespace warpwright::isa {
namespace {

bool is_extended_precision(const ptx::Instruction& from) {
  const std::string& mnemonic = from.parts.front();
  return mnemonic == "addc" || mnemonic == "subc" || mnemonic == "madc" ||
         std::ranges::find(from.parts, "cc") != from.parts.end();
}

}  // namespace

ptx::Operand Decoder::named(const std::string& name) {
  ptx::Operand reg;
  reg.kind = ptx::Operand::Kind::reg;
  reg.name = name;
  return reg;
}

machine::Instruction Decoder::decode(const ptx::Instruction& from) {
  const std::string& mnemonic = from.parts.front();
  type_ = ptx::type_named(from.parts.back()).value_or(ptx::Type::none);
  machine::Instruction to;
  if (mnemonic == "ld" || mnemonic == "st" || mnemonic == "ldu")
    to = memory(from);
  else if (mnemonic == "atom" || mnemonic == "red")
    to = atomic(from);
  else if (mnemonic == "bra")
    to = branch(from);
  else if (mnemonic == "cp")
    to = copy_async(from);
  else if (mnemonic == "mbarrier")
    to = mbarrier(from);
  else if (mnemonic == "brx")
    to = indexed_branch(from);
  else if (mnemonic == "call")
    to = call(from);
  else if (mnemonic == "alloca" || mnemonic == "stacksave" || mnemonic == "stackrestore")
    to = stack(from);
  else if (from.opcode == "exit")
    to.flow = machine::Flow::exit;
  else if (from.opcode == "ret" || from.opcode == "ret.uni")
    to.flow = function_.is_entry ? machine::Flow::exit : machine::Flow::return_from_call;
  else if (mnemonic == "bar" || mnemonic == "barrier")
    to = barrier(from);
  else if (mnemonic == "shfl")
    to = shfl(from);
  else if (mnemonic == "vote" || mnemonic == "activemask")
    to = vote(from);
  else if (mnemonic == "redux")
    to = redux(from);
  else if (mnemonic == "match")
    to = match(from);
  else if (mnemonic == "elect")
    to = elect(from);
  else if (is_quiet(mnemonic))
    to = quiet(from);
  else if (mnemonic == "setp")
    to = setp(from);
  else if (mnemonic == "set")
    to = set(from);
  else if (mnemonic == "lop3" && from.parts.size() == 3)
    to = lop3_with_predicate(from);
  else if (mnemonic == "isspacep")
    to = isspacep(from);
  else if (is_extended_precision(from))
    to = extended_precision(from);
  else if (mnemonic == "mov" && is_clock(from))
    to = clock(from);
  else if (mnemonic == "mov")
    to = mov(from);
  else if (mnemonic == "cvta")
    to = cvta(from);
  else if (mnemonic == "createpolicy")
    to = cache_policy(from);
  else if (mnemonic == "discard")
    to = discard(from);
  else
    to = lanewise(from, from.opcode);
  if (!from.guard.empty()) {
    to.guard = layout_.reg(from.guard).offset;
    to.guard_negated = from.guard_negated;
  }
  return to;
}

const ptx::Operand& Decoder::operand(const ptx::Instruction& from, std::size_t index) const {
  if (index >= from.operands.size()) throw Unsupported("an operand is missing");
  return from.operands[index];
}

std::uint32_t Decoder::source(const ptx::Operand& operand, Width width) {
  using Kind = ptx::Operand::Kind;
  if (operand.negated) throw Unsupported("a negated operand here");
  switch (operand.kind) {
    case Kind::reg: {
      const Layout::Register reg = layout_.reg(operand.name);
      if (reg.width != width) throw Unsupported(fmt::format("register {} has another width", operand.name));
      return reg.offset;
    }
    case Kind::special: {
      const auto reg = layout_.special(operand.name);
      if (!reg || width != Width::b32) throw Unsupported(fmt::format("the special register %{}", operand.name));
      return *reg;
    }
    case Kind::integer:
    case Kind::f32:
    case Kind::f64:
      return layout_.constant(width, literal(operand, width));
    case Kind::symbol: {
      if (const auto reg = layout_.frame_address(operand.name)) {
        if (operand.offset != 0 || width != Width::b64) throw Unsupported("this address of a function's array");
        return *reg;
      }
      const auto at = layout_.address_of(operand.name);
      if (!at) throw Unsupported(fmt::format("the address of {}", operand.name));
      return layout_.constant(width, *at + static_cast<std::uint64_t>(operand.offset));
    }
    default:
      throw Unsupported("this form of operand");
  }
}

/// PTX ISA, "Constants": a floating-point literal takes the size of the instruction's type.
std::uint64_t Decoder::literal(const ptx::Operand& operand, Width width) const {
  using Kind = ptx::Operand::Kind;
  const bool is_float = type_ == ptx::Type::f32 || type_ == ptx::Type::f64;
  if (operand.kind == Kind::integer) {
    if (is_float && width != Width::predicate) throw Unsupported("an integer literal where a float belongs");
    return operand.bits;
  }
  if (operand.kind == Kind::f64 && type_ == ptx::Type::f32)
    return std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(operand.bits)));
  if (operand.kind == Kind::f32 && type_ == ptx::Type::f64)
    return std::bit_cast<std::uint64_t>(double{std::bit_cast<float>(static_cast<std::uint32_t>(operand.bits))});
  if (width != (operand.kind == Kind::f32 ? Width::b32 : Width::b64))
    throw Unsupported("a floating-point literal of another size");
  return operand.bits;
}

std::uint32_t Decoder::destination(const ptx::Operand& operand, Width width) {
  if (operand.kind != ptx::Operand::Kind::reg) throw Unsupported("this form of destination");
  const Layout::Register reg = layout_.reg(operand.name);
  if (reg.width != width) throw Unsupported(fmt::format("register {} has another width", operand.name));
  return reg.offset;
}

}  // namespace warpwright::isa
