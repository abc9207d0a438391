#include "isa/discard.h"

#include <array>
#include <cstring>

#include "isa/types.h"
#include "machine/access.h"
#include "machine/block.h"

namespace warpwright::isa {

using machine::Instruction;
using machine::Warp;

void discard(Warp& warp, const Instruction& instruction) {
  constexpr int unknown = 0xCD;  // as fresh memory
  constexpr u32 piece = 16;      // that is told of at a time
  std::array<u64, machine::warp_size> start{};
  machine::Lanes misaligned = 0;
  for (const int lane : machine::each_lane(warp.active)) {
    start[lane] = warp.reg<u64>(instruction.source[0])[lane] + static_cast<u64>(instruction.offset);
    if (start[lane] % discarded_bytes != 0) misaligned |= machine::lane_bit(lane);
  }
  if (misaligned != 0)
    warp.end_launch(observe::FaultKind::bad_call, misaligned,
                    "discard is for lines whose address is a multiple of 128");
  Instruction store;
  store.space = machine::Space::global;
  store.kind = machine::AccessKind::store;
  store.set_elements(piece, 1);
  store.bulk = true;  // no request of a warp
  for (u32 at = 0; at < discarded_bytes; at += piece) {
    machine::Addresses addresses(start.data(), at, warp.active);
    const machine::Targets targets = machine::resolve(warp, store, addresses);
    for (const int lane : machine::each_lane(warp.active))
      std::memset(targets.of[0].place(addresses[lane]), unknown, piece);
  }
}

}  // namespace warpwright::isa
