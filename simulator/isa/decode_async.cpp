// cp.async and mbarrier: PTX ISA, "Asynchronous copy" and "Parallel Synchronization and Communication Instructions:
// mbarrier".
#include <fmt/core.h>

#include <algorithm>
#include <limits>

#include "isa/bulk.h"
#include "isa/copy_async.h"
#include "isa/decoder.h"
#include "isa/mbarrier.h"
#include "isa/quiet.h"

namespace warpwright::isa {
namespace {

using machine::Instruction;

using Parts = std::vector<std::string>;

bool has(const Parts& parts, std::string_view part) { return std::ranges::find(parts, part) != parts.end(); }

/// Whether every part from `first` on is one of these, or a hint of the caches.
bool are_all(const Parts& parts, std::size_t first, std::initializer_list<std::string_view> known) {
  return std::all_of(parts.begin() + static_cast<std::ptrdiff_t>(first), parts.end(), [&](const std::string& part) {
    return part.starts_with("L2::") || std::ranges::find(known, part) != known.end();
  });
}

}  // namespace

Instruction Decoder::copy_async(const ptx::Instruction& from) {
  const Parts& parts = from.parts;
  if (parts.size() < 3 || parts[1] != "async") throw Unsupported("this kind of copy");
  const std::string& kind = parts[2];
  Instruction to;
  if (kind == "bulk") return copy_in_bulk(from);
  if (kind == "commit_group") {
    to.execute = &isa::commit_group;
    return to;
  }
  if (kind == "wait_all" || kind == "wait_group") {
    to.execute = kind == "wait_all" ? &isa::wait_all : &isa::wait_group;
    if (kind == "wait_group") to.option = groups_of(operand(from, 0));
    return to;
  }
  if (kind == "mbarrier") {
    const bool counts = !has(parts, "noinc");
    if (!are_all(parts, 3, {"arrive", "noinc", "shared", "shared::cta", "b64"})) throw Unsupported("this form of it");
    to.execute =
        isa::mbarrier(counts ? MbarrierOperation::arrive_when_copied : MbarrierOperation::arrive_when_copied_no_count);
    mbarrier_address(to, from, 0);
    return to;
  }
  if ((kind != "ca" && kind != "cg") || !are_all(parts, 3, {"shared", "shared::cta", "global"}))
    throw Unsupported("this form of it");
  const std::uint64_t bytes = operand(from, 2).bits;
  const bool fits = kind == "cg" ? bytes == 16 : bytes == 4 || bytes == 8 || bytes == 16;
  if (operand(from, 2).kind != ptx::Operand::Kind::integer || !fits) throw Unsupported("this number of bytes");
  to.execute = &isa::copy_async;
  to.set_elements(bytes, 1);
  to.kind = machine::AccessKind::load;
  address(to, operand(from, 0));
  const ptx::Operand& source_address = operand(from, 1);
  to.source_offset = static_cast<std::int32_t>(source_address.offset);
  if (!source_address.base_is_register || to.source_offset != source_address.offset)
    throw Unsupported("this form of address");
  to.source[1] = source(named(source_address.name), Width::b64);
  const bool has_policy = has(parts, "L2::cache_hint");
  if (from.operands.size() > (has_policy ? 4u : 3u)) {
    const ptx::Operand& read = operand(from, 3);
    const bool ignores = read.kind == ptx::Operand::Kind::reg && layout_.reg(read.name).width == Width::predicate;
    to.option = ignores ? 1 : 0;
    to.source[2] = source(read, ignores ? Width::predicate : Width::b32);
  }
  return to;
}

std::uint32_t Decoder::groups_of(const ptx::Operand& operand) {
  if (operand.kind != ptx::Operand::Kind::integer) throw Unsupported("a number of groups that is no constant");
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(operand.bits, std::numeric_limits<std::uint32_t>::max()));
}

/// cp.async.bulk.{shared::cluster,shared::cta}.global.mbarrier::complete_tx::bytes [d], [s], size, [mbarrier]
/// cp.async.bulk.global.shared::cta.bulk_group [d], [s], size
Instruction Decoder::copy_in_bulk(const ptx::Instruction& from) {
  const Parts& parts = from.parts;
  Instruction to;
  if (parts.size() < 4) throw Unsupported("this form of it");
  if (parts[3] == "commit_group") {
    to.execute = &bulk_commit_group;
    return to;
  }
  if (parts[3] == "wait_group") {
    to.execute = &bulk_wait_group;
    to.option = groups_of(operand(from, 0));
    return to;
  }
  if (parts[3] == "prefetch") {
    to.execute = quiet_hint();
    return to;
  }
  const bool to_shared = parts[3].starts_with("shared");
  const bool known =
      to_shared
          ? parts.size() > 5 && parts[4] == "global" && are_all(parts, 5, {"mbarrier::complete_tx::bytes"})
          : parts.size() > 5 && parts[3] == "global" && parts[4] == "shared::cta" && are_all(parts, 5, {"bulk_group"});
  if (!known) throw Unsupported("copies in bulk of tensors, to other blocks or with a reduction");
  to.execute = to_shared ? &bulk_to_shared : &bulk_to_global;
  const auto place = [&](std::size_t index, bool in_shared) {
    const ptx::Operand& at = operand(from, index);
    if (at.kind != ptx::Operand::Kind::address || !at.base_is_register || at.offset != 0)
      throw Unsupported("this form of address");
    const Layout::Register reg = layout_.reg(at.name);
    if (reg.width != (in_shared ? Width::b32 : Width::b64)) throw Unsupported("an address of this width");
    return reg.offset;
  };
  to.source[0] = place(0, to_shared);
  to.source[1] = place(1, !to_shared);
  to.source[2] = source(operand(from, 2), Width::b32);
  if (to_shared) to.source[3] = place(3, true);
  return to;
}

void Decoder::mbarrier_address(Instruction& to, const ptx::Instruction& from, std::size_t index) {
  to.generic = !has(from.parts, "shared") && !has(from.parts, "shared::cta");
  to.space = machine::Space::shared;
  to.kind = machine::AccessKind::atomic;
  to.ordered = true;
  to.set_elements(8, 1);
  address(to, operand(from, index));
}

Instruction Decoder::mbarrier(const ptx::Instruction& from) {
  using Operation = MbarrierOperation;
  const Parts& parts = from.parts;
  if (parts.size() < 2) throw Unsupported("this form of it");
  const std::string& kind = parts[1];
  Instruction to;
  if (has(parts, "shared::cluster")) throw Unsupported("a barrier of another block of a cluster");
  if (!are_all(parts, 2,
               {"expect_tx", "noComplete", "parity", "release", "acquire", "relaxed", "cta", "cluster", "shared",
                "shared::cta", "b64"}))
    throw Unsupported("this form of it");
  if (kind == "pending_count") {
    to.execute = isa::mbarrier(Operation::pending_count);
    to.destination = destination(operand(from, 0), Width::b32);
    to.source[1] = source(operand(from, 1), Width::b64);
    return to;
  }
  const bool tests = kind == "test_wait" || kind == "try_wait";
  const bool arrives = kind == "arrive" || kind == "arrive_drop";
  if (tests) {
    const bool by_parity = has(parts, "parity");
    to.execute = isa::mbarrier(by_parity ? Operation::test_wait_parity : Operation::test_wait);
    to.destination = destination(operand(from, 0), Width::predicate);
    mbarrier_address(to, from, 1);
    to.kind = machine::AccessKind::load;
    to.source[1] = source(operand(from, 2), by_parity ? Width::b32 : Width::b64);
    return to;
  }
  std::size_t next = 0;
  if (arrives) {
    const ptx::Operand& state = operand(from, next++);
    if (state.kind != ptx::Operand::Kind::sink) to.destination = destination(state, Width::b64);
    const bool expects = has(parts, "expect_tx");
    const bool drops = kind == "arrive_drop";
    to.execute = isa::mbarrier(expects ? drops ? Operation::arrive_drop_expect_bytes : Operation::arrive_expect_bytes
                               : drops ? Operation::arrive_drop
                                       : Operation::arrive);
  } else {
    if (kind == "init") to.execute = isa::mbarrier(Operation::init);
    if (kind == "inval") to.execute = isa::mbarrier(Operation::inval);
    if (kind == "expect_tx") to.execute = isa::mbarrier(Operation::expect_bytes);
    if (kind == "complete_tx") to.execute = isa::mbarrier(Operation::complete_bytes);
    if (to.execute == nullptr) throw Unsupported("this form of it");
  }
  mbarrier_address(to, from, next++);
  if (next < from.operands.size()) to.source[1] = source(operand(from, next), Width::b32);
  return to;
}

}  // namespace warpwright::isa
