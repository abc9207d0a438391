// Comparisons whose result is more than one predicate: setp with a combining predicate and of two halves, set; and the
// other instructions that put a predicate together: lop3 with one, isspacep.
#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <utility>

#include "isa/decoder.h"
#include "isa/types.h"
#include "machine/access.h"
#include "machine/block.h"

namespace warpwright::isa {
namespace {

using machine::Instruction;
using machine::Lanes;
using machine::Warp;
using machine::warp_size;

void put(Warp& warp, std::uint32_t reg, Lanes value) {
  Lanes& mask = *warp.reg<Lanes>(reg);
  mask = (mask & ~warp.active) | (value & warp.active);
}

/// The predicate that a comparison is combined with: source[2], negated when option is 1.
Lanes combined_with(Warp& warp, const Instruction& instruction) {
  const Lanes given = *warp.reg<Lanes>(instruction.source[2]);
  return instruction.option == 1 ? ~given : given;
}

/// setp with a combining predicate, and with the second destination of p|q: both the comparison and its opposite are
/// combined.
template <class Combine>
void then_combine(Warp& warp, const Instruction& instruction) {
  const Lanes with = combined_with(warp, instruction);
  instruction.inner(warp, instruction);
  const Lanes holds = *warp.reg<Lanes>(instruction.destination);
  put(warp, instruction.destination, Combine()(holds, with));
  if (instruction.destination2 != machine::no_register) put(warp, instruction.destination2, Combine()(~holds, with));
}

/// Registers that no program names, in Program::vectors: for a comparison's operands, for what two comparisons found.
enum Scratch : std::uint8_t { upper_a, upper_b, lower_holds, upper_holds, scratch_count };
std::uint32_t scratch(Warp& warp, const Instruction& instruction, Scratch which) {
  return warp.block.program().vectors[instruction.vector + which];
}

/// setp.f16x2 p|q: the lower halves decide p, the upper halves q.
template <class Combine>
void of_both_halves(Warp& warp, const Instruction& instruction) {
  const Lanes with = combined_with(warp, instruction);
  instruction.inner(warp, instruction);  // a half is the lower bits of its register
  const Lanes lower = *warp.reg<Lanes>(instruction.destination);
  Instruction above = instruction;
  for (const Scratch operand : {upper_a, upper_b}) {
    const auto* whole = warp.reg<u32>(instruction.source[operand]);
    above.source[operand] = scratch(warp, instruction, operand);
    auto* half = warp.reg<u32>(above.source[operand]);
    for (int lane = 0; lane < warp_size; ++lane) half[lane] = whole[lane] >> 16;
  }
  instruction.inner(warp, above);
  const Lanes upper = *warp.reg<Lanes>(instruction.destination);
  put(warp, instruction.destination, Combine()(lower, with));
  if (instruction.destination2 != machine::no_register) put(warp, instruction.destination2, Combine()(upper, with));
}

/// set: source[3] holds what is written where the comparison holds.
template <auto compare>
void then_set(Warp& warp, const Instruction& instruction) {
  Instruction comparison = instruction;
  comparison.destination = scratch(warp, instruction, lower_holds);
  comparison.destination2 = machine::no_register;
  compare(warp, comparison);
  const Lanes holds = *warp.reg<Lanes>(comparison.destination);
  const auto* one = warp.reg<u32>(instruction.source[3]);
  auto* destination = warp.reg<u32>(instruction.destination);
  for (const int lane : machine::each_lane(warp.active))
    destination[lane] = machine::has_lane(holds, lane) ? one[lane] : 0;
}

/// set.f16x2: each half of the result is about its own half of the operands.
template <auto compare>
void then_set_halves(Warp& warp, const Instruction& instruction) {
  Instruction comparison = instruction;
  comparison.destination = scratch(warp, instruction, lower_holds);
  comparison.destination2 = scratch(warp, instruction, upper_holds);
  compare(warp, comparison);
  const Lanes lower = *warp.reg<Lanes>(comparison.destination), upper = *warp.reg<Lanes>(comparison.destination2);
  const auto* one = warp.reg<u32>(instruction.source[3]);
  auto* destination = warp.reg<u32>(instruction.destination);
  for (const int lane : machine::each_lane(warp.active))
    destination[lane] = (machine::has_lane(lower, lane) ? one[lane] & 0xffff : 0) |
                        (machine::has_lane(upper, lane) ? one[lane] & 0xffff0000 : 0);
}

/// lop3.BoolOp d|p, a, b, c, table, q: p is whether d is not 0, combined with q. All four sources are taken: q is the
/// register in Program::vectors.
template <class Combine>
void lop3(Warp& warp, const Instruction& instruction) {
  instruction.inner(warp, instruction);
  const auto* value = warp.reg<u32>(instruction.destination);
  Lanes holds = 0;
  for (int lane = 0; lane < warp_size; ++lane) holds |= value[lane] != 0 ? machine::lane_bit(lane) : 0;
  const Lanes given = *warp.reg<Lanes>(warp.block.program().vectors[instruction.vector]);
  put(warp, instruction.destination2, Combine()(holds, given));
}

struct Combination {
  std::string_view name;
  machine::Execute of_one, of_halves, set, set_halves, lop3;
};
template <class Combine>
constexpr Combination combination(std::string_view name, machine::Execute lop3 = nullptr) {
  return {name,
          &then_combine<Combine>,
          &of_both_halves<Combine>,
          &then_set<&then_combine<Combine>>,
          &then_set_halves<&of_both_halves<Combine>>,
          lop3};
}
constexpr std::array<Combination, 3> combinations = {
    {combination<std::bit_and<Lanes>>("and", &lop3<std::bit_and<Lanes>>),
     combination<std::bit_or<Lanes>>("or", &lop3<std::bit_or<Lanes>>), combination<std::bit_xor<Lanes>>("xor")}};
const Combination* find_combination(std::string_view name) {
  const auto* found = std::ranges::find(combinations, name, &Combination::name);
  return found == combinations.end() ? nullptr : found;
}

bool is_packed(std::string_view type) { return type.ends_with("x2"); }

/// What `set` writes of this type where the comparison holds: 1.0, or all ones.
std::optional<std::uint32_t> true_of(std::string_view type) {
  constexpr std::array<std::pair<std::string_view, std::uint32_t>, 9> values = {{{"u32", 0xffffffff},
                                                                                 {"s32", 0xffffffff},
                                                                                 {"f32", 0x3f800000},
                                                                                 {"u16", 0xffff},
                                                                                 {"s16", 0xffff},
                                                                                 {"f16", 0x3c00},
                                                                                 {"bf16", 0x3f80},
                                                                                 {"f16x2", 0x3c003c00},
                                                                                 {"bf16x2", 0x3f803f80}}};
  const auto* found = std::ranges::find(values, type, [](const auto& entry) { return entry.first; });
  return found == values.end() ? std::nullopt : std::optional(found->second);
}

/// Constant memory has no window of its own here: its variables are known as such.
bool is_constant(Warp& warp, u64 address) {
  const machine::Allocation* allocation = warp.block.launch().memory->find(address, 1);
  return allocation != nullptr && allocation->constant;
}

/// PTX ISA, "isspacep": the window of kernels' parameters lies within that of global memory. An H200 says the same, and
/// that constant memory does not.
template <machine::Space space>
void isspacep(Warp& warp, const Instruction& instruction) {
  using machine::Space;
  constexpr bool looks_closer = space == Space::global || space == Space::constant;
  const auto* address = warp.reg<u64>(instruction.source[0]);
  Lanes holds = 0;
  for (const int lane : machine::each_lane(warp.active)) {
    const Space window = machine::space_of(address[lane]);
    bool is_there = window == (looks_closer ? Space::global : space);
    if (looks_closer && is_there) is_there = is_constant(warp, address[lane]) == (space == Space::constant);
    is_there |= space == Space::global && window == Space::param;
    if (is_there) holds |= machine::lane_bit(lane);
  }
  put(warp, instruction.destination, holds);
}
}  // namespace

/// What `set` and `setp` have in common: "and" of {"setp", "lt", "and", "ftz", "f32"}, and the row "setp.lt.ftz.f32".
struct Decoder::Comparison {
  explicit Comparison(const ptx::Instruction& from, std::size_t types)
      : combine(from.parts.size() > 2 ? find_combination(from.parts[2]) : nullptr),
        packed(is_packed(from.parts.back())) {
    opcode = "setp";
    for (std::size_t i = 1; i + types < from.parts.size(); ++i)
      if (combine == nullptr || i != 2) opcode.append(".").append(from.parts[i]);
    const std::string& type = from.parts.back();
    opcode.append(".").append(type, 0, type.size() - (packed ? 2 : 0));
  }

  const Combination* combine;
  bool packed;
  std::string opcode;
};

/// Without a combining predicate: as if combined with true.
void Decoder::combine(Instruction& to, const ptx::Instruction& from, const Comparison& comparison) {
  ptx::Operand with;  // an integer
  with.bits = 1;
  if (comparison.combine != nullptr) with = operand(from, 3);
  to.option = with.negated ? 1 : 0;
  with.negated = false;
  to.source[2] = source(with, Width::predicate);
  to.vector = static_cast<std::uint32_t>(program_.vectors.size());
  for (std::size_t i = 0; i < scratch_count; ++i) program_.vectors.push_back(layout_.scratch(1 + i));
}

/// setp.CmpOp.BoolOp.type p|q, a, b, {!}c is setp.CmpOp.type p, a, b and what is made of it.
Instruction Decoder::setp(const ptx::Instruction& from) {
  const Comparison comparison(from, 1);
  const ptx::Operand& result = operand(from, 0);
  const bool is_sink = result.kind == ptx::Operand::Kind::sink;
  if (comparison.combine == nullptr && !comparison.packed && !is_sink && result.name2.empty())
    return lanewise(from, from.opcode);
  if (is_sink && result.name2.empty()) throw Unsupported("a comparison without a destination");

  ptx::Instruction simple = from;
  if (comparison.combine != nullptr && simple.operands.size() == 4) simple.operands.pop_back();
  ptx::Operand& first = simple.operands.front();
  first.name2.clear();
  if (is_sink) {
    first.kind = ptx::Operand::Kind::reg;
    first.name = result.name2;
  }
  Instruction to = lanewise(simple, comparison.opcode);
  combine(to, from, comparison);
  const Combination& combination = comparison.combine != nullptr ? *comparison.combine : combinations.front();
  to.inner = to.execute;
  to.execute = comparison.packed ? combination.of_halves : combination.of_one;
  if (is_sink) to.destination = layout_.scratch(1 + lower_holds);
  if (!result.name2.empty()) to.destination2 = destination(named(result.name2), Width::predicate);
  return to;
}

/// set.CmpOp.BoolOp.dtype.stype d, a, b, {!}c.
Instruction Decoder::set(const ptx::Instruction& from) {
  if (from.parts.size() < 4) throw Unsupported("this form of set");
  const Comparison comparison(from, 2);
  const std::string& type = from.parts[from.parts.size() - 2];
  const auto one = true_of(type);
  // Halves are compared for a result of halves, or for all ones: set.u32.f16x2 is about both halves too.
  if (!one || (is_packed(type) && type != from.parts.back())) throw Unsupported("this form of set");
  ptx::Instruction simple = from;
  if (comparison.combine != nullptr && simple.operands.size() == 4) simple.operands.pop_back();
  const Layout::Register predicate{layout_.scratch(1 + lower_holds), Width::predicate};
  Instruction to = lanewise(simple, comparison.opcode, &predicate);
  combine(to, from, comparison);
  const Combination& combination = comparison.combine != nullptr ? *comparison.combine : combinations.front();
  to.inner = to.execute;
  to.execute = comparison.packed ? combination.set_halves : combination.set;
  to.destination = destination(operand(from, 0), Width::b32);
  to.source[3] = layout_.constant(Width::b32, *one);
  return to;
}

Instruction Decoder::lop3_with_predicate(const ptx::Instruction& from) {
  const Combination* combination = find_combination(from.parts[1]);
  if (combination == nullptr || combination->lop3 == nullptr) throw Unsupported("no such instruction is implemented");
  if (from.operands.size() != 6) throw Unsupported("this number of operands");
  ptx::Instruction simple = from;
  simple.operands.pop_back();
  ptx::Operand& result = simple.operands.front();
  if (result.name2.empty()) throw Unsupported("lop3 with a predicate that has no destination");
  const bool is_sink = result.kind == ptx::Operand::Kind::sink;
  const Layout::Register unused{layout_.scratch(1), Width::b32};
  result.name2.clear();
  Instruction to = lanewise(simple, "lop3.b32", is_sink ? &unused : nullptr);
  to.inner = to.execute;
  to.execute = combination->lop3;
  to.destination2 = destination(named(from.operands.front().name2), Width::predicate);
  to.vector = static_cast<std::uint32_t>(program_.vectors.size());
  program_.vectors.push_back(source(from.operands.back(), Width::predicate));
  return to;
}

Instruction Decoder::isspacep(const ptx::Instruction& from) {
  if (from.parts.size() != 2) throw Unsupported("this form of isspacep");
  const std::string& space = from.parts[1];
  Instruction to;
  to.destination = destination(operand(from, 0), Width::predicate);
  to.source[0] = source(operand(from, 1), Width::b64);
  if (space == "global")
    to.execute = &isa::isspacep<machine::Space::global>;
  else if (space == "shared" || space == "shared::cta" || space == "shared::cluster")  // a cluster is one block
    to.execute = &isa::isspacep<machine::Space::shared>;
  else if (space == "local")
    to.execute = &isa::isspacep<machine::Space::local>;
  else if (space == "param" || space == "param::entry")
    to.execute = &isa::isspacep<machine::Space::param>;
  else if (space == "const")
    to.execute = &isa::isspacep<machine::Space::constant>;
  else
    throw Unsupported("this state space");
  return to;
}

}  // namespace warpwright::isa
