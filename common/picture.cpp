#include "picture.h"

#include <fmt/core.h>

#include <map>
#include <vector>

#include "machine/lanes.h"
#include "observe/sectors.h"
#include "observe/wavefronts.h"
#include "words.h"

namespace warpwright {
namespace {

using observe::sector_bytes;

constexpr std::size_t sectors_a_line = 4;  // as many as a cache line has
constexpr std::size_t most_lines = 3;      // of sectors
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
  const auto wavefronts = observe::wavefronts(operation, access.bytes, access.lanes, access.addresses.data());
  std::string text = "wavefront   0       8       16      24    31  <- bank; # serves a word";
  const bool all = wavefronts.size() <= most_wavefronts;
  for (std::size_t i = 0; i < wavefronts.size(); ++i) {
    if (!all && i == most_wavefronts / 2) {
      text += fmt::format("\n{:>9}   {} more", "...", wavefronts.size() - most_wavefronts / 2 - 1);
      i = wavefronts.size() - 1;
    }
    text += fmt::format("\n{:>9}   ", i + 1);
    for (const int lane : wavefronts[i].lane) text += lane < 0 ? '.' : '#';
    std::vector<int> lanes;
    for (const int lane : machine::each_lane(wavefronts[i].lanes)) lanes.push_back(lane);
    text += "  " + lanes_text(lanes);
  }
  return text;
}

}  // namespace warpwright
