// Problem: an event that nobody wants must cost nothing.
// Idea: one list of observers for each kind of event; the machine asks "is the list empty?" before it builds the event.
// Invariant: lists never change while a block runs.
#pragma once

#include <span>
#include <vector>

#include "observe/observer.h"

namespace warpwright::machine {

struct Watch {
  std::vector<observe::Observer*> run, access, branch, barrier, warp_sync, shuffle, block, fence, all;

  explicit Watch(std::span<observe::Observer* const> observers) {
    for (observe::Observer* observer : observers) {
      const std::uint32_t wants = observer->wants();
      if (wants & observe::on_run) run.push_back(observer);
      if (wants & observe::on_access) access.push_back(observer);
      if (wants & observe::on_branch) branch.push_back(observer);
      if (wants & observe::on_barrier) barrier.push_back(observer);
      if (wants & observe::on_warp_sync) warp_sync.push_back(observer);
      if (wants & observe::on_shuffle) shuffle.push_back(observer);
      if (wants & observe::on_block) block.push_back(observer);
      if (wants & observe::on_fence) fence.push_back(observer);
      all.push_back(observer);
    }
  }
};

}  // namespace warpwright::machine
