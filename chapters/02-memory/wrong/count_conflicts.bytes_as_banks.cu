// wrong: takes bytes for words: bank = address mod 32; rejected by: right: neighbouring words lie in different banks
#include "memory.h"

namespace {

bool is_active(std::uint32_t active, unsigned lane) { return (active >> lane & 1) != 0; }

}  // namespace

memory::BankCost memory::count_conflicts(Operation operation, unsigned bytes, const std::uint64_t* addresses,
                                         std::uint32_t active) {
  BankCost cost = {0, 0};
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
        const unsigned bank = word * 4 % 32;
        bool is_new = true;
        for (unsigned i = 0; i < words[bank]; ++i) is_new = is_new && served[bank][i] != word;
        if (is_new) served[bank][words[bank]++] = word;
        if (words[bank] > busiest) busiest = words[bank];
      }
    }
    cost.wavefronts += busiest;
    if (busiest > 1) cost.conflicts += busiest - 1;
  }
  return cost;
}
