// Problem: a count says that something is wrong; a learner wants to see the lanes that make it so.
// Idea: of each memory instruction, keep the one execution that is furthest above its ideal.
// Invariant: which one is kept does not depend on host threads: the greatest excess, then the lowest block, then the
// lowest warp, then the first in that warp.
#pragma once

#include <cstdint>
#include <memory>
#include <tuple>

#include "observe/observer.h"
#include "observe/report.h"

namespace warpwright::observe {

class Worst {
 public:
  /// Told for every execution; keeps a copy of the worst.
  void see(const Access& access, unsigned cost, unsigned ideal) {
    const int excess = static_cast<int>(cost) - static_cast<int>(ideal);
    if (excess < excess_) return;
    if (excess == excess_ && !earlier(access.where.block, access.where.warp)) return;
    excess_ = excess;
    block_ = access.where.block;
    warp_ = access.where.warp;
    keep(access, cost, ideal);
  }

  void join(const Worst& other) {
    if (!other.kept_ || other.excess_ < excess_) return;
    if (other.excess_ == excess_ && !earlier(other.block_, other.warp_)) return;
    excess_ = other.excess_;
    block_ = other.block_;
    warp_ = other.warp_;
    kept_ = std::make_unique<Exemplar>(*other.kept_);
  }

  /// Null when the instruction was never executed.
  const Exemplar* exemplar() const { return kept_.get(); }

 private:
  static constexpr int none = -1000;  // below every excess: an ideal is at most 16 sectors

  bool earlier(std::uint64_t block, std::uint32_t warp) const {
    return std::tie(block, warp) < std::tie(block_, warp_);
  }

  [[gnu::noinline]] void keep(const Access& access, unsigned cost, unsigned ideal) {
    if (!kept_) kept_ = std::make_unique<Exemplar>();
    kept_->block = access.where.block;
    kept_->warp = access.where.warp;
    kept_->lanes = access.lanes;
    kept_->bytes = access.bytes;
    kept_->cost = cost;
    kept_->ideal = ideal;
    for (int lane = 0; lane < machine::warp_size; ++lane)
      kept_->addresses[lane] = machine::has_lane(access.lanes, lane) ? access.address(lane) : 0;
  }

  int excess_ = none;
  std::uint32_t warp_ = 0;
  std::uint64_t block_ = 0;
  std::unique_ptr<Exemplar> kept_;
};

}  // namespace warpwright::observe
