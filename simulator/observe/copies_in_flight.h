// Problem: an asynchronous copy may write from its issue until somebody has waited for it. The machine makes it as late
// as it can, so that whoever reads too early comes before the write, and a barrier may lie between the two.
// Idea: keep the copies that nobody has waited for, and how many of them each cell of shared memory lies in.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "observe/accessors.h"
#include "observe/observer.h"

namespace warpwright::observe {

class CopiesInFlight {
 public:
  CopiesInFlight(std::size_t cells, unsigned cell_shift) : of_cell_(cells, 0), cell_shift_(cell_shift) {}

  void clear() {
    for (const Copy& copy : copies_) count(copy, -1);
    copies_.clear();
  }
  void issue(const CopyIssued& issued) {
    if (issued.bytes == 0) return;
    for (const int lane : machine::each_lane(issued.lanes)) {
      const std::uint32_t thread = issued.where.warp * machine::warp_size + static_cast<std::uint32_t>(lane);
      copies_.push_back({who(issued.where.pc, thread), issued.to[lane], issued.bytes});
      if (!is_inside(copies_.back()))
        copies_.pop_back();  // the copy itself will be told as out of bounds
      else
        count(copies_.back(), 1);
    }
  }
  /// A late access: the copies that it makes have been waited for.
  void make(const Access& access) {
    if (copies_.empty()) return;
    std::erase_if(copies_, [&](const Copy& copy) {
      const auto lane = static_cast<int>(thread_in(copy.who) % machine::warp_size);
      const bool is_made = pc_in(copy.who) == access.where.pc && warp_in(copy.who) == access.where.warp &&
                           machine::has_lane(access.lanes, lane) && copy.to == access.address(lane);
      if (is_made) count(copy, -1);
      return is_made;
    });
  }
  bool empty() const { return copies_.empty(); }
  /// The copy that may be writing a cell, if there is one.
  std::optional<Who> at(std::size_t cell) const {
    if (of_cell_[cell] == 0) return std::nullopt;
    const auto found = std::ranges::find_if(
        copies_, [&](const Copy& copy) { return first_cell(copy) <= cell && cell <= last_cell(copy); });
    return found->who;
  }

 private:
  struct Copy {
    Who who;
    std::uint64_t to;
    std::uint32_t bytes;
  };
  std::size_t first_cell(const Copy& copy) const { return copy.to >> cell_shift_; }
  std::size_t last_cell(const Copy& copy) const { return (copy.to + copy.bytes - 1) >> cell_shift_; }
  bool is_inside(const Copy& copy) const {
    return copy.to < of_cell_.size() << cell_shift_ && last_cell(copy) < of_cell_.size();
  }
  void count(const Copy& copy, int change) {
    for (std::size_t cell = first_cell(copy); cell <= last_cell(copy); ++cell)
      of_cell_[cell] = static_cast<std::uint16_t>(of_cell_[cell] + change);
  }

  std::vector<Copy> copies_;
  std::vector<std::uint16_t> of_cell_;
  unsigned cell_shift_;
};

}  // namespace warpwright::observe
