#include "observe/happens_before.h"

#include <algorithm>

namespace warpwright::observe {
namespace {

using machine::each_lane;
using machine::warp_size;

template <class Times>
void learn(Times& known, const Times& more) {
  for (std::size_t i = 0; i < known.size(); ++i) known[i] = std::max(known[i], more[i]);
}

}  // namespace

Clocks::Clocks(std::uint32_t threads, bool partial_barriers) : threads_(threads), partial_barriers_(partial_barriers) {}

machine::Lanes Clocks::launched(std::uint32_t warp) const {
  const std::uint32_t lanes = std::min<std::uint32_t>(warp_size, threads_ - warp * warp_size);
  return machine::all_lanes >> (warp_size - lanes);
}

void Clocks::warp_sync(std::uint32_t warp, machine::Lanes lanes) {
  synchronised_ = ++now_;
  if (lanes == launched(warp))
    warp_epoch_[warp] = now_;
  else
    sync_some_lanes(warp, lanes);
}

void Clocks::sync_some_lanes(std::uint32_t warp, machine::Lanes lanes) {
  if (lanes_.empty()) lanes_.resize((threads_ + warp_size - 1) / warp_size);
  auto& known = lanes_[warp];
  Times together{};
  for (const int lane : each_lane(lanes)) learn(together, known[lane]);
  for (const int lane : each_lane(lanes)) together[lane] = now_;
  for (const int lane : each_lane(lanes)) known[lane] = together;
}

void Clocks::arrive(std::uint32_t barrier, std::uint32_t warp, bool waits, std::uint32_t expected) {
  if (!partial_barriers_) return;
  Phase& phase = phases_[barrier];
  learn(phase.known, across_[warp]);
  phase.known[warp] = synchronised_ = ++now_;
  if (waits) phase.waiting |= 1u << warp;
  phase.whole_block &= waits && expected == threads_;
}

void Clocks::release(std::uint32_t barrier) {
  synchronised_ = ++now_;
  if (!partial_barriers_) {
    epoch_ = now_;
    return;
  }
  Phase& phase = phases_[barrier];
  if (phase.whole_block)
    epoch_ = now_;
  else
    for (const int warp : each_lane(phase.waiting)) learn(across_[warp], phase.known);
  phase = {};
}

void Clocks::start_over() {
  now_ = 1;
  epoch_ = 1;
  synchronised_ = 1;
  warp_epoch_ = {};
  across_ = {};
  lanes_.clear();
  for (Phase& phase : phases_) phase.known = {};
}

}  // namespace warpwright::observe
