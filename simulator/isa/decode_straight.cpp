// Instructions that the table holds, and the moves whose operands are more than registers.
#include <fmt/core.h>

#include <functional>

#include "isa/decoder.h"
#include "isa/types.h"
#include "machine/access.h"
#include "machine/block.h"

namespace warpwright::isa {
namespace {

using machine::Instruction;
using machine::Warp;
using machine::warp_size;

/// A conversion whose source is narrower than its 64-bit register: source[0] is a 32-bit scratch register, source[3]
/// the one that the program names.
void narrow_then(Warp& warp, const Instruction& instruction) {
  const auto* wide = warp.reg<u64>(instruction.source[3]);
  auto* narrow = warp.reg<u32>(instruction.source[0]);
  for (int lane = 0; lane < warp_size; ++lane) narrow[lane] = static_cast<u32>(wide[lane]);
  instruction.inner(warp, instruction);
}

/// A conversion whose result is narrower than its 64-bit register: destination is a scratch register, destination2 the
/// one that the program names. PTX ISA: sign-extended for signed types, zero-extended otherwise.
template <bool is_signed>
void then_widen(Warp& warp, const Instruction& instruction) {
  instruction.inner(warp, instruction);
  const auto* narrow = warp.reg<u32>(instruction.destination);
  auto* wide = warp.reg<u64>(instruction.destination2);
  for (const int lane : machine::each_lane(warp.active))
    wide[lane] = is_signed ? static_cast<u64>(static_cast<s64>(static_cast<s32>(narrow[lane]))) : narrow[lane];
}

/// setp with a combining predicate, and with the second destination of p|q: source[2] is the predicate (negated when
/// option is 1) that both the comparison and its opposite are combined with.
template <class Combine>
void then_combine(Warp& warp, const Instruction& instruction) {
  const Lanes given = *warp.reg<Lanes>(instruction.source[2]);
  const Lanes with = instruction.option == 1 ? ~given : given;
  Lanes& first = *warp.reg<Lanes>(instruction.destination);
  instruction.inner(warp, instruction);
  const Lanes holds = first;
  const auto put = [&](Lanes& to, Lanes value) { to = (to & ~warp.active) | (value & warp.active); };
  put(first, Combine()(holds, with));
  if (instruction.destination2 != machine::no_register)
    put(*warp.reg<Lanes>(instruction.destination2), Combine()(~holds, with));
}

machine::Execute combination(std::string_view operation) {
  if (operation == "and") return &then_combine<std::bit_and<Lanes>>;
  if (operation == "or") return &then_combine<std::bit_or<Lanes>>;
  if (operation == "xor") return &then_combine<std::bit_xor<Lanes>>;
  return nullptr;
}

/// mov.b64 d, {a, b} and its like: elements from the lowest bits up.
template <class Whole, unsigned element_bits>
void pack(Warp& warp, const Instruction& instruction) {
  auto* destination = warp.reg<Whole>(instruction.destination);
  for (const int lane : machine::each_lane(warp.active)) {
    Whole whole = 0;
    for (unsigned element = 0; element < 8 * sizeof(Whole) / element_bits; ++element) {
      const Whole part = warp.reg<u32>(warp.block.program().vectors[instruction.vector + element])[lane];
      whole |= (part & ((Whole{1} << element_bits) - 1)) << (element * element_bits);
    }
    destination[lane] = whole;
  }
}

template <class Whole, unsigned element_bits>
void unpack(Warp& warp, const Instruction& instruction) {
  const auto* source = warp.reg<Whole>(instruction.source[0]);
  for (unsigned element = 0; element < 8 * sizeof(Whole) / element_bits; ++element) {
    const std::uint32_t reg = warp.block.program().vectors[instruction.vector + element];
    if (reg == machine::no_register) continue;
    auto* destination = warp.reg<u32>(reg);
    for (const int lane : machine::each_lane(warp.active))
      destination[lane] =
          static_cast<u32>((source[lane] >> (element * element_bits)) & ((Whole{1} << element_bits) - 1));
  }
}

}  // namespace

Instruction Decoder::lanewise(const ptx::Instruction& from, std::string_view opcode) {
  const Row* row = find_row(opcode);
  if (row == nullptr) throw Unsupported("no such instruction is implemented");
  if (from.operands.size() != row->sources + 1u) throw Unsupported("this number of operands");
  Instruction to;
  to.execute = row->execute;
  for (std::size_t i = 0; i < row->sources; ++i) {
    const ptx::Operand& operand = from.operands[i + 1];
    const bool narrower = row->source[i] == Width::b32 && operand.kind == ptx::Operand::Kind::reg &&
                          layout_.reg(operand.name).width == Width::b64;
    if (narrower && i == 0 && from.parts.front() == "cvt") {
      to.inner = to.execute;
      to.execute = &narrow_then;
      to.source[0] = layout_.scratch();
      to.source[3] = layout_.reg(operand.name).offset;
    } else {
      to.source[i] = source(operand, row->source[i]);
    }
  }
  const ptx::Operand& result = operand(from, 0);
  if (row->destination == Width::b32 && from.parts.front() == "cvt" && result.kind == ptx::Operand::Kind::reg &&
      layout_.reg(result.name).width == Width::b64) {
    if (to.inner != nullptr) throw Unsupported("a conversion between two registers wider than its types");
    to.inner = to.execute;
    to.execute = row->destination_signed ? &then_widen<true> : &then_widen<false>;
    to.destination = layout_.scratch();
    to.destination2 = layout_.reg(result.name).offset;
  } else {
    if (!result.name2.empty()) throw Unsupported("a second destination");
    to.destination = destination(result, row->destination);
  }
  return to;
}

/// setp.CmpOp.BoolOp.type p|q, a, b, {!}c is setp.CmpOp.type p, a, b and what `then_combine` makes of it.
Instruction Decoder::setp(const ptx::Instruction& from) {
  const machine::Execute combine = from.parts.size() == 4 ? combination(from.parts[2]) : nullptr;
  const ptx::Operand& result = operand(from, 0);
  const bool is_sink = result.kind == ptx::Operand::Kind::sink;
  if (combine == nullptr && !is_sink && result.name2.empty()) return lanewise(from, from.opcode);
  if (is_sink && result.name2.empty()) throw Unsupported("a comparison without a destination");

  ptx::Instruction comparison = from;
  ptx::Operand with;  // an integer
  with.bits = 1;
  if (combine != nullptr) {
    comparison.opcode = fmt::format("setp.{}.{}", from.parts[1], from.parts[3]);
    with = operand(from, 3);
    comparison.operands.pop_back();
  }
  ptx::Operand& first = comparison.operands.front();
  if (is_sink) {
    first.kind = ptx::Operand::Kind::reg;
    first.name = result.name2;
  }
  first.name2.clear();

  Instruction to = lanewise(comparison, comparison.opcode);
  to.inner = to.execute;
  to.execute = combine != nullptr ? combine : combination("and");
  to.option = with.negated ? 1 : 0;
  with.negated = false;
  to.source[2] = source(with, Width::predicate);
  if (!result.name2.empty()) to.destination2 = layout_.reg(result.name2).offset;
  return to;
}

Instruction Decoder::mov(const ptx::Instruction& from) {
  const ptx::Operand& result = operand(from, 0);
  const ptx::Operand& value = operand(from, 1);
  const bool packs = value.kind == ptx::Operand::Kind::vector;
  const bool unpacks = result.kind == ptx::Operand::Kind::vector;
  if (!packs && !unpacks) return lanewise(from, from.opcode);

  Instruction to;
  const std::vector<ptx::Operand>& elements = packs ? value.elements : result.elements;
  const bool is_64 = from.opcode == "mov.b64";
  if (!is_64 && from.opcode != "mov.b32") throw Unsupported("a vector of this type");
  const std::size_t element_bits = (is_64 ? 64 : 32) / elements.size();
  to.vector = static_cast<std::uint32_t>(program_.vectors.size());
  for (const ptx::Operand& element : elements)
    program_.vectors.push_back(packs                                      ? source(element, Width::b32)
                               : element.kind == ptx::Operand::Kind::sink ? machine::no_register
                                                                          : destination(element, Width::b32));
  const Width whole = is_64 ? Width::b64 : Width::b32;
  if (packs) {
    to.destination = destination(result, whole);
    if (is_64 && element_bits == 32) to.execute = &pack<u64, 32>;
    if (is_64 && element_bits == 16) to.execute = &pack<u64, 16>;
    if (!is_64 && element_bits == 16) to.execute = &pack<u32, 16>;
    if (!is_64 && element_bits == 8) to.execute = &pack<u32, 8>;
  } else {
    to.source[0] = source(value, whole);
    if (is_64 && element_bits == 32) to.execute = &unpack<u64, 32>;
    if (is_64 && element_bits == 16) to.execute = &unpack<u64, 16>;
    if (!is_64 && element_bits == 16) to.execute = &unpack<u32, 16>;
    if (!is_64 && element_bits == 8) to.execute = &unpack<u32, 8>;
  }
  if (to.execute == nullptr) throw Unsupported("a vector of this length");
  return to;
}

Instruction Decoder::cvta(const ptx::Instruction& from) {
  const bool to_space = from.parts.size() > 1 && from.parts[1] == "to";
  if (from.parts.back() != "u64" || from.parts.size() != (to_space ? 4 : 3)) throw Unsupported("this form of cvta");
  const std::string& space = from.parts[to_space ? 2 : 1];
  Instruction to;
  to.destination = destination(operand(from, 0), Width::b64);
  to.source[0] = source(operand(from, 1), Width::b64);
  if (space == "global" || space == "const") {
    to.execute = find_row("mov.u64")->execute;
  } else if (space == "shared" || space == "local") {
    const std::uint64_t window = space == "shared" ? machine::shared_window : machine::local_window;
    to.execute = find_row(to_space ? "sub.u64" : "add.u64")->execute;
    to.source[1] = layout_.constant(Width::b64, window);
  } else {
    throw Unsupported("this state space");
  }
  return to;
}

}  // namespace warpwright::isa
