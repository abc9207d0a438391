#include "observe/race_shadow.h"

#include <algorithm>
#include <array>
#include <span>

namespace warpwright::observe {
namespace {

using machine::all_lanes;
using machine::Lanes;
using machine::warp_size;

/// All ones when a stamp is not older than `epoch`, else 0; without a branch. Stamps stay below 2^31.
std::uint32_t all_ones_since(Stamp epoch, Stamp stamp) {
  return static_cast<std::uint32_t>(static_cast<std::int32_t>(epoch - 1 - stamp) >> 31);
}

/// Whether each cell of a row was left alone since `epoch`, but perhaps for the lane that now comes to it. A lane comes
/// to `cells` neighbouring cells, a number known to the compiler.
template <std::uint32_t cells>
bool untouched_by_others(const Cells& shadow, std::size_t first, Who base, Stamp epoch) {
  const Stamp* stamp = &shadow.stamp[first];
  const Who* by = &shadow.who[first];
  std::uint32_t others = 0;
  for (std::uint32_t i = 0; i < warp_size * cells; ++i) {
    const std::uint32_t another_thread = (by[i] ^ (base + i / cells)) & thread_mask;
    others |= another_thread & all_ones_since(epoch, stamp[i]);
  }
  return others == 0;
}

template <std::uint32_t cells>
void fill(Cells& shadow, std::size_t first, Who base, Stamp now) {
  Stamp* stamp = &shadow.stamp[first];
  Who* by = &shadow.who[first];
  for (std::uint32_t i = 0; i < warp_size * cells; ++i) {
    stamp[i] = now;
    by[i] = base + i / cells;
  }
}

}  // namespace

/// What an access of some role conflicts with, and where it is noted down.
struct RaceShadow::Watched {
  std::array<const Cells*, 2> latest{};  // one or two, whose stamps tell whether a cell was touched at all
  std::size_t latest_count = 0;
  std::array<const Cells*, 2> second{};  // further accessors of cells that were
  std::size_t second_count = 0;
  Cells* mark = nullptr;       // the last write, or the first of two accessors
  Accessors* group = nullptr;  // that `mark` is the first of; null for writes

  void watch(const Cells& cells) { latest[latest_count++] = &cells; }
  void watch(const Accessors& accessors) {
    watch(accessors.first);
    second[second_count++] = &accessors.second;
  }
  std::span<const Cells* const> latest_accesses() const { return {latest.data(), latest_count}; }
  std::span<const Cells* const> second_accesses() const { return {second.data(), second_count}; }
};

RaceShadow::RaceShadow(std::uint32_t threads, std::uint32_t window_bytes, unsigned cell_shift,
                       const Synchronisation& synchronisation)
    : clocks(threads, synchronisation.partial_block_barriers),
      writer((window_bytes >> cell_shift) + 1),
      readers((window_bytes >> cell_shift) + 1, synchronisation.partial()),
      atomics(synchronisation.atomics ? (window_bytes >> cell_shift) + 1 : 0, synchronisation.partial()),
      copies((window_bytes >> cell_shift) + 1, cell_shift),
      cell_shift_(cell_shift),
      has_atomics_(synchronisation.atomics),
      partial_(synchronisation.partial()) {}

void RaceShadow::begin_block() {
  forget_if_exhausted();
  clocks.begin_block();
  copies.clear();
  order = 0;
}

void RaceShadow::forget_if_exhausted() {
  if (!clocks.exhausted()) return;
  writer.forget();
  readers.forget();
  atomics.forget();
  told_.clear();
  clocks.start_over();
}

bool RaceShadow::tell(std::size_t cell) {
  if (told_.empty()) told_.resize(writer.stamp.size());
  const bool before = told_[cell] >= clocks.epoch();
  told_[cell] = clocks.now();
  return before;
}

Lanes RaceShadow::settle(const Access& access, Role role) {
  if (partial_ || role == Role::strong_read) return access.lanes;
  Watched watched;
  if (role != Role::writes) watched.watch(writer);
  if (role != Role::reads) watched.watch(readers);
  if (role != Role::atomic && has_atomics_) watched.watch(atomics);
  watched.group = role == Role::reads ? &readers : role == Role::atomic ? &atomics : nullptr;
  watched.mark = watched.group == nullptr ? &writer : &watched.group->first;

  const std::uint32_t cells_a_lane = access.bytes >> cell_shift_;
  const Who base = who(access.where.pc, access.where.warp * warp_size);
  if (access.lanes == all_lanes) {
    const machine::Stride& stride = access.stride();
    const std::size_t cell = cell_of(stride.first);
    if (access.is_row() && settle_row(watched, cell, cells_a_lane, base)) return 0;
    if (stride.regular && stride.stride == 0 && settle_one_place(watched, cell, cells_a_lane, base)) return 0;
  }
  return cells_a_lane == 1 ? settle_scattered(watched, access, base) : access.lanes;
}

/// Neighbouring lanes come to neighbouring cells: one sweep without branches.
template <std::uint32_t cells>
bool RaceShadow::settle_row(const Watched& watched, std::size_t first, Who base) {
  const Stamp epoch = clocks.epoch();
  if (!untouched_by_others<cells>(*watched.mark, first, base, epoch)) return false;
  for (const auto& conflicting : {watched.latest_accesses(), watched.second_accesses()})
    for (const Cells* shadow : conflicting)
      if (!untouched_by_others<cells>(*shadow, first, base, epoch)) return false;
  fill<cells>(*watched.mark, first, base, clocks.now());
  return true;
}

bool RaceShadow::settle_row(const Watched& watched, std::size_t first, std::uint32_t cells_a_lane, Who base) {
  switch (cells_a_lane) {
    case 1:
      return settle_row<1>(watched, first, base);
    case 2:
      return settle_row<2>(watched, first, base);
    case 4:
      return settle_row<4>(watched, first, base);
    default:
      return false;
  }
}

/// All lanes come to one place, not to write: two of them stand for all (see accessors.h).
bool RaceShadow::settle_one_place(const Watched& watched, std::size_t cell, std::uint32_t cells, Who base) {
  if (watched.group == nullptr) return false;
  for (std::size_t at = cell; at < cell + cells; ++at)
    for (const Cells* conflicting : watched.latest_accesses())
      if (conflicting->stamp[at] >= clocks.epoch()) return false;
  for (std::size_t at = cell; at < cell + cells; ++at)
    for (const Who lane : {0u, 1u}) watched.group->add(at, base + lane, clocks);
  return true;
}

Lanes RaceShadow::settle_scattered(const Watched& watched, const Access& access, Who base) {
  const Stamp epoch = clocks.epoch();
  const Stamp now = clocks.now();
  const std::uint64_t* addresses = access.addresses->list();
  const Stamp* one = watched.latest[0]->stamp.data();
  const Stamp* other = watched.latest[watched.latest_count - 1]->stamp.data();
  Stamp* mark = watched.mark->stamp.data();
  Who* by = watched.mark->who.data();
  Lanes left = 0;
  const auto settle_lane = [&](int lane) {
    const std::size_t cell = cell_of(addresses[lane]);
    const Who me = base + static_cast<Who>(lane);
    if ((one[cell] >= epoch) | (other[cell] >= epoch)) {
      left |= machine::lane_bit(lane);
    } else if (mark[cell] < epoch) {
      mark[cell] = now;
      by[cell] = me;
    } else if (watched.group != nullptr) {
      watched.group->add(cell, me, clocks);
    } else {
      left |= machine::lane_bit(lane);
    }
  };
  if (access.lanes == all_lanes)
    for (int lane = 0; lane < warp_size; ++lane) settle_lane(lane);
  else
    for (const int lane : machine::each_lane(access.lanes)) settle_lane(lane);
  return left;
}

}  // namespace warpwright::observe
