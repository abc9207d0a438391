#include "observe/global_race.h"

#include <bit>
#include <cstring>
#include <vector>

#include "observe/global_shadow.h"
#include "observe/handovers.h"
#include "observe/per_block.h"
#include "observe/race_wording.h"
#include "observe/report.h"
#include "observe/roles.h"
#include "observe/same_value.h"
#include "observe/sightings.h"
#include "observe/stretches.h"
#include "observe/synchronisation.h"

namespace warpwright::observe {
namespace {

using machine::warp_size;

/// What is remembered of a block.
struct BlockTime {
  BlockTime(std::uint32_t threads, const Synchronisation& synchronisation)
      : clocks(threads, synchronisation.partial_block_barriers) {}
  Clocks clocks;
  std::uint64_t order = 0;  // of accesses in the block
};

/// What the host threads of a launch share.
struct Shared {
  explicit Shared(const machine::Launch& launch) : roles(*launch.program) {
    if (roles.hands_over()) handovers.emplace(launch.threads_per_block());
  }
  Roles roles;
  GlobalShadow shadow;
  /// A program that hands over runs on one host thread, as it has strong accesses.
  std::optional<Handovers> handovers;
};

/// Whether a later access conflicts with all that the earlier one conflicts with.
bool stands_for(Role later, Role earlier) {
  if (later == earlier || later == Role::writes || earlier == Role::strong_read) return true;
  return later == Role::volatile_write && earlier == Role::atomic;
}

bool exclusive(Role role) { return role == Role::writes || role == Role::volatile_write; }

class GlobalRace final : public Observer {
 public:
  explicit GlobalRace(std::shared_ptr<Shared> shared) : shared_(std::move(shared)) {}

  std::uint32_t wants() const override {
    return (shared_->handovers ? on_global_access | on_shared_access : on_global_access) | on_barrier | on_warp_sync |
           on_block | on_fence;
  }
  std::unique_ptr<Observer> fork() const override { return std::make_unique<GlobalRace>(shared_); }

  void launch_begin(const machine::Launch& launch) override {
    launch_ = &launch;
    synchronisation_ = synchronisation_of(*launch.program);
    if (!shared_) shared_ = std::make_shared<Shared>(launch);
  }

  void block_begin(std::uint64_t block) override {
    BlockTime& time = blocks_.begin(
        block, [&] { return std::make_unique<BlockTime>(launch_->threads_per_block(), synchronisation_); });
    if (time.clocks.exhausted()) time.clocks.start_over();
    time.clocks.begin_block();
    time.order = 0;
    if (shared_->handovers) shared_->handovers->begin_block(block);
  }
  void block_end(std::uint64_t block) override {
    blocks_.end(block);
    if (shared_->handovers) shared_->handovers->end_block(block);
  }

  void barrier_arrival(const BarrierArrival& arrival) override {
    clocks_of(arrival.where).arrive(arrival.barrier, arrival.where.warp, arrival.waits, arrival.expected_threads);
  }
  void barrier_release(const BarrierRelease& release) override { clocks_of(release.where).release(release.barrier); }
  void warp_sync(const WarpSync& sync) override { clocks_of(sync.where).warp_sync(sync.where.warp, sync.lanes); }
  void fence(const Fence& fence) override {
    if (shared_->handovers) shared_->handovers->fence(fence, clocks_of(fence.where));
  }

  void access(const Access& access) override {
    const bool is_global = access.space == machine::Space::global;
    BlockTime& time = blocks_.at(access.where.block);
    const Roles::Entry& role = shared_->roles[access.where.pc];
    if (shared_->handovers) shared_->handovers->access(access, role, time.clocks);
    if (!is_global || access.bytes > Line::bytes) return;
    ++time.order;
    const Who base = who(access.where.pc, access.where.warp * warp_size);
    const auto shift = static_cast<std::uint8_t>(std::countr_zero(access.bytes));
    for_each_piece(access, [&](const Piece& piece) {
      GlobalShadow::Lines* lines = lines_at(piece.address);
      if (lines == nullptr) return;
      Stretch stretch{.block = static_cast<std::uint32_t>(access.where.block),
                      .stamp = time.clocks.now(),
                      .who = base + static_cast<Who>(piece.lane),
                      .first = static_cast<std::uint8_t>(piece.address % Line::bytes),
                      .bytes = static_cast<std::uint8_t>(piece.lanes * static_cast<int>(access.bytes)),
                      .shift = piece.lanes > 1 ? shift : std::uint8_t{7},
                      .another = static_cast<std::uint8_t>(piece.another)};
      Line& line = lines->at(piece.address);
      line.lock();
      touch(line, stretch, role, access, time);
      line.unlock();
    });
  }

  void join(Observer& other) override { races_.join(static_cast<GlobalRace&>(other).races_); }

  void report(Report& report) const override { report_races(report, *launch_, races_); }

 private:
  static constexpr std::uint32_t most_before_reads = 32;  // of a line: more are not remembered

  Clocks& clocks_of(const Where& where) { return blocks_.at(where.block).clocks; }

  GlobalShadow::Lines* lines_at(machine::Address address) {
    for (GlobalShadow::Lines* lines : recent_)
      if (lines != nullptr && lines->contains(address, 1)) return lines;
    const machine::Allocation* allocation = launch_->memory->find(address, 1);
    if (allocation == nullptr) return nullptr;
    next_recent_ = (next_recent_ + 1) % recent_.size();
    return recent_[next_recent_] = &shared_->shadow.lines_of(*allocation);
  }

  void touch(Line& line, const Stretch& now, const Roles::Entry& role, const Access& access, BlockTime& time) {
    const Clocks& clocks = time.clocks;
    std::uint32_t alike = 0;  // stretches of the same role that nothing orders before this one, and that cover it
    std::uint32_t alike_block = 0, alike_warp = 0;
    bool enough = false;
    for (std::uint32_t i = 0; i < line.size();) {
      const Stretch& then = line[i];
      if (!now.overlaps(then)) {
        ++i;
        continue;
      }
      const Roles::Entry& earlier = shared_->roles[pc_in(then.who)];
      const bool strangers = then.block != now.block;
      const bool may_race = conflict(role, earlier, strangers);
      if (may_race) check(then, now, access, time);
      const bool is_past = !strangers && is_ordered(then, now, clocks);
      if (now.covers(then) && (is_past || may_race) && stands_for(role.role, earlier.role)) {
        line.remove(i);
        continue;
      }
      if (earlier.role == role.role && then.covers(now) && !exclusive(role.role)) {
        enough |= alike > 0 && (alike_block != then.block || alike_warp != warp_in(then.who));
        ++alike;
        alike_block = then.block;
        alike_warp = warp_in(then.who);
      }
      ++i;
    }
    if (!enough && line.size() < (exclusive(role.role) ? Line::most : most_before_reads)) line.add(now);
  }

  /// Whether all of `then` is ordered before all of `now`, by what barriers of whole blocks and warps say.
  static bool is_ordered(const Stretch& then, const Stretch& now, const Clocks& clocks) {
    if (then.stamp < clocks.epoch() || then.same_threads(now)) return true;
    const std::uint32_t warp = warp_in(then.who);
    return warp == warp_in(now.who) && then.stamp < clocks.warp_epoch(warp);
  }

  /// Looks for two threads that nothing orders, and tells of them.
  void check(const Stretch& then, const Stretch& now, const Access& access, BlockTime& time) {
    const bool strangers = then.block != now.block;
    if (!strangers && is_ordered(then, now, time.clocks)) return;
    const std::uint32_t begin = std::max(then.first, now.first);
    const std::uint32_t end = std::min(then.end(), now.end());
    const std::uint32_t step = 1u << std::min(then.shift, now.shift);
    for (std::uint32_t byte = begin; byte < end; byte = (byte / step + 1) * step)
      for (const std::uint32_t other : {0u, std::uint32_t{then.another}})
        for (const std::uint32_t mine : {0u, std::uint32_t{now.another}}) {
          const std::uint32_t old_thread = then.thread_at(byte) + other;
          const std::uint32_t thread = now.thread_at(byte) + mine;
          const std::uint64_t address = access.address(static_cast<int>(thread % warp_size));
          if (!are_ordered(then, old_thread, now, thread, address, time.clocks))
            return see(then, old_thread, now, thread, byte, access, time);
        }
  }

  bool are_ordered(const Stretch& then, std::uint32_t old_thread, const Stretch& now, std::uint32_t thread,
                   std::uint64_t address, const Clocks& clocks) const {
    if (then.block == now.block && clocks.ordered(then.stamp, old_thread, thread)) return true;
    if (!shared_->handovers) return false;
    const Moment moment{then.block, old_thread, then.stamp};
    return shared_->handovers->ordered(moment, now.block, thread, clocks) ||
           (shared_->roles[pc_in(then.who)].releases &&
            shared_->handovers->knows_flag(moment, address, now.block, thread, clocks));
  }

  void see(const Stretch& then, std::uint32_t old_thread, const Stretch& now, std::uint32_t thread, std::uint32_t byte,
           const Access& access, const BlockTime& time) {
    const Role role = shared_->roles[access.where.pc].role;
    const Role earlier = shared_->roles[pc_in(then.who)].role;
    const bool reads = role == Role::reads || role == Role::strong_read;
    const bool earlier_reads = earlier == Role::reads || earlier == Role::strong_read;
    const Hazard hazard = reads           ? Hazard::read_after_write
                          : earlier_reads ? Hazard::write_after_read
                                          : Hazard::write_after_write;
    const Apart apart = then.block != now.block                        ? Apart::blocks
                        : old_thread / warp_size != thread / warp_size ? Apart::warps
                                                                       : Apart::lanes;
    const int lane = static_cast<int>(thread % warp_size);
    const int other_lane = static_cast<int>(old_thread % warp_size);
    const bool in_one = apart == Apart::lanes && pc_in(then.who) == access.where.pc &&
                        then.stamp == time.clocks.now() && machine::has_lane(access.lanes, other_lane) &&
                        access.address(other_lane) == access.address(lane);
    const bool harmless = exclusive(role) && exclusive(earlier) &&
                          (in_one ? lanes_write_same_value(*launch_->program, access, lane, other_lane)
                                  : writes_what_is_there(*launch_, access, lane));
    const SightingKey key{access.where.pc, pc_in(then.who), what({hazard, apart, machine::Space::global, harmless})};
    races_.see(key, access.where.block, time.order, [&] {
      return RaceExample{.thread = thread,
                         .other_thread = old_thread,
                         .other_block = then.block,
                         .offset = access.address(lane) / Line::bytes * Line::bytes + byte,
                         .one_instruction = in_one};
    });
  }

  const machine::Launch* launch_ = nullptr;
  Synchronisation synchronisation_;
  std::shared_ptr<Shared> shared_;
  std::array<GlobalShadow::Lines*, 8> recent_{};
  std::size_t next_recent_ = 0;
  PerBlock<BlockTime> blocks_;
  Sightings<RaceExample> races_;
};

}  // namespace

std::unique_ptr<Observer> make_global_race() { return std::make_unique<GlobalRace>(nullptr); }

}  // namespace warpwright::observe
