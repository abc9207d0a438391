// Branches, barriers and the instructions in which lanes work together.
#include <fmt/format.h>

#include "isa/collective.h"
#include "isa/decoder.h"
#include "isa/quiet.h"
#include "machine/block.h"

namespace warpwright::isa {

using machine::Flow;
using machine::Instruction;

Instruction Decoder::branch(const ptx::Instruction& from) {
  if (from.opcode != "bra" && from.opcode != "bra.uni") throw Unsupported("this form of branch");
  Instruction to;
  to.flow = Flow::branch;
  const auto label = function_.labels.find(operand(from, 0).name);
  if (label == function_.labels.end()) throw Unsupported("a branch to something that is no label");
  to.target = label->second;
  return to;
}

Instruction Decoder::barrier(const ptx::Instruction& from) {
  Instruction to;
  std::string kind;
  for (std::size_t i = 1; i < from.parts.size(); ++i) {
    const std::string& part = from.parts[i];
    if (part == "cta" || part == "aligned") continue;
    kind += kind.empty() ? part : "." + part;
  }
  if (kind == "warp.sync") {
    to.flow = Flow::warp_barrier;
    to.source[3] = source(operand(from, 0), Width::b32);
    return to;
  }
  if (kind != "sync" && kind != "arrive") throw Unsupported(fmt::format("the barrier operation .{}", kind));
  to.flow = Flow::block_barrier;
  to.option = kind == "arrive" ? 1 : 0;
  if (from.operands.size() > 2) throw Unsupported("this number of operands");
  const auto is_literal = [](const ptx::Operand& operand) { return operand.kind == ptx::Operand::Kind::integer; };
  const ptx::Operand& barrier = operand(from, 0);
  if (is_literal(barrier) && barrier.bits >= machine::Block::barriers)
    throw Unsupported(fmt::format("barrier {}: a block has the barriers 0 to {}", barrier.bits, machine::Block::barriers - 1));
  to.source[0] = source(barrier, Width::b32);
  if (from.operands.size() > 1) {
    const ptx::Operand& threads = operand(from, 1);
    if (is_literal(threads) && (threads.bits == 0 || threads.bits % machine::warp_size != 0))
      throw Unsupported("a number of threads that is no multiple of the warp's size");
    to.source[1] = source(threads, Width::b32);
  } else if (kind == "arrive") {
    throw Unsupported("bar.arrive without a number of threads");
  }
  return to;
}

Instruction Decoder::shfl(const ptx::Instruction& from) {
  if (from.parts.size() != 4 || from.parts[1] != "sync" || from.parts[3] != "b32")
    throw Unsupported("only shfl.sync of 32 bits exists on this device");
  Instruction to;
  to.flow = Flow::collective;
  to.execute = shuffle(from.parts[2]);
  if (to.execute == nullptr) throw Unsupported(fmt::format("the shuffle mode .{}", from.parts[2]));
  const ptx::Operand& result = operand(from, 0);
  to.destination = destination(result, Width::b32);
  if (!result.name2.empty()) to.destination2 = layout_.reg(result.name2).offset;
  for (std::size_t i = 0; i < 4; ++i) to.source[i] = source(operand(from, i + 1), Width::b32);
  return to;
}

Instruction Decoder::vote(const ptx::Instruction& from) {
  Instruction to;
  if (from.opcode == "activemask.b32") {
    to.execute = &activemask;
    to.destination = destination(operand(from, 0), Width::b32);
    return to;
  }
  if (from.parts.size() != 4 || from.parts[1] != "sync") throw Unsupported("only vote.sync exists on this device");
  to.flow = Flow::collective;
  to.execute = isa::vote(from.parts[2]);
  if (to.execute == nullptr) throw Unsupported(fmt::format("the vote mode .{}", from.parts[2]));
  const bool is_ballot = from.parts[2] == "ballot";
  if (from.parts[3] != (is_ballot ? "b32" : "pred")) throw Unsupported(fmt::format("the type .{}", from.parts[3]));
  to.destination = destination(operand(from, 0), is_ballot ? Width::b32 : Width::predicate);
  ptx::Operand predicate = operand(from, 1);
  to.option = predicate.negated ? 1 : 0;
  predicate.negated = false;
  to.source[0] = source(predicate, Width::predicate);
  to.source[3] = source(operand(from, 2), Width::b32);
  return to;
}

Instruction Decoder::redux(const ptx::Instruction& from) {
  if (from.parts.size() != 4 || from.parts[1] != "sync") throw Unsupported("this form of redux");
  Instruction to;
  to.flow = Flow::collective;
  to.execute = isa::redux(from.parts[2], from.parts[3]);
  if (to.execute == nullptr) throw Unsupported("this form of redux");
  to.destination = destination(operand(from, 0), Width::b32);
  to.source[0] = source(operand(from, 1), Width::b32);
  to.source[3] = source(operand(from, 2), Width::b32);
  return to;
}

Instruction Decoder::match(const ptx::Instruction& from) {
  if (from.parts.size() != 4 || from.parts[2] != "sync") throw Unsupported("this form of match");
  Instruction to;
  to.flow = Flow::collective;
  to.execute = isa::match(from.parts[1], from.parts[3]);
  if (to.execute == nullptr) throw Unsupported("this form of match");
  const ptx::Operand& result = operand(from, 0);
  if (result.kind != ptx::Operand::Kind::sink) to.destination = destination(result, Width::b32);
  if (!result.name2.empty()) {
    if (from.parts[1] != "all") throw Unsupported("a predicate of match.any");
    to.destination2 = layout_.reg(result.name2).offset;
  }
  to.source[0] = source(operand(from, 1), from.parts[3] == "b64" ? Width::b64 : Width::b32);
  to.source[3] = source(operand(from, 2), Width::b32);
  return to;
}

Instruction Decoder::quiet(const ptx::Instruction& from) {
  Instruction to;
  to.execute = isa::quiet(from.opcode);
  if (to.execute == nullptr) throw Unsupported(fmt::format("this form of {}", from.parts.front()));
  return to;
}

}  // namespace warpwright::isa
