// Problem: several blocks may fault on several host threads before the launch has stopped; a report must not depend on
// which.
// Idea: keep the faults of the lowest block. Blocks start in the order of their numbers and every block that has
// started goes on, so the lowest block that can fault always does.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "observe/observer.h"

namespace warpwright::observe {

/// A Fault, with its addresses, to be kept.
struct SavedFault {
  FaultKind kind = FaultKind::out_of_bounds;
  Where where;
  machine::Lanes lanes = 0;  // at fault
  machine::Space space = machine::Space::global;
  machine::AccessKind access = machine::AccessKind::load;
  std::uint32_t bytes = 0;  // of one lane
  std::array<std::uint64_t, machine::warp_size> addresses{};
  std::string text = {};
  Standstill standstill = {};
  std::vector<std::byte> found = {};  // what `standstill` points to
};

class FirstFaults {
 public:
  void add(const Fault& fault) {
    if (!faults_.empty() && fault.access.where.block > faults_.front().where.block) return;
    if (!faults_.empty() && fault.access.where.block < faults_.front().where.block) faults_.clear();
    SavedFault saved{fault.kind,        fault.access.where, fault.lanes, fault.access.space,
                     fault.access.kind, fault.access.bytes, {},          std::string(fault.text),
                     fault.standstill};
    if (const std::byte* found = std::exchange(saved.standstill.found, nullptr); found != nullptr)
      saved.found.assign(found, found + saved.bytes);
    if (fault.access.addresses != nullptr)
      for (const int lane : machine::each_lane(fault.lanes)) saved.addresses[lane] = fault.access.address(lane);
    faults_.push_back(saved);
  }

  void join(const FirstFaults& other) {
    if (other.faults_.empty()) return;
    if (faults_.empty() || other.faults_.front().where.block < faults_.front().where.block) faults_ = other.faults_;
  }

  /// In the order in which they were told.
  const std::vector<SavedFault>& all() const { return faults_; }

 private:
  std::vector<SavedFault> faults_;
};

}  // namespace warpwright::observe
