// memory.count_conflicts: what a warp's access to shared memory takes. A rule again, in host C++.
//
// Shared memory has 32 banks. A word of 4 bytes at address a lies in bank a / 4 % 32, and in one wavefront a bank gives
// or takes one word, for all lanes that want that word. So an access takes as many wavefronts as its busiest bank has
// different words to serve.
//
// That is all for accesses of up to 4 bytes a lane: 32 lanes fill the 128 bytes that the banks move at a time. Wider
// ones are served in passes, of as many lanes as fill 128 bytes: 16 lanes of 8 bytes, 8 lanes of 16 bytes. Each pass is
// costed by itself, and the costs add up. A pass none of whose lanes takes part costs nothing.
//
// Loads of 8 and 16 bytes have one exception. If the warp's lanes are paired, a pass takes twice as many lanes. They
// are paired if every active lane n of the warp whose partner n ^ 1 is active too has its partner's address, or if that
// holds for all partners n ^ 2.
//
// A bank conflict is a wavefront beyond the first one of a pass.
//
// fails now: right: lanes with one word are served together

#include <map>
#include <set>

#include "memory.h"

memory::BankCost memory::count_conflicts(Operation operation, unsigned bytes, const std::uint64_t* addresses,
                                         std::uint32_t active) {
  BankCost cost = {0, 0};
  // TODO: begin with 4 bytes a lane; then narrower ones; then the passes of wider stores; last, the paired loads.
  unsigned lanes_of_bank[32] = {};
  for (unsigned lane = 0; lane < 32; ++lane) {
    if ((active >> lane & 1) == 0) continue;
    const unsigned count = ++lanes_of_bank[addresses[lane] / 4 % 32];
    if (count > cost.wavefronts) cost.wavefronts = count;
  }
  cost.conflicts = cost.wavefronts - 1;
  // END
  return cost;
}
