#include "observe/shared_race.h"

#include <bit>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "observe/handovers.h"
#include "observe/per_block.h"
#include "observe/race_shadow.h"
#include "observe/race_wording.h"
#include "observe/report.h"
#include "observe/roles.h"
#include "observe/same_value.h"
#include "observe/sightings.h"
#include "observe/synchronisation.h"

namespace warpwright::observe {
namespace {

using machine::AccessKind;
using machine::Lanes;
using machine::warp_size;

class SharedRace final : public Observer {
 public:
  std::uint32_t wants() const override {
    return (handovers_ ? on_shared_access | on_global_access : on_shared_access) | on_barrier | on_warp_sync |
           on_block | on_fence;
  }
  std::unique_ptr<Observer> fork() const override { return make_shared_race(); }

  void launch_begin(const machine::Launch& launch) override {
    launch_ = &launch;
    const machine::Program& program = *launch.program;
    if (program.code.size() > most_instructions) throw std::length_error("a kernel of over four million instructions");
    synchronisation_ = synchronisation_of(program);
    cell_shift_ = static_cast<unsigned>(std::countr_zero(program.shared_granule));
    roles_.emplace(program);
    if (roles_->hands_over()) handovers_.emplace(launch.threads_per_block());
  }

  void block_begin(std::uint64_t block) override {
    const auto make = [&] {
      return std::make_unique<RaceShadow>(launch_->threads_per_block(), launch_->shared_window_bytes(), cell_shift_,
                                          synchronisation_);
    };
    shadows_.begin(block, make).begin_block();
    if (handovers_) handovers_->begin_block(block);
  }
  void block_end(std::uint64_t block) override {
    shadows_.end(block);
    if (handovers_) handovers_->end_block(block);
  }

  void barrier_arrival(const BarrierArrival& arrival) override {
    shadows_.at(arrival.where.block)
        .clocks.arrive(arrival.barrier, arrival.where.warp, arrival.waits, arrival.expected_threads);
  }
  void barrier_release(const BarrierRelease& release) override {
    RaceShadow& shadow = shadows_.at(release.where.block);
    shadow.clocks.release(release.barrier);
    shadow.forget_if_exhausted();
  }
  void warp_sync(const WarpSync& sync) override {
    RaceShadow& shadow = shadows_.at(sync.where.block);
    shadow.clocks.warp_sync(sync.where.warp, sync.lanes);
    shadow.forget_if_exhausted();
  }

  void fence(const Fence& fence) override {
    if (handovers_) handovers_->fence(fence, shadows_.at(fence.where.block).clocks);
  }

  void copy_issued(const CopyIssued& issued) override { shadows_.at(issued.where.block).copies.issue(issued); }

  void access(const Access& access) override {
    RaceShadow& shadow = shadows_.at(access.where.block);
    if (handovers_) handovers_->access(access, (*roles_)[access.where.pc], shadow.clocks);
    if (access.space != machine::Space::shared) return;
    ++shadow.order;
    if (access.late)
      shadow.copies.make(access);
    else if (!shadow.copies.empty())
      meet_copies(shadow, access);
    const Role role =
        writes_late(access) ? Role::writes : shared_role((*roles_)[access.where.pc], handovers_.has_value());
    for (const int lane : machine::each_lane(shadow.settle(access, role))) one_lane(shadow, access, role, lane);
  }

  void join(Observer& other) override { races_.join(static_cast<SharedRace&>(other).races_); }

  void report(Report& report) const override { report_races(report, *launch_, races_); }

 private:
  /// A copy in bulk is left out: its end is told to an mbarrier, not to a thread that could pass it on.
  static bool writes_late(const Access& access) { return access.late && !access.bulk; }

  /// Volatile orders nothing. Only with fences it makes a flag, as an atomic does.
  static Role shared_role(const Roles::Entry& entry, bool has_fences) {
    if (!entry.is_volatile) return entry.role;
    if (entry.role == Role::strong_read) return has_fences ? Role::strong_read : Role::reads;
    return has_fences ? Role::atomic : Role::writes;
  }

  void one_lane(RaceShadow& shadow, const Access& access, Role role, int lane) {
    const std::uint64_t offset = access.address(lane);
    const std::size_t first = shadow.cell_of(offset);
    const std::size_t last = shadow.cell_of(offset + access.bytes - 1);
    const std::uint32_t me = access.where.warp * warp_size + static_cast<std::uint32_t>(lane);
    const Who mine = who(access.where.pc, me);
    const Clocks& clocks = shadow.clocks;
    bool told = false;  // of one access, one race is enough
    const auto tell = [&](Hazard hazard, std::size_t cell, const Accessors::Made& other) {
      if (other.who == nobody || told) return;
      const std::uint64_t block = access.where.block;
      if (handovers_ && handovers_->ordered({block, thread_in(other.who), other.stamp}, block, me, clocks)) return;
      told = true;
      see(shadow, access, hazard, lane, cell, other.who);
    };
    for (std::size_t cell = first; cell <= last; ++cell) {
      const Accessors::Made writer{shadow.writer.who[cell], shadow.writer.stamp[cell]};
      const bool writer_unordered = !clocks.ordered(writer.stamp, thread_in(writer.who), me);
      switch (role) {
        case Role::reads:
          if (writer_unordered) tell(Hazard::read_after_write, cell, writer);
          if (synchronisation_.atomics)
            tell(Hazard::read_after_write, cell, shadow.atomics.unordered(cell, me, clocks));
          shadow.readers.add(cell, mine, clocks);
          break;
        case Role::strong_read:
          if (writer_unordered) tell(Hazard::read_after_write, cell, writer);
          break;
        case Role::writes:
          if (writer_unordered) tell(Hazard::write_after_write, cell, writer);
          tell(Hazard::write_after_read, cell, shadow.readers.unordered(cell, me, clocks));
          if (synchronisation_.atomics)
            tell(Hazard::write_after_write, cell, shadow.atomics.unordered(cell, me, clocks));
          shadow.writer.set(cell, clocks.now(), mine);
          break;
        case Role::volatile_write:  // see shared_role
        case Role::atomic:
          if (writer_unordered) tell(Hazard::write_after_write, cell, writer);
          tell(Hazard::write_after_read, cell, shadow.readers.unordered(cell, me, clocks));
          shadow.atomics.add(cell, mine, clocks);
          break;
      }
    }
  }

  /// Tells of the first lane that comes before a copy in flight was waited for.
  void meet_copies(const RaceShadow& shadow, const Access& access) {
    for (const int lane : machine::each_lane(access.lanes)) {
      const std::uint64_t offset = access.address(lane);
      for (std::size_t cell = shadow.cell_of(offset); cell <= shadow.cell_of(offset + access.bytes - 1); ++cell) {
        const std::optional<Who> copy = shadow.copies.at(cell);
        if (!copy) continue;
        const bool reads = access.kind == AccessKind::load;
        const SightingKey key{access.where.pc, pc_in(*copy),
                              what({.hazard = reads ? Hazard::read_after_write : Hazard::write_after_write,
                                    .apart = warp_in(*copy) != access.where.warp ? Apart::warps : Apart::lanes,
                                    .space = machine::Space::shared,
                                    .in_flight = true})};
        races_.see(key, access.where.block, shadow.order, [&] {
          return RaceExample{.thread = access.where.warp * warp_size + static_cast<std::uint32_t>(lane),
                             .other_thread = thread_in(*copy),
                             .other_block = access.where.block,
                             .offset = shadow.offset_of(cell)};
        });
        return;
      }
    }
  }

  void see(RaceShadow& shadow, const Access& access, Hazard hazard, int lane, std::size_t cell, Who other) {
    const bool across_warps = warp_in(other) != access.where.warp;
    const bool in_one = !across_warps && by_this_instruction(access, lane, other);
    const machine::Program& program = *launch_->program;
    const int other_lane = static_cast<int>(thread_in(other) % warp_size);
    const bool same_value =
        hazard == Hazard::write_after_write &&
        (in_one ? lanes_write_same_value(program, access, lane, other_lane)
                : program.code[pc_in(other)].kind == AccessKind::store && writes_what_is_there(*launch_, access, lane));
    // Inside a warp one missing barrier breeds races in all lines that follow; the first is the one to mend.
    if (shadow.tell(cell) && !across_warps) return;
    const SightingKey key{access.where.pc, pc_in(other),
                          what({.hazard = hazard,
                                .apart = across_warps ? Apart::warps : Apart::lanes,
                                .space = machine::Space::shared,
                                .same_value = same_value})};
    races_.see(key, access.where.block, shadow.order, [&] {
      return RaceExample{.thread = access.where.warp * warp_size + static_cast<std::uint32_t>(lane),
                         .other_thread = thread_in(other),
                         .other_block = access.where.block,
                         .offset = shadow.offset_of(cell),
                         .one_instruction = in_one};
    });
  }

  /// Whether the other access belongs to the very execution that is under way.
  static bool by_this_instruction(const Access& access, int lane, Who other) {
    const int other_lane = static_cast<int>(thread_in(other) % warp_size);
    if (pc_in(other) != access.where.pc || !machine::has_lane(access.lanes, other_lane) || other_lane > lane)
      return false;
    return access.address(other_lane) == access.address(lane);
  }

  const machine::Launch* launch_ = nullptr;
  Synchronisation synchronisation_;
  unsigned cell_shift_ = 2;
  std::optional<Roles> roles_;
  std::optional<Handovers> handovers_;
  PerBlock<RaceShadow> shadows_;
  Sightings<RaceExample> races_;
};

}  // namespace

std::unique_ptr<Observer> make_shared_race() { return std::make_unique<SharedRace>(); }

}  // namespace warpwright::observe
