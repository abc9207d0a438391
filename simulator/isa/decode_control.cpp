// Branches, barriers and the instructions in which lanes work together.
#include <fmt/core.h>

#include <algorithm>

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
  to.target = base_ + label->second;
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
  return block_barrier(from, kind);
}

/// bar.sync a{, b}, bar.arrive a, b and bar.red d, a{, b}, {!}c.
Instruction Decoder::block_barrier(const ptx::Instruction& from, std::string_view kind) {
  const bool arrives = kind == "arrive";
  constexpr std::string_view reduction = "red.";
  const bool reduces = kind.starts_with(reduction);
  if (kind != "sync" && !arrives && !reduces) throw Unsupported(fmt::format("the barrier operation .{}", kind));
  Instruction to;
  to.flow = Flow::block_barrier;
  if (arrives) to.option |= machine::barrier_arrive_only;

  std::size_t next = 0;
  std::size_t end = from.operands.size();
  if (reduces) {
    const std::string_view type = from.parts.back();
    const std::size_t length = kind.size() - reduction.size();
    const std::string_view operation = kind.substr(reduction.size(), length - std::min(length, type.size() + 1));
    to.execute = barrier_reduction(operation, type);
    if (to.execute == nullptr) throw Unsupported(fmt::format("the barrier operation .{}", kind));
    to.destination = destination(operand(from, next++), type == "pred" ? Width::predicate : Width::b32);
    ptx::Operand vote = operand(from, std::max<std::size_t>(end, 1) - 1);
    if (vote.negated) to.option |= machine::barrier_vote_negated;
    vote.negated = false;
    to.source[2] = source(vote, Width::predicate);
    --end;
  }
  if (operand(from, next).kind == ptx::Operand::Kind::integer) to.option |= machine::barrier_is_literal;
  to.source[0] = barrier_number(operand(from, next++));
  if (next < end) to.source[1] = thread_count(operand(from, next++));
  if (next < end) throw Unsupported("this number of operands");
  if (arrives && to.source[1] == machine::no_register) throw Unsupported("bar.arrive without a number of threads");
  return to;
}

std::uint32_t Decoder::barrier_number(const ptx::Operand& operand) {
  if (operand.kind == ptx::Operand::Kind::integer && operand.bits >= machine::Block::barriers)
    throw Unsupported(
        fmt::format("barrier {}: a block has the barriers 0 to {}", operand.bits, machine::Block::barriers - 1));
  return source(operand, Width::b32);
}

std::uint32_t Decoder::thread_count(const ptx::Operand& operand) {
  const bool is_known = operand.kind == ptx::Operand::Kind::integer;
  if (is_known && (operand.bits == 0 || operand.bits % machine::warp_size != 0))
    throw Unsupported("a number of threads that is no multiple of the warp's size");
  return source(operand, Width::b32);
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
  if (!result.name2.empty()) to.destination2 = destination(named(result.name2), Width::predicate);
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
  // vote.sync.MODE; ptxas takes vote.MODE.sync too, and CUB writes it.
  const bool mode_first = from.parts.size() == 4 && from.parts[2] == "sync";
  if (from.parts.size() != 4 || (from.parts[1] != "sync" && !mode_first))
    throw Unsupported("only vote.sync exists on this device");
  const std::string& mode = from.parts[mode_first ? 1 : 2];
  to.flow = Flow::collective;
  to.execute = isa::vote(mode);
  if (to.execute == nullptr) throw Unsupported(fmt::format("the vote mode .{}", mode));
  const bool is_ballot = mode == "ballot";
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
    to.destination2 = destination(named(result.name2), Width::predicate);
  }
  to.source[0] = source(operand(from, 1), from.parts[3] == "b64" ? Width::b64 : Width::b32);
  to.source[3] = source(operand(from, 2), Width::b32);
  return to;
}

/// elect.sync d|p, membermask: d is the lane that leads, p whether it is this one.
Instruction Decoder::elect(const ptx::Instruction& from) {
  if (from.opcode != "elect.sync") throw Unsupported("this form of elect");
  Instruction to;
  to.flow = Flow::collective;
  to.execute = &isa::elect;
  const ptx::Operand& result = operand(from, 0);
  if (result.kind != ptx::Operand::Kind::sink) to.destination = destination(result, Width::b32);
  if (result.name2.empty()) throw Unsupported("elect without a predicate");
  to.destination2 = destination(named(result.name2), Width::predicate);
  to.source[3] = source(operand(from, 1), Width::b32);
  return to;
}

Instruction Decoder::quiet(const ptx::Instruction& from) {
  Instruction to;
  to.execute = isa::quiet(from.opcode);
  if (to.execute == nullptr) throw Unsupported(fmt::format("this form of {}", from.parts.front()));
  return to;
}

}  // namespace warpwright::isa
