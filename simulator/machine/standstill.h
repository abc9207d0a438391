// Problem: a launch in which every thread polls memory, for a lock that is never released or a flag that nobody sets,
// would execute instructions until its budget is used up, which takes minutes.
// Idea: look closely at a block that has run for long. It goes on as usual, in the machine's own order, but its state
// is remembered: where its lanes stand, their registers, who has arrived at which barrier. When it comes to that state
// again, and nothing that others could see has happened in between, it runs in a circle: what a lane does depends on
// its registers and on memory, so only somebody else's write can end it. If all blocks under way run in circles, and
// none can start, nobody is left to write. A circle that reads no global memory nobody can end.
// Invariant: a launch that could go on is never ended. A circle counts only if every lane that can move has moved in
// it, and if it changed no byte of memory, printed nothing, read no clock and did not ask which lanes run together:
// then it is the same under every order of lanes, warps and blocks.
// Left out: circles in which bytes change and change back, and loops that count their turns: the budget ends those.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "machine/warp.h"
#include "machine/watch.h"
#include "observe/observer.h"

namespace warpwright::machine {

/// A warp at some moment, but for memory.
struct WarpImage {
  struct Place {
    std::uint32_t pc = 0;
    Lanes lanes = 0;
    Group::State state = Group::State::ready;
    std::uint32_t barrier = 0;
    std::vector<Call> calls;  // innermost first, without their callers
  };
  Lanes live = 0;
  std::vector<Place> places;  // in order of their first lanes
  std::vector<std::byte> registers;
  std::array<std::uint64_t, warp_size> alloca_top{};
};

/// A memory instruction of a circle, and what it finds there in every turn.
struct Poll {
  observe::Access access;  // of all lanes that execute it; points to `addresses`
  Addresses addresses;
  std::array<std::array<std::byte, 16>, warp_size> found{};
};

/// Hears what a block does while it is looked at.
class Witness final : public observe::Observer {
 public:
  std::uint32_t wants() const override { return observe::on_run | observe::on_access; }
  std::unique_ptr<observe::Observer> fork() const override { return std::make_unique<Witness>(); }
  void launch_begin(const Launch& launch) override { launch_ = &launch; }
  void join(Observer&) override {}
  void report(observe::Report&) const override {}
  bool run(const observe::Run& run) override;
  void access(const observe::Access& access) override;

  /// Forgets what it has heard. `record`: whether to keep what is read.
  void begin(std::uint32_t warps, bool record = false);
  /// Whether a byte of memory has changed since.
  bool has_seen_a_change();
  /// Lanes of a warp that have executed something.
  Lanes moved(std::uint32_t warp) const { return moved_[warp]; }
  bool reads_global() const { return reads_global_; }
  /// Whether host code, too, may write what was read.
  bool reads_what_the_host_reaches() const { return reads_what_the_host_reaches_; }
  /// By warp and pc.
  const std::map<std::pair<std::uint32_t, std::uint32_t>, Poll>& polls() const { return polls_; }
  /// The lowest pc that the lane's warp has executed with it.
  std::uint32_t top(std::uint32_t warp, int lane) const { return top_[warp][lane]; }

 private:
  const std::byte* place(const observe::Access& access, int lane) const;
  /// What an instruction that may write is about to write over.
  struct Before {
    const std::byte* at;
    std::array<std::byte, 16> bytes;
  };

  const Launch* launch_ = nullptr;
  bool record_ = false;
  bool change_ = false;
  bool reads_global_ = false;
  bool reads_what_the_host_reaches_ = false;
  std::uint32_t written_bytes_ = 0;  // of each in `before_`
  std::vector<Before> before_;
  std::vector<Lanes> moved_;
  std::vector<std::array<std::uint32_t, warp_size>> top_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Poll> polls_;
};

/// When to look. A look costs little more than running on, and is over before a 64th of what was executed since the
/// last one has been executed again.
class Patience {
 public:
  bool is_over(std::uint64_t work) const { return work >= next_; }
  /// Rounds that the next look may last: twice as many each time, for circles that are long.
  unsigned rounds() const { return rounds_; }
  /// A look in vain, from `before` to `after` instructions.
  void renew(std::uint64_t before, std::uint64_t after) {
    next_ = after + std::max(least, 64 * (after - before));
    rounds_ = std::min(2 * rounds_, most_rounds);
  }

 private:
  static constexpr std::uint64_t least = std::uint64_t{1} << 20;  // instructions of warps
  static constexpr unsigned most_rounds = 1u << 12;
  std::uint64_t next_ = least;
  unsigned rounds_ = 16;
};

/// What a host thread looks with: the launch's observers hear everything then as at other times.
struct Lookout {
  explicit Lookout(const Launch& launch, std::vector<observe::Observer*> observers)
      : watch(with(observers), *launch.program) {
    witness.launch_begin(launch);
  }
  Lookout(const Lookout&) = delete;
  Lookout& operator=(const Lookout&) = delete;

  Witness witness;
  Watch watch;

 private:
  std::vector<observe::Observer*>& with(std::vector<observe::Observer*>& observers) {
    observers.push_back(&witness);
    return observers;
  }
};

}  // namespace warpwright::machine
