// Calls, their parameters, indexed branches, and memory that a function asks for while it runs: PTX ISA, "Control Flow
// Instructions" and "Stack Manipulation Instructions".
#include <fmt/core.h>

#include <algorithm>
#include <bit>

#include "isa/builtin.h"
#include "isa/decoder.h"
#include "isa/memory.h"
#include "isa/types.h"
#include "machine/block.h"

namespace warpwright::isa {
namespace {

using machine::Flow;
using machine::Instruction;
using machine::Warp;

/// alloca.u64 d, size, align: the arrays of a thread grow downwards from the end of its local memory.
void allocate(Warp& warp, const Instruction& instruction) {
  const auto* bytes = warp.reg<u64>(instruction.source[0]);
  auto* address = warp.reg<u64>(instruction.destination);
  for (const int lane : machine::each_lane(warp.active)) {
    u64& top = warp.alloca_top()[lane];
    if (bytes[lane] > top) warp.end_launch(observe::FaultKind::stack_overflow, machine::lane_bit(lane));
    top = (top - bytes[lane]) & ~(u64{instruction.option} - 1);
    address[lane] = top;
  }
}

void save_stack(Warp& warp, const Instruction& instruction) {
  auto* destination = warp.reg<u64>(instruction.destination);
  for (const int lane : machine::each_lane(warp.active)) destination[lane] = warp.alloca_top()[lane];
}

void restore_stack(Warp& warp, const Instruction& instruction) {
  const auto* source = warp.reg<u64>(instruction.source[0]);
  for (const int lane : machine::each_lane(warp.active)) warp.alloca_top()[lane] = source[lane];
}

}  // namespace

Instruction Decoder::call(const ptx::Instruction& from) {
  machine::CallSite site;
  const auto storages = [&](const std::vector<ptx::Operand>& operands, std::vector<machine::Storage>& to) {
    for (const ptx::Operand& operand : operands) {
      const auto storage = layout_.storage(operand.name);
      if (operand.kind != ptx::Operand::Kind::symbol || !storage) throw Unsupported("this form of argument");
      to.push_back(*storage);
    }
  };
  storages(from.arguments, site.arguments);
  storages(from.returns, site.returns);
  Instruction to;
  to.flow = Flow::call;
  to.option = static_cast<std::uint32_t>(program_.call_sites.size());
  const ptx::Operand& target = operand(from, 0);
  if (target.kind == ptx::Operand::Kind::reg) {
    to.source[0] = source(target, Width::b64);
  } else if (const auto function = layout_.function(target.name)) {
    if (*function == 0) throw Unsupported("a call of a kernel");
    site.function = *function;
  } else {
    to.flow = Flow::straight;
    to.execute = builtin(target.name);
    if (to.execute == nullptr) throw Unsupported(fmt::format("the function {}, which has no body here", target.name));
    program_.order_dependent = true;
  }
  program_.call_sites.push_back(std::move(site));
  return to;
}

Instruction Decoder::indexed_branch(const ptx::Instruction& from) {
  if (from.opcode != "brx.idx" && from.opcode != "brx.idx.uni") throw Unsupported("this form of branch");
  Instruction to;
  to.flow = Flow::indexed_branch;
  to.source[0] = source(operand(from, 0), Width::b32);
  to.option = static_cast<std::uint32_t>(program_.branch_tables.size());
  const auto table = function_.branch_targets.find(operand(from, 1).name);
  if (table == function_.branch_targets.end()) throw Unsupported("a branch by something that is no list of labels");
  std::vector<std::uint32_t>& targets = program_.branch_tables.emplace_back();
  for (const std::string& label : table->second) targets.push_back(base_ + function_.labels.at(label));
  return to;
}

Instruction Decoder::stack(const ptx::Instruction& from) {
  Instruction to;
  if (from.opcode == "alloca.u64") {
    to.execute = &allocate;
    to.destination = destination(operand(from, 0), Width::b64);
    to.source[0] = source(operand(from, 1), Width::b64);
    to.option = from.operands.size() > 2 ? static_cast<std::uint32_t>(from.operands[2].bits) : 8;
    if (!std::has_single_bit(to.option)) throw Unsupported("an alignment that is no power of two");
    program_.has_alloca = true;
  } else if (from.opcode == "stacksave.u64") {
    to.execute = &save_stack;
    to.destination = destination(operand(from, 0), Width::b64);
  } else if (from.opcode == "stackrestore.u64") {
    to.execute = &restore_stack;
    to.source[0] = source(operand(from, 0), Width::b64);
  } else {
    throw Unsupported("this form of it");
  }
  return to;
}

bool Decoder::passes(Instruction& to, const ptx::Operand& at, bool is_load) {
  const auto storage = layout_.storage(at.name);
  if (!storage || at.base_is_register) return false;
  if (at.offset < 0 || at.offset > storage->lane_bytes() || at.offset + to.bytes > storage->lane_bytes())
    throw Unsupported("an address outside the parameter");
  to.offset = storage->offset + at.offset;
  to.option = storage->lane_bytes();
  to.execute = is_load ? load_argument(to.register_bytes, to.element_bytes, to.sign_extended)
                       : store_argument(to.register_bytes, to.element_bytes);
  if (to.execute == nullptr) throw Unsupported("this type");
  return true;
}

}  // namespace warpwright::isa
