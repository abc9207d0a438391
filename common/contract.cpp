#include "contract.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string_view>

#include "failure.h"
#include "machine/lanes.h"
#include "observe/metrics.h"
#include "picture.h"
#include "subject.h"
#include "words.h"

namespace warpwright {

namespace counters {

namespace metric = observe::metric;

const Counter bank_conflicts = {"bank conflicts",
                                {{std::string(metric::shared_store_conflicts), "on stores"},
                                 {std::string(metric::shared_load_conflicts), "on loads"}}};
const Counter store_conflicts = {"bank conflicts on stores", {{std::string(metric::shared_store_conflicts), ""}}};
const Counter load_conflicts = {"bank conflicts on loads", {{std::string(metric::shared_load_conflicts), ""}}};
const Counter shared_loads = {"wavefronts of shared loads", {{std::string(metric::shared_load_wavefronts), ""}}};
const Counter shared_stores = {"wavefronts of shared stores", {{std::string(metric::shared_store_wavefronts), ""}}};
const Counter global_loads = {"global loads by warps", {{std::string(metric::global_load_requests), ""}}};
const Counter global_stores = {"global stores by warps", {{std::string(metric::global_store_requests), ""}}};
const Counter load_sectors = {"sectors loaded", {{std::string(metric::global_load_sectors), ""}}};
const Counter store_sectors = {"sectors stored", {{std::string(metric::global_store_sectors), ""}}};
const Counter bytes_loaded = {"bytes loaded", {{std::string(metric::global_load_bytes), ""}}};
const Counter bytes_stored = {"bytes stored", {{std::string(metric::global_store_bytes), ""}}};
const Counter divergent_branches = {"divergent branches", {{std::string(metric::divergent_branches), ""}}};
const Counter block_barriers = {"block barriers", {{std::string(metric::block_barriers), ""}}};
const Counter barrier_arrivals = {"arrivals of warps at block barriers",
                                  {{std::string(metric::block_barrier_arrivals), ""}}};
const Counter warp_barriers = {"warp barriers", {{std::string(metric::warp_barriers), ""}}};
const Counter shuffles = {"shuffles by warps", {{std::string(metric::shuffles), ""}}};
const Counter instructions = {"instructions executed by warps", {{std::string(metric::warp_instructions), ""}}};
const Counter blocks = {"blocks", {{std::string(metric::launched_blocks), ""}}};
const Counter atomics = {"atomics by warps",
                         {{std::string(metric::shared_atomic_requests), "in shared memory"},
                          {std::string(metric::global_atomic_requests), "in global memory"}}};

}  // namespace counters

namespace {

double value_of(const observe::Metrics& metrics, const Counter& counter) {
  double sum = 0;
  for (const Counter::Part& part : counter.parts) {
    if (const auto found = metrics.find(part.metric); found != metrics.end()) sum += found->second;
  }
  return sum;
}

/// " (6 a block)" where that is a whole number, and more than 0, of something that blocks have.
std::string by_block(double value, const observe::Report& launch, const Counter& counter) {
  const double blocks = static_cast<double>(launch.grid.count());
  if (&counter == &counters::blocks || value == 0 || blocks == 1 || std::fmod(value, blocks) != 0) return {};
  return fmt::format(" ({} a block)", count_text(value / blocks));
}

/// "143,360 on stores (35 a block), 286,720 on loads (70 a block)"; behind their sum where that is held to a number:
/// "430,080 (105 a block): 143,360 on stores..."
std::string counted(const observe::Report& launch, const Counter& counter, double expected) {
  std::string text;
  double sum = 0;
  bool is_sum = false;
  for (const Counter::Part& part : counter.parts) {
    const auto found = launch.metrics.find(part.metric);
    const double value = found == launch.metrics.end() ? 0 : found->second;
    is_sum |= sum != 0 && value != 0;
    sum += value;
    text += (text.empty() ? "" : ", ") + count_text(value) + (part.words.empty() ? "" : " " + part.words) +
            by_block(value, launch, counter);
  }
  return is_sum && expected != 0 ? count_text(sum) + by_block(sum, launch, counter) + ": " + text : text;
}

const observe::InstructionReport* most_guilty(const observe::Report& launch, const Counter& counter) {
  const observe::InstructionReport* most = nullptr;
  for (const auto& [pc, instruction] : launch.instructions) {
    const double value = value_of(instruction.metrics, counter);
    if (value > 0 && (most == nullptr || value > value_of(most->metrics, counter))) most = &instruction;
  }
  return most;
}

/// "250 of them in line 26, 9 in line 29", or nothing where one line alone has more than `expected`: its neighbour may
/// be the one with too many.
std::string by_line(const observe::Report& launch, const Counter& counter, double expected, const std::string& file) {
  std::map<unsigned, double> lines;
  for (const auto& [pc, instruction] : launch.instructions) {
    const double value = value_of(instruction.metrics, counter);
    if (value > 0 && instruction.file == file) lines[instruction.line] += value;
  }
  if (lines.size() < 2 || std::any_of(lines.begin(), lines.end(), [&](const auto& of) { return of.second > expected; }))
    return {};
  std::string text;
  for (const auto& [line, value] : lines)
    text += fmt::format("{}{}{} line {}", text.empty() ? "" : ", ", count_text(value),
                        text.empty() ? " of them in" : " in", line);
  return text + "\n";
}

/// Up to four of the items, then dots, and the last one of a longer list is not shown.
template <class Items, class Text>
std::string some(const Items& items, Text text) {
  std::string list;
  std::size_t shown = 0;
  for (const auto& item : items) {
    if (shown == 4 && items.size() > 5) return list + ", ...";
    list += (list.empty() ? "" : ", ") + text(item);
    ++shown;
  }
  return list;
}

bool is_store(const observe::InstructionReport& instruction) {
  return std::string_view(instruction.text).find("st.") != std::string_view::npos;
}

/// What the worst execution of an instruction looked like, if that says something about the counter.
std::string exemplar(const observe::Report& launch, const observe::InstructionReport& instruction,
                     const Counter& counter) {
  if (!instruction.worst || instruction.worst->cost <= instruction.worst->ideal) return {};
  const auto counts = [&](const Counter& other) {
    return std::any_of(other.parts.begin(), other.parts.end(), [&](const Counter::Part& theirs) {
      return std::any_of(counter.parts.begin(), counter.parts.end(),
                         [&](const Counter::Part& ours) { return ours.metric == theirs.metric; });
    });
  };
  if (instruction.worst->shared &&
      (counts(counters::bank_conflicts) || counts(counters::shared_loads) || counts(counters::shared_stores))) {
    return describe_conflict(instruction, launch.program()) + "\n" +
           picture_of_banks(*instruction.worst, *instruction.worst->shared);
  }
  if (counts(counters::load_sectors) || counts(counters::store_sectors)) {
    return describe_sectors(instruction) + "\n" + picture_of_sectors(*instruction.worst);
  }
  return {};
}

/// `bound` is what the number is to be: "", "at most " or "at least ".
void fail_contract(const observe::Report& launch, const Counter& counter, const std::string& bound, double expected,
                   const std::string& why) {
  Failure failure;
  const bool too_many = count(launch, counter) > expected;
  const observe::InstructionReport* guilty = too_many ? most_guilty(launch, counter) : nullptr;
  if (guilty != nullptr) {
    failure.file = guilty->file;
    failure.line = guilty->line;
    if (guilty->file.empty()) failure.text = fmt::format("at {} (PTX line {})\n", guilty->text, guilty->ptx_line);
    if (const std::string worst = exemplar(launch, *guilty, counter); !worst.empty()) failure.text += worst + "\n";
  }
  failure.text += fmt::format("expected {}{} {}{}; counted {}, in {} of {}\n", bound, count_text(expected),
                              counter.name, by_block(expected, launch, counter), counted(launch, counter, expected),
                              so_many(launch.grid.count(), "block"), so_many(launch.block.count(), "thread"));
  if (guilty != nullptr && !guilty->file.empty()) failure.text += by_line(launch, counter, expected, guilty->file);
  failure.text += "because " + why;
  fail(std::move(failure));
}

}  // namespace

double count(const observe::Report& launch, const Counter& counter) { return value_of(launch.metrics, counter); }

void expect_exactly(const observe::Report& launch, const Counter& counter, double expected, const std::string& why) {
  if (count(launch, counter) != expected) fail_contract(launch, counter, "", expected, why);
}

void expect_at_most(const observe::Report& launch, const Counter& counter, double most, const std::string& why) {
  if (count(launch, counter) > most) fail_contract(launch, counter, "at most ", most, why);
}

void expect_at_least(const observe::Report& launch, const Counter& counter, double least, const std::string& why) {
  if (count(launch, counter) < least) fail_contract(launch, counter, "at least ", least, why);
}

std::string describe_conflict(const observe::InstructionReport& instruction, const machine::Program& program) {
  const observe::Exemplar& worst = *instruction.worst;
  // The bank with the most distinct words, and for each of them the first lane that touches it.
  std::map<std::uint64_t, std::map<std::uint64_t, int>> words_by_bank;
  for (int lane : machine::each_lane(worst.lanes)) {
    for (std::uint64_t byte = worst.addresses[lane]; byte < worst.addresses[lane] + worst.bytes; byte += 4) {
      words_by_bank[byte / 4 % 32].emplace(byte / 4, lane);
    }
  }
  const auto busiest = std::max_element(words_by_bank.begin(), words_by_bank.end(),
                                        [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); });
  // Words are counted from the start of the array that they are in, as the source does.
  const std::uint64_t first_byte = busiest->second.begin()->first * 4;
  std::uint64_t start = 0;
  std::string of_array;
  for (const machine::SharedArray& array : program.shared) {
    if (array.offset <= first_byte && (array.dynamic || first_byte < std::uint64_t{array.offset} + array.bytes)) {
      start = array.offset / 4;
      of_array = " of " + array.name;
    }
  }
  return fmt::format("{}-way conflict: lanes {} {} words {}{}, all in bank {}", busiest->second.size(),
                     some(busiest->second, [](const auto& word) { return std::to_string(word.second); }),
                     is_store(instruction) ? "write" : "read",
                     some(busiest->second, [&](const auto& word) { return std::to_string(word.first - start); }),
                     of_array, busiest->first);
}

std::string describe_sectors(const observe::InstructionReport& instruction) {
  const observe::Exemplar& worst = *instruction.worst;
  std::vector<int> lanes;
  for (int lane : machine::each_lane(worst.lanes)) lanes.push_back(lane);
  return fmt::format("{} sectors where {} would do: lanes {} {} at bytes {} of their array", worst.cost, worst.ideal,
                     some(lanes, [](int lane) { return std::to_string(lane); }),
                     is_store(instruction) ? "write" : "read",
                     some(lanes, [&](int lane) { return thousands(worst.addresses[lane]); }));
}

}  // namespace warpwright
