// Problem: the warps of a block share memory and barriers, and any of them may have to wait for the others.
// Idea: run each warp until it waits; whoever completes a barrier releases it; when nobody can move, say why. A block
// whose warps all seem to wait for other blocks gives these a turn.
// Invariant: a barrier completes when the threads that it expects have arrived, exited threads not counted.
// Left out: clusters, distributed shared memory.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "machine/launch.h"
#include "machine/schedule.h"
#include "machine/standstill.h"
#include "machine/warp.h"
#include "machine/watch.h"

namespace warpwright::machine {

/// Thrown through an instruction to end the launch; what happened has been told to the observers.
struct LaunchEnded {
  LaunchStatus status = LaunchStatus::faulted;
};

class Block {
 public:
  static constexpr std::uint32_t barriers = 16;

  /// `schedule`: null for the machine's own order. `lookout`: null when nobody looks for standstills.
  Block(const Launch& launch, const Options& options, const Watch& watch, Schedule* schedule = nullptr,
        Lookout* lookout = nullptr);
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

  /// Starts over as the block with this number (x fastest).
  void begin(std::uint64_t number);
  enum class State : std::uint8_t { finished, yielded, polling, still };
  /// Runs to the end, or until every thread seems to wait for another block (polling), or surely does (still). With a
  /// schedule, for as long as that says. Throws LaunchEnded.
  State run();

  // standstill.cpp
  /// Runs for some rounds. What it finds out: `still`, if only what other blocks write lets a thread of this one go on.
  /// Throws LaunchEnded, also when nobody at all can let one go on.
  State look(unsigned rounds);
  /// Of a block that stands still: whether host code may let it go on.
  bool waits_for_the_host() const { return waits_for_the_host_; }
  /// Tells what the block, which stands still, waits for; throws LaunchEnded.
  [[noreturn]] void end_standstill(const observe::Standstill& standstill);
  /// Instructions that a warp executes at a time while the block is looked at; else 0.
  std::uint64_t slice() const { return slice_; }
  /// Instructions that the block's warps have executed.
  std::uint64_t work() const { return work_; }
  /// To be called by an instruction whose outcome depends on more than registers and memory, or that does more than
  /// change them: one that reads a clock, asks which lanes run together, or prints.
  void note_unrepeatable() { ++unrepeatable_; }

  const Launch& launch() const { return launch_; }
  const Program& program() const { return *launch_.program; }
  const Options& options() const { return options_; }
  Schedule* schedule() const { return slice_ == 0 ? schedule_ : nullptr; }
  const Watch& watch() const { return *watch_; }
  std::uint64_t number() const { return number_; }
  const Dim3& index() const { return index_; }

  std::byte* shared() { return shared_; }
  std::byte* local() { return local_.data(); }
  /// Arrays of the shared window, the dynamic one with its size.
  const std::vector<SharedArray>& shared_arrays() const { return shared_arrays_; }
  /// Whether accesses of `bytes` each, at offsets from `low` to `high`, stay within one of them.
  [[gnu::always_inline]] bool is_in_one_array(std::uint64_t low, std::uint64_t high, std::uint64_t bytes) const {
    return std::ranges::any_of(shared_arrays_, [&](const SharedArray& array) {
      return low >= array.offset && bytes <= array.bytes && high - array.offset <= array.bytes - bytes;
    });
  }
  /// DeviceMemory::find, which is asked first for the allocation that it has found last.
  const Allocation* find_global(Address address, std::size_t bytes) {
    return launch_.memory->find(address, bytes, allocation_hint_);
  }

  using CopyMade = void (*)(Warp& issuer, const AsyncCopy& copy);
  /// A copy in bulk into shared memory, which is made when somebody asks its mbarrier; `made` is called then.
  void issue_bulk(Warp& issuer, AsyncCopy copy, CopyMade made) { bulk_.push_back({&issuer, std::move(copy), made}); }
  /// Makes the copies that the mbarrier at this offset is told of.
  void bulk_copies_to(std::uint64_t barrier);

  struct Arrival {
    std::uint32_t barrier = 0;
    Lanes lanes = 0;
    Lanes yes = 0;  // those of the lanes whose predicate holds (bar.red)
    bool waits = true;
    std::uint32_t expected = 0;  // threads; 0 for all threads of the block
  };
  /// Lanes of `warp` arrive at a barrier, and may complete it.
  void arrive(Warp& warp, const Arrival& arrival);
  /// `lanes` of `warp` have exited: barriers may be complete without them.
  void exited(const Warp& warp, Lanes lanes);

 private:
  struct Barrier {
    std::vector<Lanes> arrived;  // by warp
    std::uint32_t threads = 0;
    std::uint32_t yes = 0;  // threads whose predicate holds
    std::uint32_t expected = 0;
    bool operator==(const Barrier&) const = default;
  };
  /// A turn for every warp, or for one that the schedule picks. What the block does next: finished, yielded when
  /// anything but polling was done, polling otherwise.
  State run_round();
  State run_scheduled();
  struct Bulk {
    Warp* issuer;
    AsyncCopy copy;
    CopyMade made;
  };
  void complete_if_all_there(const Warp& last, std::uint32_t barrier);
  void tell_end();
  [[noreturn]] void report_deadlock();
  // standstill.cpp
  class Look;
  struct Image;
  Image image() const;
  bool is_as(const Image& image) const;
  bool has_copies_under_way() const;
  /// Whether every lane that can move has done so; if not, those that have let the others of their warp pass.
  bool everybody_has_moved();

  const Launch& launch_;
  const Options& options_;
  const Watch* watch_;
  Schedule* schedule_;
  Lookout* lookout_;
  Patience patience_;
  std::uint64_t slice_ = 0;
  std::uint64_t work_ = 0;
  std::uint64_t unrepeatable_ = 0;
  unsigned circle_ = 0;  // rounds of a standstill after which it is as before
  bool waits_for_the_host_ = false;
  bool is_still_ = false;
  std::uint64_t number_ = 0;
  Dim3 index_;
  std::vector<SharedArray> shared_arrays_;
  std::vector<std::byte> shared_storage_;
  std::byte* shared_ = nullptr;
  std::vector<std::byte> local_;
  const Allocation* allocation_hint_ = nullptr;
  std::uint32_t live_threads_ = 0;
  std::array<Barrier, barriers> barriers_;
  std::vector<Bulk> bulk_;
  std::vector<std::unique_ptr<Warp>> warps_;
};

inline void Warp::tell_run(std::uint32_t count, Lanes lanes, Lanes on) {
  const Watch& watch = block.watch();
  if (runs_are_wanted_ || watch.rouses[pc_]) [[unlikely]]
    tell_observers_of_run({where(), count, lanes, on});
  if (watch.counted != nullptr) watch.counted->add(pc_, count, lanes, on);
}

}  // namespace warpwright::machine
