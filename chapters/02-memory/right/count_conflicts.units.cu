// Wider banks instead of more words: an access of 8 bytes sees 16 banks of 8 bytes, one of 16 sees 8 of 16.
#include <algorithm>
#include <vector>

#include "memory.h"

namespace {

struct Unit {
  unsigned bank;
  std::uint64_t number;
  bool operator<(const Unit& other) const { return bank != other.bank ? bank < other.bank : number < other.number; }
  bool operator==(const Unit& other) const { return number == other.number; }
};

bool paired(const std::vector<std::uint64_t>& all, std::uint32_t active, unsigned apart) {
  for (unsigned lane = 0; lane < 32; ++lane) {
    if ((active & active >> apart & 1u << lane) == 0 || (lane & apart) != 0) continue;
    if (all[lane] != all[lane + apart]) return false;
  }
  return true;
}

}  // namespace

memory::BankCost memory::count_conflicts(Operation operation, unsigned bytes, const std::uint64_t* addresses,
                                         std::uint32_t active) {
  const unsigned unit = std::max(bytes, 4u), banks = 128 / unit;
  const std::vector<std::uint64_t> all(addresses, addresses + 32);
  unsigned lanes = banks;
  if (operation == Operation::load && banks < 32 && (paired(all, active, 1) || paired(all, active, 2))) lanes *= 2;
  BankCost cost = {0, 0};
  for (unsigned first = 0; first < 32; first += lanes) {
    std::vector<Unit> units;
    for (unsigned lane = first; lane < first + lanes; ++lane) {
      if ((active >> lane & 1) != 0)
        units.push_back({static_cast<unsigned>(all[lane] / unit % banks), all[lane] / unit});
    }
    if (units.empty()) continue;
    std::sort(units.begin(), units.end());
    units.erase(std::unique(units.begin(), units.end()), units.end());
    unsigned most = 0;
    for (unsigned bank = 0; bank < banks; ++bank) {
      const auto here = std::count_if(units.begin(), units.end(), [&](const Unit& u) { return u.bank == bank; });
      most = std::max(most, static_cast<unsigned>(here));
    }
    cost.wavefronts += most;
    cost.conflicts += most - 1;
  }
  return cost;
}
