// Problem: lanes of a warp have their own program counters (since Volta), yet running them one by one would be slow.
// Idea: lanes at the same program counter form a group, and a group executes an instruction in one step over 32 lanes.
// A divergent branch splits a group; groups that meet merge. Which group runs is decided by rank (flow.h).
// Invariant: the groups' lanes are disjoint and together are the lanes that have not exited.
// Left out: what instructions mean (isa/); what a warp shares with its block (block.h).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "machine/addresses.h"
#include "machine/async_copies.h"
#include "machine/call.h"
#include "machine/lanes.h"
#include "machine/program.h"
#include "observe/observer.h"

namespace warpwright::machine {

class Block;
struct WarpImage;

/// Lanes that stand at the same instruction.
struct Group {
  enum class State : std::uint8_t { ready, at_block_barrier, at_collective };
  std::uint32_t pc = 0;
  Lanes lanes = 0;
  State state = State::ready;
  std::uint32_t turn = 0;           // groups with a lower turn run first; raised when a group spins while others wait
  std::uint32_t barrier = 0;        // while at_block_barrier: which of the 16
  std::shared_ptr<Call> call = {};  // that the lanes are in; null in the kernel itself
};

/// How the threads that met at a block barrier have voted (bar.red).
struct Tally {
  std::uint32_t threads = 0;
  std::uint32_t yes = 0;
};

class Warp {
 public:
  Warp(Block& block, std::uint32_t number, Lanes launched);

  /// Starts over at the program's first instruction, for the block that is about to run.
  void begin();
  enum class State : std::uint8_t { finished, waiting, yielded, polling };
  /// Runs until every lane has exited or waits, or until the warp seems to wait for another one in a loop (polling), or
  /// for long without a poll (yielded). With a schedule, for as long as that says.
  State run();
  /// Breaks a wait that cannot end: lanes at a collective whose partners will not come execute it alone. Those with the
  /// lowest rank do, as they may yet come to where the others wait. False when no group waits at a collective.
  bool force_collective();

  // What instructions use.
  template <class T>
  T* reg(std::uint32_t offset) {
    return reinterpret_cast<T*>(registers_ + offset);
  }
  /// The registers of a memory instruction's elements.
  const std::uint32_t* vector(const Instruction& instruction) const { return vectors_ + instruction.vector; }
  /// Lanes that the current instruction acts on.
  Lanes active = 0;
  /// Of address registers, see Instruction.
  std::array<AddressShape, Instruction::shapes> shapes;
  Block& block;

  std::uint32_t number() const { return number_; }
  std::uint32_t pc() const { return pc_; }
  Lanes launched() const { return launched_; }
  Lanes live() const { return live_; }
  /// Instructions that the warp has executed in this block, each counted once however many lanes took part.
  std::uint64_t steps() const { return steps_; }
  /// Those of them that a waiting loop may be made of.
  std::uint64_t polls() const { return polls_; }
  observe::Where where() const { return {block_number_, number_, pc_}; }
  /// To be called by an instruction that a waiting loop is made of: an atomic, a volatile or acquire load, a fence.
  void note_polling() { ++polls_; }
  /// Where each live lane stands.
  std::array<std::uint32_t, warp_size> places() const;
  /// Tells of member masks that do not fit the lanes that execute a collective.
  void check_masks(Lanes lanes, const Lanes* masks);
  /// Tells that `lanes` cannot go on, for a reason that is no wrong address, and throws LaunchEnded.
  [[noreturn]] void end_launch(observe::FaultKind kind, Lanes lanes, std::string_view text = {});

  /// What the clocks read: the number of the current instruction among those that the warp has executed in this block.
  std::uint64_t clock() const { return clock_base_ + pc_; }
  /// By lane: where in local memory the arrays of alloca() begin, which grow downwards from its end.
  std::array<std::uint64_t, warp_size>& alloca_top() { return alloca_top_; }

  AsyncCopies& async_copies() { return async_copies_; }
  AsyncCopies& bulk_copies() { return bulk_copies_; }
  /// Does what an instruction that was executed earlier has put off, as if it were executed now.
  template <class Work>
  void as_if_at(std::uint32_t pc, Lanes lanes, Work work) {
    const std::uint32_t here = std::exchange(pc_, pc);
    const Lanes now = std::exchange(active, lanes);
    work();
    pc_ = here;
    active = now;
  }

  const std::vector<Group>& groups() const { return groups_; }

  // standstill.cpp
  WarpImage image() const;
  bool is_as(const WarpImage& image) const;
  /// Lanes that wait for nobody.
  Lanes ready() const;
  /// Groups with one of these lanes, which wait in a loop, let all others pass.
  void put_behind(Lanes lanes);

  /// The block barrier is complete: the groups that wait at it go on.
  void release(std::uint32_t barrier, const Tally& tally);
  /// Of the barrier that has just released the active lanes.
  const Tally& tally() const { return tally_; }

 private:
  Group* choose();
  Group* lowest_in_rank();
  /// Any group that passes no place which another can still come to.
  Group* any_in_front();
  void run_group(std::size_t index);
  /// `length` instructions from `instruction` on, where the group stands.
  void execute_run(const Group& group, const Instruction* instruction, std::uint32_t length);
  Lanes guarded(const Instruction& instruction, Lanes lanes);
  /// Splits `part` off the group at `index` (which keeps the rest) and returns the new group's index.
  std::size_t split(std::size_t index, Lanes part, std::uint32_t pc);
  void branch(std::size_t index, const Instruction& instruction);
  /// The lanes `taken` go to the branch's target, the group's others do not.
  void part(std::size_t index, const Instruction& instruction, Lanes taken);
  // call.cpp
  void indexed_branch(std::size_t index, const Instruction& instruction);
  void call(std::size_t index, const Instruction& instruction);
  void return_from_call(std::size_t index, const Instruction& instruction);
  void enter(Group& group, std::uint32_t function, const CallSite& site);
  /// Writes where the function's arrays lie, in a frame that starts at `frame`.
  void point_into_frame(const Function& function, std::uint32_t frame, Lanes lanes);
  void exit(std::size_t index, const Instruction& instruction);
  void arrive(std::size_t index, const Instruction& instruction);
  void collect(std::size_t index, const Instruction& instruction);
  /// Lanes that wait at the collective at `pc`, whatever calls they are in.
  Lanes lanes_at_collective(std::uint32_t pc) const;
  bool try_collective(std::uint32_t pc);
  /// Those of `lanes`, which wait at `pc`, whose __syncwarp() is complete by lanes at others with the same mask go on.
  bool meet_across_branches(Lanes lanes, std::uint32_t pc);
  /// `together` are `lanes` and those that meet them at other instructions.
  void perform_collective(std::uint32_t pc, Lanes lanes, Lanes together);
  Lanes lanes_with_all_partners(Lanes lanes, const Instruction& instruction);
  bool wake_collectives();
  void tell_run(std::uint32_t count, Lanes lanes, Lanes on);
  void tell_observers_of_run(const observe::Run& event);
  /// Lanes that gave different masks meet at different barriers, though they stand at one instruction. Those
  /// `elsewhere` meet them from another instruction.
  void tell_warp_sync(Lanes lanes, Lanes elsewhere, const Lanes* masks);
  void remove(std::size_t index);

  std::byte* registers_;
  const std::uint32_t* vectors_;  // the program's
  std::vector<std::byte> storage_;
  std::uint32_t number_;
  bool runs_are_wanted_ = false;  // by an observer that has heard of the last one
  std::uint64_t block_number_ = 0;
  // Not beside `number_`: who reads both in one piece waits for what has just been written to the one.
  std::uint32_t pc_ = 0;
  Lanes launched_;
  Lanes live_ = 0;
  std::uint64_t steps_ = 0;
  std::uint64_t pause_at_ = 0;  // steps at which the turn, or the budget, is over
  std::uint64_t slice_ = 0;     // steps without a poll after which other warps get a turn
  std::uint64_t polls_ = 0;
  std::uint64_t enough_polls_ = 0;  // after which other groups get a turn
  std::uint64_t clock_base_ = 0;    // steps() of an instruction is this and its pc
  Tally tally_;
  AsyncCopies async_copies_, bulk_copies_;
  std::array<std::uint64_t, warp_size> alloca_top_{};
  std::vector<Group> groups_;
};

}  // namespace warpwright::machine
