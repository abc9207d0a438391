// Instructions that the table holds, and the moves whose operands are more than registers.
#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "isa/carry.h"
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
void narrow(Warp& warp, const Instruction& instruction) {
  const auto* wide = warp.reg<u64>(instruction.source[3]);
  auto* narrow = warp.reg<u32>(instruction.source[0]);
  for (int lane = 0; lane < warp_size; ++lane) narrow[lane] = static_cast<u32>(wide[lane]);
}
void narrow_then(Warp& warp, const Instruction& instruction) {
  narrow(warp, instruction);
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

/// Both.
template <bool is_signed>
void narrow_then_widen(Warp& warp, const Instruction& instruction) {
  narrow(warp, instruction);
  then_widen<is_signed>(warp, instruction);
}

/// The register that an element of a vector is in.
template <unsigned bits>
using Element = std::conditional_t<bits == 64, u64, u32>;

/// mov.b64 d, {a, b} and its like: elements from the lowest bits up.
template <class Whole, unsigned element_bits>
void pack(Warp& warp, const Instruction& instruction) {
  auto* destination = warp.reg<Lane<Whole>>(instruction.destination);
  for (const int lane : machine::each_lane(warp.active)) {
    Lane<Whole> whole = 0;
    for (unsigned element = 0; element < 8 * sizeof(Whole) / element_bits; ++element) {
      const Lane<Whole> part =
          warp.reg<Element<element_bits>>(warp.block.program().vectors[instruction.vector + element])[lane];
      whole |= (part & ((Lane<Whole>{1} << element_bits) - 1)) << (element * element_bits);
    }
    destination[lane] = whole;
  }
}

template <class Whole, unsigned element_bits>
void unpack(Warp& warp, const Instruction& instruction) {
  const auto* source = warp.reg<Lane<Whole>>(instruction.source[0]);
  for (unsigned element = 0; element < 8 * sizeof(Whole) / element_bits; ++element) {
    const std::uint32_t reg = warp.block.program().vectors[instruction.vector + element];
    if (reg == machine::no_register) continue;
    auto* destination = warp.reg<Element<element_bits>>(reg);
    for (const int lane : machine::each_lane(warp.active))
      destination[lane] = static_cast<Element<element_bits>>((source[lane] >> (element * element_bits)) &
                                                             ((Lane<Whole>{1} << element_bits) - 1));
  }
}

void mov_b128(Warp& warp, const Instruction& instruction) {
  const auto* source = warp.reg<u128>(instruction.source[0]);
  auto* destination = warp.reg<u128>(instruction.destination);
  for (const int lane : machine::each_lane(warp.active)) destination[lane] = source[lane];
}

struct Vector {
  std::string_view opcode;
  std::size_t elements;
  Width whole;
  machine::Execute pack, unpack;
};
constexpr std::array<Vector, 6> vectors = {{{"mov.b128", 2, Width::b128, &pack<u128, 64>, &unpack<u128, 64>},
                                            {"mov.b64", 2, Width::b64, &pack<u64, 32>, &unpack<u64, 32>},
                                            {"mov.b64", 4, Width::b64, &pack<u64, 16>, &unpack<u64, 16>},
                                            {"mov.b32", 2, Width::b32, &pack<u32, 16>, &unpack<u32, 16>},
                                            {"mov.b32", 4, Width::b32, &pack<u32, 8>, &unpack<u32, 8>},
                                            {"mov.b16", 2, Width::b32, &pack<u16, 8>, &unpack<u16, 8>}}};

/// PTX ISA, "Video Instructions": GPUs have done them in software since Maxwell, and nvcc makes vabsdiff2 and vabsdiff4
/// alone.
bool is_video(std::string_view mnemonic) {
  for (const std::string_view name :
       {"vadd", "vsub", "vabsdiff", "vmin", "vmax", "vshl", "vshr", "vmad", "vset", "vavrg"})
    if (mnemonic == name || (mnemonic.size() == name.size() + 1 && mnemonic.starts_with(name))) return true;
  return false;
}

/// Why there is no such row.
const char* reason_without_row(const std::vector<std::string>& parts) {
  if (is_video(parts.front())) return "a video instruction";
  const bool is_directed = parts.size() > 1 && (parts[1] == "rz" || parts[1] == "rm" || parts[1] == "rp");
  if (parts.front() == "fma" && is_directed && parts.back().find("f16") != std::string::npos &&
      std::ranges::find(parts, "f32") == parts.end())
    return "PTX rounds fma of halves to nearest alone";
  return "no such instruction is implemented";
}

}  // namespace

Instruction Decoder::lanewise(const ptx::Instruction& from, std::string_view opcode, const Layout::Register* into) {
  const Row* row = find_row(opcode);
  if (row == nullptr) throw Unsupported(reason_without_row(from.parts));
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
  if (into != nullptr) {
    to.destination = into->offset;
    return to;
  }
  const ptx::Operand& result = operand(from, 0);
  if (row->destination == Width::b32 && from.parts.front() == "cvt" && result.kind == ptx::Operand::Kind::reg &&
      layout_.reg(result.name).width == Width::b64) {
    const bool narrows = to.inner != nullptr;
    if (!narrows) to.inner = to.execute;
    if (row->destination_signed)
      to.execute = narrows ? &narrow_then_widen<true> : &then_widen<true>;
    else
      to.execute = narrows ? &narrow_then_widen<false> : &then_widen<false>;
    to.destination = layout_.scratch();
    to.destination2 = layout_.reg(result.name).offset;
  } else {
    if (!result.name2.empty()) throw Unsupported("a second destination");
    to.destination = destination(result, row->destination);
  }
  return to;
}

Instruction Decoder::extended_precision(const ptx::Instruction& from) {
  const Carrying carrying = isa::carrying(from.opcode);
  if (carrying.execute == nullptr) throw Unsupported("no such instruction is implemented");
  const Width width = from.parts.back().ends_with("64") ? Width::b64 : Width::b32;
  const std::size_t sources = from.parts.front().starts_with("mad") ? 3 : 2;
  if (from.operands.size() != sources + 1) throw Unsupported("this number of operands");
  Instruction to;
  to.execute = carrying.execute;
  to.destination = destination(from.operands[0], width);
  for (std::size_t i = 0; i < sources; ++i) to.source[i] = source(from.operands[i + 1], width);
  if (carrying.reads) to.source[3] = layout_.condition_code();
  if (carrying.writes) to.destination2 = layout_.condition_code();
  return to;
}

Instruction Decoder::mov(const ptx::Instruction& from) {
  const ptx::Operand& result = operand(from, 0);
  const ptx::Operand& value = operand(from, 1);
  const bool packs = value.kind == ptx::Operand::Kind::vector;
  const bool unpacks = result.kind == ptx::Operand::Kind::vector;
  Instruction to;
  if (!packs && !unpacks && from.opcode == "mov.b128") {
    to.execute = &mov_b128;
    to.destination = destination(result, Width::b128);
    to.source[0] = source(value, Width::b128);
    return to;
  }
  if (!packs && !unpacks) return lanewise(from, from.opcode);

  const std::vector<ptx::Operand>& elements = packs ? value.elements : result.elements;
  const Vector* form = nullptr;
  for (const Vector& vector : vectors)
    if (from.opcode == vector.opcode) {
      form = &vector;
      if (elements.size() == vector.elements) break;
    }
  if (form == nullptr) throw Unsupported("a vector of this type");
  if (elements.size() != form->elements) throw Unsupported("a vector of this length");
  to.vector = static_cast<std::uint32_t>(program_.vectors.size());
  const Width part = form->whole == Width::b128 ? Width::b64 : Width::b32;
  for (const ptx::Operand& element : elements)
    program_.vectors.push_back(packs                                      ? source(element, part)
                               : element.kind == ptx::Operand::Kind::sink ? machine::no_register
                                                                          : destination(element, part));
  if (packs) {
    to.destination = destination(result, form->whole);
    to.execute = form->pack;
  } else {
    to.source[0] = source(value, form->whole);
    to.execute = form->unpack;
  }
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
  } else if (space == "shared" || space == "shared::cta" || space == "local" || space == "param" ||
             space == "param::entry") {
    const std::uint64_t window = space == "local"             ? machine::local_window
                                 : space.starts_with("param") ? machine::parameter_window
                                                              : machine::shared_window;
    to.execute = find_row(to_space ? "sub.u64" : "add.u64")->execute;
    to.source[1] = layout_.constant(Width::b64, window);
  } else {
    throw Unsupported("this state space");
  }
  return to;
}

/// A policy is opaque, and nothing but hints takes one: no hint changes a result, and every policy is 0 here.
Instruction Decoder::cache_policy(const ptx::Instruction& from) {
  const auto& parts = from.parts;
  const bool known = parts.size() > 3 && parts.back() == "b64" &&
                     (parts[1] == "fractional" || parts[1] == "range" || parts[1] == "cvt");
  if (!known) throw Unsupported("this form of it");
  Instruction to;
  to.execute = find_row("mov.u64")->execute;
  to.destination = destination(operand(from, 0), Width::b64);
  to.source[0] = layout_.constant(Width::b64, 0);
  return to;
}

}  // namespace warpwright::isa
