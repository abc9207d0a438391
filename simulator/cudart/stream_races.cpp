#include "cudart/stream_races.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <tuple>

#include "cudart/runtime.h"

namespace warpwright::cudart {
namespace {

using observe::Part;
using observe::Use;

/// What a use does, and is still doing.
struct Verb {
  const char *does, *doing;
};

Verb verb_for(Use use) {
  switch (use) {
    case Use::reads:
    case Use::reads_strongly:
      return {"reads", "reading"};
    case Use::updates:
      return {"updates", "updating"};
    case Use::writes:
      break;
  }
  return {"writes", "writing"};
}

/// "the kernel scale", "cudaMemcpyAsync"
std::string words_for(const Operation& operation) {
  return operation.is_launch ? "the kernel " + operation.name : operation.name;
}

const char* how_issued(const Operation& operation) { return operation.is_launch ? "launched" : "called"; }

bool makes_memory(const Operation& operation) { return operation.name.starts_with("cudaMalloc"); }
bool frees_memory(const Operation& operation) { return operation.name.starts_with("cudaFree"); }

/// " at line 12", or " at scale.cuh:12" where that is not in the file `here`.
std::string at(const std::string& file, std::uint32_t line, const std::optional<HostLine>& here) {
  if (line == 0) return "";
  return here && here->file == file ? fmt::format(" at line {}", line) : fmt::format(" at {}:{}", file, line);
}

/// "element 12 (of 4 bytes) of an allocation of 4096 bytes (cudaMalloc)". Copies know no elements.
std::string element_of(const Part& part, const Part& other, std::size_t offset) {
  const std::string owner = description_of(reinterpret_cast<const void*>(part.base));
  const std::uint32_t bytes = part.element_bytes != 0 ? part.element_bytes : other.element_bytes;
  if (bytes <= 1) return fmt::format("byte {} of {}", offset, owner);
  return fmt::format("element {} (of {} bytes) of {}", offset / bytes, bytes, owner);
}

/// Why the earlier operation may be under way still, where its name says otherwise.
std::string reason(const Operation& operation, const Operation& earlier) {
  if (!earlier.is_launch && !earlier.name.ends_with("Async") && !makes_memory(earlier))
    return fmt::format(" {} may return before it is done.", earlier.name);
  if (!operation.waits_for_default && earlier.stream == default_stream_words)
    return fmt::format(" With cudaStreamNonBlocking, {} does not wait for the default stream.", operation.stream);
  if (!earlier.waits_for_default && operation.stream == default_stream_words)
    return fmt::format(" The default stream does not wait for {}, which has cudaStreamNonBlocking.", earlier.stream);
  return "";
}

std::optional<HostLine> place_of_call(const Operation& operation) {
  return place_of(operation.site, operation.is_launch ? operation.name : "");
}

/// Of the call: its line, or else where it returns to.
std::string identity_of(const Operation& operation) {
  if (const auto place = place_of_call(operation)) return fmt::format("{}:{}", place->file, place->line);
  std::string addresses;
  for (const void* address : operation.site) addresses += fmt::format("{} ", address);
  return addresses;
}

}  // namespace

std::vector<observe::Diagnosis> StreamRaces::add(Operation operation, std::vector<Part> parts,
                                                 const StreamOrder& order) {
  std::vector<observe::Diagnosis> diagnoses;
  for (const Race& race : races_with(parts, order, operation.stamp.stream))
    if (told_.emplace(identity_of(*race.earlier->operation), identity_of(operation)).second)
      diagnoses.push_back(diagnosis_of(operation, race));
  keep(std::make_shared<const Operation>(std::move(operation)), std::move(parts), order);
  return diagnoses;
}

/// Whoever waits for an operation has waited for those that are ordered before it: of each stream the last is shown,
/// and of several streams those that are ordered before none of the others.
std::vector<StreamRaces::Race> StreamRaces::races_with(const std::vector<Part>& parts, const StreamOrder& order,
                                                       StreamOrder::Stream stream) const {
  std::map<StreamOrder::Stream, Race> last;
  const auto rank = [](const Race& race) {
    return std::tuple(race.earlier->operation->stamp.count, !race.same_value, ~race.part->allocation, ~race.offset);
  };
  for (const Part& part : parts) {
    const auto uses = uses_.find(part.allocation);
    if (uses == uses_.end()) continue;
    for (const UseOf& use : uses->second) {
      const StreamOrder::Stamp& then = use.operation->stamp;
      if (!conflict(use.part.use, part.use) || order.is_before(then, stream)) continue;
      const auto offset = use.part.bytes.first_common(part.bytes);
      if (!offset) continue;
      const bool same_value = part.same_value && use.part.use == Use::writes;
      const Race race{&use, &part, *offset, same_value};
      const auto [entry, is_new] = last.try_emplace(then.stream, race);
      if (!is_new && rank(race) > rank(entry->second)) entry->second = race;
    }
  }
  std::vector<Race> races;
  for (const auto& [of, race] : last) {
    const StreamOrder::Stamp& stamp = race.earlier->operation->stamp;
    const bool is_covered = std::ranges::any_of(last, [&](const auto& other) {
      return other.first != stamp.stream && StreamOrder::holds(other.second.earlier->operation->known, stamp);
    });
    if (!is_covered) races.push_back(race);
  }
  return races;
}

void StreamRaces::keep(const std::shared_ptr<const Operation>& operation, std::vector<Part> parts,
                       const StreamOrder& order) {
  for (Part& part : parts) {
    std::vector<UseOf>& uses = uses_[part.allocation];
    for (UseOf& use : uses)
      if (use.operation->stamp.stream == operation->stamp.stream && use.operation != operation &&
          stands_for(part.use, use.part.use))
        use.part.bytes.remove(part.bytes);
    std::erase_if(uses,
                  [&](const UseOf& use) { return use.part.bytes.empty() || order.host_knows(use.operation->stamp); });
    if (uses.size() == most_uses) uses.erase(uses.begin());
    uses.push_back({operation, std::move(part)});
  }
}

observe::Diagnosis StreamRaces::diagnosis_of(const Operation& operation, const Race& race) {
  const Operation& earlier = *race.earlier->operation;
  const Part& before = race.earlier->part;
  const auto place = place_of_call(operation);
  const auto other_place = place_of_call(earlier);
  const std::string deed = frees_memory(operation) ? "frees" : verb_for(race.part->use).does;
  const std::string other_deed = makes_memory(earlier) ? "may not have allocated it yet"
                                                       : fmt::format("may still be {} it{}", verb_for(before.use).doing,
                                                                     at(before.file, before.line, place));
  observe::Diagnosis diagnosis;
  diagnosis.kind = "race";
  diagnosis.message = fmt::format(
      "Race between streams: {}, {} here in {}, {} {}{}, and {}, {}{} in {}, {}: nothing orders the two.{}",
      words_for(operation), how_issued(operation), operation.stream, deed, element_of(*race.part, before, race.offset),
      at(race.part->file, race.part->line, place), words_for(earlier), how_issued(earlier),
      other_place ? at(other_place->file, other_place->line, place) : "", earlier.stream, other_deed,
      reason(operation, earlier));
  if (race.same_value) diagnosis.message += " Both write the same value, so nothing depends on it today.";
  const auto allocated = runtime().allocated_at.find(race.part->allocation);
  if (allocated != runtime().allocated_at.end())
    if (const auto made = place_of(allocated->second))
      diagnosis.message += fmt::format(" The memory was allocated at {}:{}.", made->file, made->line);
  diagnosis.hint = fmt::format(
      "Record an event in {} behind the first (cudaEventRecord), and let {} wait for it before the second "
      "(cudaStreamWaitEvent); or use one stream for both.",
      earlier.stream, operation.stream);
  diagnosis.is_warning = race.same_value;
  diagnosis.allocation = race.part->allocation;
  if (operation.is_launch) diagnosis.kernel = operation.name;
  if (place) {
    diagnosis.file = place->file;
    diagnosis.line = place->line;
  }
  if (other_place) diagnosis.other = observe::Diagnosis::Other{{}, other_place->file, other_place->line, {}};
  return diagnosis;
}

}  // namespace warpwright::cudart
