#include "observe/wavefronts.h"

#include <algorithm>

namespace warpwright::observe {
namespace {

void add_pass(std::vector<Wavefront>& to, unsigned bytes, machine::Lanes lanes, const std::uint64_t* addresses,
              bool merges) {
  const std::size_t first = to.size();
  std::array<std::vector<std::uint64_t>, banks> asked;  // by bank: words
  for (const int lane : machine::each_lane(lanes)) {
    for (std::uint64_t word = addresses[lane] / bank_bytes; word * bank_bytes < addresses[lane] + bytes; ++word) {
      std::vector<std::uint64_t>& words = asked[word % banks];
      auto found = merges ? std::find(words.begin(), words.end(), word) : words.end();
      if (found == words.end()) found = words.insert(words.end(), word);
      const std::size_t at = first + static_cast<std::size_t>(found - words.begin());
      if (at == to.size()) to.emplace_back().lane.fill(-1);
      int& served = to[at].lane[word % banks];
      if (served < 0) served = lane;
      to[at].lanes |= machine::lane_bit(lane);
    }
  }
}

}  // namespace

std::vector<Wavefront> wavefronts(SharedOperation operation, unsigned bytes, machine::Lanes lanes,
                                  const std::uint64_t* addresses) {
  int lanes_a_pass = bytes <= bank_bytes ? machine::warp_size : static_cast<int>(banks * bank_bytes / bytes);
  if (operation == SharedOperation::load && bytes > bank_bytes && lanes_are_paired(lanes, addresses)) lanes_a_pass *= 2;
  std::vector<Wavefront> all;
  for (int first = 0; first < machine::warp_size; first += lanes_a_pass) {
    const machine::Lanes pass = machine::all_lanes >> (machine::warp_size - lanes_a_pass) << first;
    add_pass(all, bytes, lanes & pass, addresses, operation != SharedOperation::atomic);
  }
  return all;
}

}  // namespace warpwright::observe
