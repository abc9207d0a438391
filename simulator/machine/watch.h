// Problem: an event that nobody wants must cost nothing.
// Idea: one list of observers for each kind of event; the machine asks "is the list empty?" before it builds the event.
// Invariant: lists never change while a block runs.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "observe/observer.h"

namespace warpwright::machine {

struct Watch {
  static constexpr std::size_t spaces = static_cast<std::size_t>(Space::constant) + 1;
  std::array<std::vector<observe::Observer*>, spaces> access;  // by space
  std::vector<observe::Observer*> run, branch, barrier, warp_sync, shuffle, block, fence, profile, all;
  std::vector<std::uint8_t> rouses;  // by pc: a run from there is told to those of a warp who want none
  Profile* counted = nullptr;        // where runs are counted, if somebody wants the profile

  Watch(std::span<observe::Observer* const> observers, const Program& program) : rouses(program.code.size()) {
    for (observe::Observer* observer : observers) {
      const std::uint32_t wants = observer->wants();
      if (wants & observe::on_run) run.push_back(observer);
      for (std::size_t space = 0; space < spaces; ++space)
        if (wants & observe::on_access_to(static_cast<Space>(space))) access[space].push_back(observer);
      if (wants & observe::on_branch) branch.push_back(observer);
      if (wants & observe::on_barrier) barrier.push_back(observer);
      if (wants & observe::on_warp_sync) warp_sync.push_back(observer);
      if (wants & observe::on_shuffle) shuffle.push_back(observer);
      if (wants & observe::on_block) block.push_back(observer);
      if (wants & observe::on_fence) fence.push_back(observer);
      if (wants & observe::on_profile) profile.push_back(observer);
      all.push_back(observer);
    }
    for (std::uint32_t pc = 0; pc < rouses.size(); ++pc)
      for (const observe::Observer* observer : run) rouses[pc] |= observer->rouses(pc) ? 1 : 0;
  }
};

}  // namespace warpwright::machine
