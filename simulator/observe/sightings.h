// Problem: a mistake in a loop is seen a million times; a learner wants to read it once, with one example.
// Idea: sightings are kept by what they are about (instructions, kind of mistake), with a count and the first example.
// When they are reported, those that stand on the same lines become one.
// Invariant: the example that is kept is that of the lowest block, and in it the earliest: the same whatever the number
// of host threads, since one host thread runs a block from its beginning to its end.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "machine/program.h"

namespace warpwright::observe {

/// What a sighting is about. `other_pc` is the instruction that it meets, or `pc` where there is none.
struct SightingKey {
  std::uint32_t pc = 0;
  std::uint32_t other_pc = 0;
  std::uint32_t what = 0;  // the observer's own kinds
  friend auto operator<=>(const SightingKey&, const SightingKey&) = default;
};

/// `Example` holds what a message needs beyond the key.
template <class Example>
class Sightings {
 public:
  struct Sighting {
    SightingKey key;
    std::uint64_t count = 0;
    std::uint64_t block = 0;
    std::uint64_t order = 0;  // grows with time inside the block
    Example example;
  };

  /// Adds `count` sightings. `make()` returns the Example; it is called only when it is to be kept.
  template <class Make>
  void see(const SightingKey& key, std::uint64_t block, std::uint64_t order, Make make, std::uint64_t count = 1) {
    if (last_ == nullptr || last_->key != key) {
      auto [found, added] = seen_.try_emplace(key);
      last_ = &found->second;
      if (added) *last_ = {key, 0, block, order, make()};
    }
    last_->count += count;
    if (std::tie(block, order) < std::tie(last_->block, last_->order)) {
      last_->block = block;
      last_->order = order;
      last_->example = make();
    }
  }

  void join(const Sightings& other) {
    for (const auto& [key, theirs] : other.seen_) {
      auto [found, added] = seen_.try_emplace(key, theirs);
      if (!added) merge(found->second, theirs);
    }
  }

  std::vector<Sighting> all() const {
    std::vector<Sighting> result;
    for (const auto& [key, sighting] : seen_) result.push_back(sighting);
    return result;
  }

  /// One sighting for each pair of lines and `what`, in order of block and time.
  std::vector<Sighting> by_line(const machine::Program& program) const {
    using Line = std::tuple<std::string, std::uint32_t>;
    const auto line_of = [&](std::uint32_t pc) -> Line {
      const machine::Frame* frame = program.learner_frame(pc);
      return frame == nullptr ? Line{"", pc} : Line{frame->file, frame->line};
    };
    std::map<std::tuple<Line, Line, std::uint32_t>, Sighting> lines;
    for (const auto& [key, sighting] : seen_) {
      auto [found, added] = lines.try_emplace({line_of(key.pc), line_of(key.other_pc), key.what}, sighting);
      if (!added) merge(found->second, sighting);
    }
    std::vector<Sighting> result;
    for (auto& [line, sighting] : lines) result.push_back(std::move(sighting));
    std::ranges::stable_sort(
        result, {}, [](const Sighting& sighting) { return std::tuple(sighting.block, sighting.order, sighting.key); });
    return result;
  }

 private:
  static void merge(Sighting& into, const Sighting& other) {
    const std::uint64_t count = into.count + other.count;
    if (std::tie(other.block, other.order, other.key) < std::tie(into.block, into.order, into.key)) into = other;
    into.count = count;
  }

  std::map<SightingKey, Sighting> seen_;
  Sighting* last_ = nullptr;  // most mistakes repeat
};

}  // namespace warpwright::observe
