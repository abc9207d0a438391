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

/// Of a call or an access: its line, or else where it returns to.
std::string identity_of(const std::optional<HostLine>& place, const CallSite& site) {
  if (place) return fmt::format("{}:{}", place->file, place->line);
  std::string addresses;
  for (const void* address : site) addresses += fmt::format("{} ", address);
  return addresses;
}

std::string identity_of(const Operation& operation) { return identity_of(place_of_call(operation), operation.site); }

/// "the kernel scale, launched at line 12 in stream 1, may still be writing it at line 5"
std::string still_at_work(const Operation& earlier, const Part& part, const std::optional<HostLine>& here) {
  const auto place = place_of_call(earlier);
  const std::string deed = makes_memory(earlier) ? "may not have allocated it yet"
                                                 : fmt::format("may still be {} it{}", verb_for(part.use).doing,
                                                               at(part.file, part.line, here));
  return fmt::format("{}, {}{} in {}, {}", words_for(earlier), how_issued(earlier),
                     place ? at(place->file, place->line, here) : "", earlier.stream, deed);
}

/// Where things were, as far as it is known.
void add_places(observe::Diagnosis& diagnosis, const std::optional<HostLine>& here, const Operation& earlier) {
  const auto allocated = runtime().allocated_at.find(diagnosis.allocation);
  if (allocated != runtime().allocated_at.end())
    if (const auto made = place_of(allocated->second))
      diagnosis.message += fmt::format(" The memory was allocated at {}:{}.", made->file, made->line);
  if (here) {
    diagnosis.file = here->file;
    diagnosis.line = here->line;
  }
  if (const auto place = place_of_call(earlier))
    diagnosis.other = observe::Diagnosis::Other{{}, place->file, place->line, {}};
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

bool StreamRaces::meets_host(const UseOf& use, bool writes, const StreamOrder& order) const {
  const StreamOrder::Stamp& then = use.operation->stamp;
  // A strong read expects that somebody writes.
  return use.part.use != Use::reads_strongly && conflict(use.part.use, writes ? Use::writes : Use::reads) &&
         !order.host_knows(then) && !StreamOrder::holds(told_host_, then);
}

StreamRaces::Busy StreamRaces::busy(std::uint64_t allocation, const StreamOrder& order) const {
  Busy busy;
  const auto uses = uses_.find(allocation);
  if (uses == uses_.end()) return busy;
  for (const UseOf& use : uses->second) {
    if (meets_host(use, false, order)) busy.to_read.add(use.part.bytes);
    if (meets_host(use, true, order)) busy.to_write.add(use.part.bytes);
  }
  return busy;
}

/// Of several operations the last is shown: who waits for it has waited for most.
std::optional<observe::Diagnosis> StreamRaces::add(const HostAccess& access, const StreamOrder& order) {
  const auto uses = uses_.find(access.allocation);
  if (uses == uses_.end()) return std::nullopt;
  const bool writes = access.does != "reads";
  const UseOf* last = nullptr;
  for (const UseOf& use : uses->second)
    if (meets_host(use, writes, order) && use.part.bytes.contains(access.offset)) last = &use;
  if (last == nullptr) return std::nullopt;
  const Operation& earlier = *last->operation;
  const auto place = place_of(access.site);
  if (!told_.emplace(identity_of(earlier), identity_of(place, access.site)).second) return std::nullopt;
  observe::Diagnosis diagnosis;
  diagnosis.kind = "race";
  diagnosis.message =
      fmt::format("Race with the host: {} {} {}, and {}: nobody has waited for it.", access.by, access.does,
                  element_of(last->part, last->part, access.offset), still_at_work(earlier, last->part, place));
  diagnosis.hint = fmt::format(
      "Let the host wait first: with cudaDeviceSynchronize(), or for {} alone with cudaStreamSynchronize().",
      earlier.stream);
  diagnosis.allocation = access.allocation;
  add_places(diagnosis, place, earlier);
  return diagnosis;
}

void StreamRaces::keep(const std::shared_ptr<const Operation>& operation, std::vector<Part> parts,
                       const StreamOrder& order) {
  for (Part& part : parts) {
    changed_.emplace(part.allocation, part.base);
    const machine::Allocation* allocation = part.tells_host ? runtime().memory.find(part.base, 1) : nullptr;
    if (allocation != nullptr && allocation->place != machine::Place::device) {
      StreamOrder::join(told_host_, operation->known);
      for (const auto& [number, others] : uses_)
        if (!others.empty()) changed_.emplace(number, others.front().part.base);
    }
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
  const std::string deed = frees_memory(operation) ? "frees" : verb_for(race.part->use).does;
  observe::Diagnosis diagnosis;
  diagnosis.kind = "race";
  diagnosis.message = fmt::format(
      "Race between streams: {}, {} here in {}, {} {}{}, and {}: nothing orders the two.{}", words_for(operation),
      how_issued(operation), operation.stream, deed, element_of(*race.part, before, race.offset),
      at(race.part->file, race.part->line, place), still_at_work(earlier, before, place), reason(operation, earlier));
  if (race.same_value) diagnosis.message += " Both write the same value, so nothing depends on it today.";
  diagnosis.hint = fmt::format(
      "Record an event in {} behind the first (cudaEventRecord), and let {} wait for it before the second "
      "(cudaStreamWaitEvent); or use one stream for both.",
      earlier.stream, operation.stream);
  diagnosis.is_warning = race.same_value;
  diagnosis.allocation = race.part->allocation;
  if (operation.is_launch) diagnosis.kernel = operation.name;
  add_places(diagnosis, place, earlier);
  return diagnosis;
}

}  // namespace warpwright::cudart
