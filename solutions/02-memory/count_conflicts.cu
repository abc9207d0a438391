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
// are paired if every active lane n whose partner n ^ 1 is active too has its partner's address, or if that holds for n
// ^ 2.
//
// A bank conflict is a wavefront beyond the first one of a pass.

#include "memory.h"

namespace {

bool is_active(std::uint32_t active, unsigned lane) { return (active >> lane & 1) != 0; }

}  // namespace

memory::BankCost memory::count_conflicts(Operation operation, unsigned bytes, const std::uint64_t* addresses,
                                         std::uint32_t active) {
  BankCost cost = {0, 0};
  // SOLUTION: one pass after the other. In a pass, an entry of `served` for each bank holds the words that it has been
  // asked for; a word that is there already is served along with the lane before. The busiest bank's number counts.
  unsigned lanes = bytes <= 4 ? 32 : 128 / bytes;  // of a pass
  if (operation == Operation::load && bytes > 4) {
    bool paired[2] = {true, true};
    for (unsigned lane = 0; lane < 32; ++lane) {
      for (unsigned apart = 1; apart <= 2; ++apart) {
        const unsigned partner = lane ^ apart;
        if (!is_active(active, lane) || !is_active(active, partner)) continue;
        if (addresses[lane] != addresses[partner]) paired[apart - 1] = false;
      }
    }
    if (paired[0] || paired[1]) lanes *= 2;
  }
  for (unsigned first = 0; first < 32; first += lanes) {
    std::uint64_t served[32][32];
    unsigned words[32] = {};
    unsigned busiest = 0;
    for (unsigned lane = first; lane < first + lanes; ++lane) {
      if (!is_active(active, lane)) continue;
      for (std::uint64_t word = addresses[lane] / 4; word * 4 < addresses[lane] + bytes; ++word) {
        const unsigned bank = word % 32;
        bool is_new = true;
        for (unsigned i = 0; i < words[bank]; ++i) is_new = is_new && served[bank][i] != word;
        if (is_new) served[bank][words[bank]++] = word;
        if (words[bank] > busiest) busiest = words[bank];
      }
    }
    cost.wavefronts += busiest;
    if (busiest > 1) cost.conflicts += busiest - 1;
  }
  // END
  return cost;
}
