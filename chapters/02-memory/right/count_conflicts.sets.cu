// A set of words for each bank; a pass is a mask of lanes.
#include <algorithm>
#include <set>

#include "memory.h"

namespace {

unsigned wavefronts_of(std::uint32_t lanes, unsigned bytes, const std::uint64_t* addresses) {
  std::set<std::uint64_t> words[32];
  std::size_t most = 0;
  for (; lanes != 0; lanes &= lanes - 1) {
    const std::uint64_t address = addresses[__builtin_ctz(lanes)];
    for (std::uint64_t byte = address; byte < address + bytes; ++byte) {
      std::set<std::uint64_t>& bank = words[byte / 4 % 32];
      bank.insert(byte / 4);
      most = std::max(most, bank.size());
    }
  }
  return static_cast<unsigned>(most);
}

bool are_paired(std::uint32_t active, const std::uint64_t* addresses, unsigned apart) {
  for (unsigned lane = 0; lane < 32; ++lane) {
    const std::uint32_t both = 1u << lane | 1u << (lane ^ apart);
    if ((active & both) == both && addresses[lane] != addresses[lane ^ apart]) return false;
  }
  return true;
}

}  // namespace

memory::BankCost memory::count_conflicts(Operation operation, unsigned bytes, const std::uint64_t* addresses,
                                         std::uint32_t active) {
  unsigned passes = std::max(bytes / 4, 1u);
  const bool wide_load = operation == Operation::load && passes > 1;
  if (wide_load && (are_paired(active, addresses, 1) || are_paired(active, addresses, 2))) passes /= 2;
  const unsigned lanes = 32 / passes;
  const std::uint32_t first_pass = lanes == 32 ? 0xffffffff : (1u << lanes) - 1;
  BankCost cost = {0, 0};
  for (unsigned pass = 0; pass < passes; ++pass) {
    const unsigned wavefronts = wavefronts_of(active & first_pass << pass * lanes, bytes, addresses);
    cost.wavefronts += wavefronts;
    cost.conflicts += wavefronts == 0 ? 0 : wavefronts - 1;
  }
  return cost;
}
