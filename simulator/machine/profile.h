// Problem: that an instruction was executed is what happens most often, and to tell an observer of it costs more than
// many an instruction does.
// Idea: who wants nothing but sums gets a profile when all is over. A run of instructions is counted where it begins,
// so it costs the same whatever its length.
// Left out: what happened before what; observe::Run tells it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "machine/lanes.h"
#include "machine/program.h"

namespace warpwright::machine {

/// How often the instructions of a program were executed.
class Profile {
 public:
  struct Count {
    std::int64_t warps = 0;    // groups of lanes that executed it together
    std::int64_t threads = 0;  // their lanes
    std::int64_t on = 0;       // those whose guard held

    Count& operator+=(const Count& more) {
      warps += more.warps;
      threads += more.threads;
      on += more.on;
      return *this;
    }
    Count& operator-=(const Count& less) {
      warps -= less.warps;
      threads -= less.threads;
      on -= less.on;
      return *this;
    }
  };

  explicit Profile(const Program& program) : begun_(program.code.size()), changes_(program.code.size() + 1) {
    for (std::size_t pc = 0; pc < program.run_length.size(); ++pc)
      begun_[pc].length = std::max<std::uint32_t>(program.run_length[pc], 1);
  }

  /// `count` instructions from `pc` on were executed by `lanes`; of the last one the guard held in `on`.
  void add(std::uint32_t pc, std::uint32_t count, Lanes lanes, Lanes on) {
    Begun& begun = begun_[pc];
    if (count == begun.length && (lanes & on) == all_lanes)
      ++begun.whole;
    else
      add_part(begun, pc, count, lanes, on);
  }

  /// By pc.
  std::vector<Count> counts() const {
    std::vector<Count> changes = changes_;
    for (std::size_t pc = 0; pc < begun_.size(); ++pc) {
      Count all = begun_[pc].parts;
      all += {begun_[pc].whole, begun_[pc].whole * warp_size, begun_[pc].whole * warp_size};
      changes[pc] += all;
      changes[pc + begun_[pc].length] -= all;
    }
    for (std::size_t pc = 1; pc < changes.size(); ++pc) changes[pc] += changes[pc - 1];
    changes.pop_back();
    return changes;
  }

 private:
  /// Runs that begin at an instruction and go as far as they can.
  struct Begun {
    std::int64_t whole = 0;  // by whole warps, the commonest, which one step counts
    Count parts;             // by some lanes
    std::uint32_t length = 0;
  };

  [[gnu::noinline]] void add_part(Begun& begun, std::uint32_t pc, std::uint32_t count, Lanes lanes, Lanes on) {
    const std::int64_t threads = count_lanes(lanes);
    const Count more{1, threads, on == lanes ? threads : count_lanes(on)};
    if (count == begun.length) {
      begun.parts += more;
    } else {
      changes_[pc] += more;
      changes_[pc + count] -= more;
    }
  }

  std::vector<Begun> begun_;    // by pc
  std::vector<Count> changes_;  // by pc, and one behind: of other runs, the difference from the instruction before
};

}  // namespace warpwright::machine
