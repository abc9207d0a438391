#include "isa/copy_async.h"

#include <algorithm>

#include "isa/types.h"
#include "machine/access.h"
#include "machine/block.h"

namespace warpwright::isa {

using machine::Instruction;
using machine::Lanes;
using machine::Warp;
using machine::warp_size;

void copy_async(Warp& warp, const Instruction& instruction) {
  const Lanes lanes = warp.active;
  machine::AsyncCopy copy;
  copy.pc = warp.pc();
  copy.lanes = lanes;
  copy.bytes = instruction.element_bytes;
  const bool is_predicate = instruction.option == 1;
  for (const int lane : machine::each_lane(lanes)) {
    copy.to[lane] = instruction.wide_address ? warp.reg<u64>(instruction.source[0])[lane]
                                             : warp.reg<u32>(instruction.source[0])[lane];
    copy.to[lane] += static_cast<u64>(instruction.offset);
    copy.from[lane] =
        warp.reg<u64>(instruction.source[1])[lane] + static_cast<u64>(static_cast<s64>(instruction.source_offset));
    copy.read[lane] = copy.bytes;
    if (instruction.source[2] == machine::no_register) continue;
    if (is_predicate)
      copy.read[lane] = machine::has_lane(*warp.reg<Lanes>(instruction.source[2]), lane) ? 0 : copy.bytes;
    else
      copy.read[lane] = std::min<u32>(copy.bytes, warp.reg<u32>(instruction.source[2])[lane]);
  }
  // What is not read need not exist.
  Lanes reading = 0;
  for (const int lane : machine::each_lane(lanes))
    if (copy.read[lane] != 0) reading |= machine::lane_bit(lane);
  Instruction load = instruction;
  load.space = machine::Space::global;
  load.kind = machine::AccessKind::load;
  if (reading != 0) {
    machine::Addresses addresses(copy.from.data(), 0, reading);
    warp.as_if_at(copy.pc, reading, [&] { machine::resolve(warp, load, addresses); });
  }
  machine::tell_issued(warp, copy);
  warp.async_copies().issue(std::move(copy));
}

void commit_group(Warp& warp, const Instruction&) { warp.async_copies().commit(warp.active); }

void wait_group(Warp& warp, const Instruction& instruction) {
  warp.async_copies().wait(warp, warp.active, instruction.option);
}

void wait_all(Warp& warp, const Instruction&) { warp.async_copies().wait_all(warp, warp.active); }

}  // namespace warpwright::isa
