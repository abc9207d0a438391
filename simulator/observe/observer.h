// Problem: counting and checking must not slow or complicate the machine.
// Idea: the machine tells what it does; observers draw conclusions. An observer names the events that it wants, and an
// event that nobody wants is never made.
// Invariant: an event is told before its effect, so memory still holds what was there before. Events of one block
// come from one host thread in the order of execution; blocks interleave. `fork` and `join` keep results independent of
// the number of host threads: `join` must not depend on the order of joining.
// Left out: what the events mean (the observers) and how results are shown (report.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "machine/addresses.h"
#include "machine/lanes.h"
#include "machine/launch.h"
#include "machine/profile.h"
#include "machine/program.h"

namespace warpwright::observe {

class Report;

/// Where in a launch something happens.
struct Where {
  std::uint64_t block = 0;  // number of the block in the grid, x fastest
  std::uint32_t warp = 0;   // number of the warp in its block
  std::uint32_t pc = 0;     // index into Program::code
};

/// `count` instructions from `where.pc` on, one after the other, all by `lanes`. An instruction with a guard is a run
/// of its own: `on` are the lanes whose guard holds (equal to `lanes` otherwise).
struct Run {
  Where where;
  std::uint32_t count = 1;
  machine::Lanes lanes = 0;
  machine::Lanes on = 0;
};

/// A memory instruction, already resolved to one space. `addresses` are those of `lanes`: in global memory the address
/// itself, in shared memory the byte offset in the block's shared window, in local memory the offset in the thread's
/// frame. An access that faults is told as a Fault instead.
struct Access : machine::MemoryOperation {
  Where where = {};
  machine::Lanes lanes = 0;
  const machine::Addresses* addresses = nullptr;
  /// What is about to be written, and over what: the warp's registers (Instruction says which; not those of copies),
  /// and where address 0 of the space is in the host's memory (null for global memory: the launch's memory has the
  /// `place` of an address). Registers are null when nobody says.
  const std::byte* registers = nullptr;
  const std::byte* base = nullptr;

  std::uint64_t address(int lane) const { return (*addresses)[lane]; }
  const machine::Stride& stride() const { return addresses->stride(); }
  /// Whether all 32 lanes take part, and their elements lie side by side.
  bool is_row() const { return lanes == machine::all_lanes && stride().regular && stride().stride == bytes; }
};

/// `lanes` issued asynchronous copies, which may write shared memory at `to[lane]` from now on. That it was waited for
/// is told by the access that writes: it is late, and stands at the same place.
struct CopyIssued {
  Where where;
  machine::Lanes lanes = 0;
  std::uint32_t bytes = 0;            // by each lane
  const std::uint64_t* to = nullptr;  // [32] offsets in the block's shared window
};

/// A branch at which `lanes` part: `taken` of them go to the target, and some do not.
struct Branch {
  Where where;
  machine::Lanes lanes = 0;
  machine::Lanes taken = 0;
};

/// `lanes` arrive at a block barrier (bar.sync, bar.arrive, bar.red). `expected_threads` is the operand, or the block's
/// size.
struct BarrierArrival {
  Where where;
  std::uint32_t barrier = 0;  // 0 to 15
  machine::Lanes lanes = 0;
  bool waits = true;  // false for bar.arrive
  std::uint32_t expected_threads = 0;
};

/// A block barrier is complete: everything before it in the block happens before everything after it.
struct BarrierRelease {
  Where where;  // of the arrival that completed it
  std::uint32_t barrier = 0;
  std::uint32_t arrived_threads = 0;
  /// By warp: the lanes that took part.
  const machine::Lanes* arrived = nullptr;
};

/// bar.warp.sync: memory of `lanes` is ordered. Told once all of them are there.
struct WarpSync {
  Where where;
  machine::Lanes lanes = 0;
};

/// shfl.sync: told once the lanes are there. `sources[lane]` is the lane that is read.
struct Shuffle {
  Where where;
  machine::Lanes lanes = 0;                 // that execute it together
  machine::Lanes live = 0;                  // of the warp, not exited
  const std::uint32_t* masks = nullptr;     // [32] member mask that each lane gave
  const std::uint32_t* sources = nullptr;   // [32]
  machine::Lanes in_range = 0;              // lanes whose source is within its segment: the instruction's predicate
  const std::uint32_t* controls = nullptr;  // [32] the operand that holds clamp and segment mask; null: not told
  const std::uint32_t* at = nullptr;        // [32] where each live lane stands; null: not told
};

/// A vote, match, reduction or warp barrier whose member masks do not fit: a mask that leaves out its own lane, or
/// names a live one that does not execute it with the others. Not told when they fit.
struct WrongMask {
  Where where;
  machine::Lanes lanes = 0;              // that execute it together
  machine::Lanes live = 0;               // of the warp, not exited
  const std::uint32_t* masks = nullptr;  // [32] member mask that each lane gave
  const std::uint32_t* at = nullptr;     // [32] where each live lane stands
};

/// A fence by `lanes`: what each of them did before is seen by whoever sees what it writes behind the fence.
struct Fence {
  Where where;
  machine::Lanes lanes = 0;
  bool whole_device = true;  // false for a fence within the block (.cta)
};

enum class FaultKind : std::uint8_t {
  out_of_bounds,   // global, shared, local, param: outside every object
  misaligned,      // address not a multiple of the access size
  endless,         // the step budget is used up
  deadlock,        // live lanes wait for something that cannot come
  livelock,        // live lanes wait so, or turn in circles for ever
  trap,            // trap instruction
  assertion,       // assert() of something that does not hold
  bad_barrier,     // a block barrier of another number, or an mbarrier used against its rules
  bad_call,        // of something that is no function, or with an argument that cannot be read
  stack_overflow,  // local memory, or the number of nested calls, is used up
  bad_copy         // in bulk, of a size that it does not have
};

/// Of a livelock: who takes part, and what they do.
struct Standstill {
  std::uint64_t other_blocks = 0;        // under way, whose threads cannot go on either
  std::uint64_t blocks_not_started = 0;  // because no other one ends
  bool within_the_block = false;         // it reads nothing that another block could write
  const std::byte* found = nullptr;      // the lanes read in a circle: what the first of them finds
  bool moves = false;                    // they go round in a circle that reads nothing; else they wait for other lanes
};

/// What stops a launch. Lanes and addresses as in Access; for all but wrong addresses and livelocks only `where` and
/// `lanes` count. A deadlock is told once for every group of waiting lanes, a livelock also for every group that polls
/// at one instruction.
struct Fault {
  FaultKind kind = FaultKind::out_of_bounds;
  Access access;               // `access.where` and `access.lanes` are always set
  machine::Lanes lanes = 0;    // those of access.lanes that are at fault
  std::string_view text = {};  // of an assertion: what does not hold
  Standstill standstill = {};  // of a livelock
};

/// Events, as bits: what an observer wants to hear of. Faults are told to all.
enum Event : std::uint32_t {
  on_run = 1u << 0,
  on_branch = 1u << 1,   // where lanes part
  on_barrier = 1u << 2,  // arrivals and releases
  on_warp_sync = 1u << 3,
  on_shuffle = 1u << 4,  // and wrong masks of other collectives
  on_block = 1u << 5,    // begin and end
  on_fence = 1u << 6,
  on_global_access = 1u << 7,
  on_shared_access = 1u << 8,  // and asynchronous copies there that were issued
  on_local_access = 1u << 9,
  on_profile = 1u << 10,
  on_access = on_global_access | on_shared_access | on_local_access,
};

/// An access to that space.
constexpr std::uint32_t on_access_to(machine::Space space) {
  switch (space) {
    case machine::Space::global:
      return on_global_access;
    case machine::Space::shared:
      return on_shared_access;
    case machine::Space::local:
      return on_local_access;
    default:
      return 0;
  }
}

class Observer {
 public:
  virtual ~Observer() = default;

  /// The events wanted: Event bits. Asked when the launch has begun.
  virtual std::uint32_t wants() const = 0;
  /// Called once, before anything runs. `launch` outlives the observer.
  virtual void launch_begin(const machine::Launch& launch) { (void)launch; }
  /// Called once, when the blocks that this observer was told of are over: what was executed in them.
  virtual void profile(const machine::Profile&) {}
  /// An observer of the same launch for another host thread.
  virtual std::unique_ptr<Observer> fork() const = 0;
  /// Takes over what `other`, a fork of this one, has seen.
  virtual void join(Observer& other) = 0;
  /// Writes results down.
  virtual void report(Report& report) const = 0;

  virtual void block_begin(std::uint64_t block) { (void)block; }
  virtual void block_end(std::uint64_t block) { (void)block; }
  /// Whether the observer wants to hear of what the warp does next. If not, it is told of the next run that `rouses`
  /// it, and may be told of others.
  virtual bool run(const Run&) { return true; }
  /// Whether a run that begins at `pc` is told to an observer that wants none from its warp. Asked when the launch has
  /// begun.
  virtual bool rouses(std::uint32_t pc) const {
    (void)pc;
    return true;
  }
  virtual void access(const Access&) {}
  virtual void copy_issued(const CopyIssued&) {}
  virtual void branch(const Branch&) {}
  virtual void barrier_arrival(const BarrierArrival&) {}
  virtual void barrier_release(const BarrierRelease&) {}
  virtual void warp_sync(const WarpSync&) {}
  virtual void shuffle(const Shuffle&) {}
  virtual void wrong_mask(const WrongMask&) {}
  virtual void fence(const Fence&) {}
  virtual void fault(const Fault&) {}
};

}  // namespace warpwright::observe
