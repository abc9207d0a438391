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

#include <map>
#include <set>

#include "memory.h"

memory::BankCost memory::count_conflicts(Operation operation, unsigned bytes, const std::uint64_t* addresses,
                                         std::uint32_t active) {
  BankCost cost = {0, 0};
  // SOLUTION: lanes fall into passes, words into banks. A set keeps a word once, so that a word that is there already
  // is served along with the lane before. In each pass the busiest bank's number counts.
  const auto are_paired = [&](unsigned apart) {
    for (unsigned lane = 0; lane < 32; ++lane) {
      const unsigned partner = lane | apart;  // or the lane itself, which the partner has looked at
      const bool both = (active >> lane & active >> partner & 1) != 0;
      if (both && addresses[lane] != addresses[partner]) return false;
    }
    return true;
  };
  // A pass is for 2^7 bytes, or for twice as many.
  const unsigned exponent = operation == Operation::load && (are_paired(1) || are_paired(2)) ? 8 : 7;
  using Banks = std::map<std::uint64_t, std::set<std::uint64_t>>;  // words, by bank
  std::map<unsigned, Banks> passes;
  for (unsigned lane = 0; lane < 32; ++lane) {
    if ((active >> lane & 1) == 0) continue;
    for (std::uint64_t word = addresses[lane] / 4; word * 4 < addresses[lane] + bytes; ++word)
      passes[lane * bytes >> exponent][word % 32].insert(word);
  }
  for (const auto& [pass, banks] : passes) {
    std::set<std::size_t> numbers_of_words;
    for (const auto& [bank, words] : banks) numbers_of_words.insert(words.size());
    const auto busiest = static_cast<unsigned>(*numbers_of_words.rbegin());
    cost.wavefronts += busiest;
    cost.conflicts += busiest - 1;
  }
  // END
  return cost;
}
