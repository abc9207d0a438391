#include "picture.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>
#include <vector>

#include "machine/lanes.h"
#include "observe/sectors.h"
#include "words.h"

namespace warpwright {
namespace {

using observe::bank_bytes, observe::banks, observe::sector_bytes;

constexpr std::size_t sectors_a_line = 7;
constexpr std::size_t most_lines = 2;  // of sectors
constexpr std::size_t most_wavefronts = 8;

/// "lane 3", "lanes 0 to 15", "lanes 0, 8, 16, 24", "lanes 0, 2, 4, ... (16)".
std::string lanes_text(const std::vector<int>& lanes) {
  if (lanes.size() == 1) return fmt::format("lane {}", lanes.front());
  if (lanes.back() - lanes.front() + 1 == static_cast<int>(lanes.size()))
    return fmt::format("lanes {} to {}", lanes.front(), lanes.back());
  std::string list;
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    if (i == 3 && lanes.size() > 4) return fmt::format("lanes {}, ... ({})", list, lanes.size());
    list += (i == 0 ? "" : ", ") + std::to_string(lanes[i]);
  }
  return "lanes " + list;
}

/// Which lanes each bank serves in one wavefront: a line of the picture.
struct Wavefront {
  std::string served = std::string(banks, '.');
  std::vector<int> lanes;
};

/// One pass: the k-th word that a bank is asked for is served in the k-th wavefront.
void add_pass(std::vector<Wavefront>& wavefronts, const observe::Exemplar& access, machine::Lanes lanes, bool merges) {
  const std::size_t first = wavefronts.size();
  std::array<std::vector<std::uint64_t>, banks> words;
  for (const int lane : machine::each_lane(lanes)) {
    for (std::uint64_t word = access.addresses[lane] / bank_bytes;
         word * bank_bytes < access.addresses[lane] + access.bytes; ++word) {
      std::vector<std::uint64_t>& asked = words[word % banks];
      auto found = merges ? std::find(asked.begin(), asked.end(), word) : asked.end();
      if (found == asked.end()) found = asked.insert(asked.end(), word);
      const std::size_t at = first + static_cast<std::size_t>(found - asked.begin());
      if (at == wavefronts.size()) wavefronts.emplace_back();
      wavefronts[at].served[word % banks] = '#';
      if (wavefronts[at].lanes.empty() || wavefronts[at].lanes.back() != lane) wavefronts[at].lanes.push_back(lane);
    }
  }
}

}  // namespace

std::string picture_of_sectors(const observe::Exemplar& access) {
  std::map<std::uint64_t, std::string> sectors;  // by number: a mark for each 4 bytes
  for (const int lane : machine::each_lane(access.lanes)) {
    for (std::uint64_t byte = access.addresses[lane]; byte < access.addresses[lane] + access.bytes; ++byte) {
      std::string& marks = sectors.try_emplace(byte / sector_bytes, sector_bytes / 4, '.').first->second;
      marks[byte % sector_bytes / 4] = '#';
    }
  }
  std::string text = "sectors of 32 bytes; # 4 bytes that a lane wants, . moved along";
  std::size_t shown = 0;
  std::uint64_t before = 0;
  for (const auto& [number, marks] : sectors) {
    if (shown == sectors_a_line * most_lines) {
      text += fmt::format("\n{:>10}   and {} more", "...", sectors.size() - shown);
      break;
    }
    if (shown % sectors_a_line == 0) {
      text += fmt::format("\n{:>10} |", thousands(number * sector_bytes));
    } else if (number != before + 1) {
      text.back() = ':';  // a gap
    }
    text += marks + "|";
    before = number;
    ++shown;
  }
  return text;
}

std::string picture_of_banks(const observe::Exemplar& access, observe::SharedOperation operation) {
  using observe::SharedOperation;
  int lanes_a_pass = access.bytes <= bank_bytes ? 32 : static_cast<int>(banks * bank_bytes / access.bytes);
  if (operation == SharedOperation::load && access.bytes > bank_bytes &&
      observe::lanes_are_paired(access.lanes, access.addresses.data()))
    lanes_a_pass *= 2;
  std::vector<Wavefront> wavefronts;
  for (int first = 0; first < machine::warp_size; first += lanes_a_pass) {
    const machine::Lanes pass = machine::all_lanes >> (machine::warp_size - lanes_a_pass) << first;
    add_pass(wavefronts, access, access.lanes & pass, operation != SharedOperation::atomic);
  }
  std::string text = "wavefront   0       8       16      24    31  <- bank; # serves a word";
  const bool all = wavefronts.size() <= most_wavefronts;
  for (std::size_t i = 0; i < wavefronts.size(); ++i) {
    if (!all && i == most_wavefronts / 2) {
      text += fmt::format("\n{:>9}   {} more", "...", wavefronts.size() - most_wavefronts / 2 - 1);
      i = wavefronts.size() - 1;
    }
    text += fmt::format("\n{:>9}   {}  {}", i + 1, wavefronts[i].served, lanes_text(wavefronts[i].lanes));
  }
  return text;
}

}  // namespace warpwright
