#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "machine/block.h"
#include "machine/launch.h"
#include "machine/standstill.h"

namespace warpwright::machine {
namespace {

using Observers = std::vector<std::unique_ptr<observe::Observer>>;

using Blocks = std::vector<std::unique_ptr<Block>>;

/// What the host threads of a launch share.
class Progress {
 public:
  Progress(std::uint64_t blocks, unsigned host_threads) : blocks_(blocks), at_work_(host_threads) {}

  /// The next block to run; nothing when there is none, or when an earlier one has ended the launch.
  std::optional<std::uint64_t> next() {
    const std::uint64_t number = next_.fetch_add(1, std::memory_order_relaxed);
    if (number >= blocks_ || number > ended_by_.load(std::memory_order_relaxed)) return std::nullopt;
    return number;
  }
  std::uint64_t not_started() const { return blocks_ - std::min(blocks_, next_.load(std::memory_order_relaxed)); }
  /// Of several blocks that end the launch, the first in index order gives the status.
  void end(std::uint64_t number, LaunchStatus status) {
    const std::lock_guard lock(mutex_);
    if (number > ended_by_.load(std::memory_order_relaxed)) return;
    ended_by_.store(number, std::memory_order_relaxed);
    status_ = status;
  }
  /// Once all host threads are done.
  LaunchStatus status() const { return status_; }

  /// Leaves blocks that all stand still to the host thread that is the last one at work. False when the caller is that,
  /// and nobody has left it any.
  bool leave(Blocks& blocks) {
    const std::lock_guard lock(mutex_);
    if (at_work_ == 1 && left_.empty()) return false;
    for (auto& block : blocks) left_.push_back(std::move(block));
    blocks.clear();
    return true;
  }
  /// The caller has nothing to do any more: nothing, unless it was the last one at work and blocks have been left.
  Blocks stop() {
    const std::lock_guard lock(mutex_);
    if (at_work_ == 1) {
      const std::uint64_t last = ended_by_.load(std::memory_order_relaxed);
      std::erase_if(left_, [&](const auto& block) { return block->number() > last; });
      std::ranges::sort(left_, {}, [](const auto& block) { return block->number(); });
      if (!left_.empty()) return std::exchange(left_, {});
    }
    --at_work_;
    return {};
  }

 private:
  const std::uint64_t blocks_;
  std::atomic<std::uint64_t> next_{0};
  std::mutex mutex_;  // of those that end the launch, or stop
  std::atomic<std::uint64_t> ended_by_{~std::uint64_t{0}};
  LaunchStatus status_ = LaunchStatus::finished;
  unsigned at_work_;
  Blocks left_;
};

std::vector<observe::Observer*> pointers(std::span<const std::unique_ptr<observe::Observer>> observers) {
  std::vector<observe::Observer*> list;
  for (const auto& observer : observers) list.push_back(observer.get());
  return list;
}

/// The blocks of one host thread: those under way, and used ones to be started again.
class Residents {
 public:
  Residents(const Launch& launch, const Options& options, const std::vector<observe::Observer*>& observers,
            Progress& progress, Schedule* schedule)
      : launch_(launch),
        options_(options),
        profile_(*launch.program),
        watch_(observers, *launch.program),
        lookout_(launch, observers),
        progress_(progress),
        schedule_(schedule) {
    if (!watch_.profile.empty()) watch_.counted = lookout_.watch.counted = &profile_;
  }

  void run() {
    do
      if (schedule_ == nullptr)
        while (!live_.empty() || start()) run_pass();
      else
        while (start_by_schedule() || !live_.empty()) run_by_schedule();
    while (!(live_ = progress_.stop()).empty());
  }

  /// To be called when no thread runs any more: blocks that were left to another one are counted here all the same.
  void tell_profile() const {
    for (observe::Observer* observer : watch_.profile) observer->profile(profile_);
  }

 private:
  using Place = std::size_t;  // in live_

  bool start() { return live_.size() < most() && begin(progress_.next()); }
  std::size_t most() const { return static_cast<std::size_t>(std::max<std::uint64_t>(1, launch_.resident_blocks)); }

  bool begin(std::optional<std::uint64_t> number) {
    if (!number) return false;
    if (spare_.empty()) spare_.push_back(std::make_unique<Block>(launch_, options_, watch_, schedule_, &lookout_));
    live_.push_back(std::move(spare_.back()));
    spare_.pop_back();
    live_.back()->begin(*number);
    return true;
  }

  /// What the block came to; it retires when it has finished. Nothing when it has ended the launch: blocks behind it
  /// are gone.
  template <class Go>
  std::optional<Block::State> run_block(Place place, Go go) {
    Block& block = *live_[place];
    const std::uint64_t number = block.number();
    work_ -= block.work();
    try {
      const Block::State state = go(block);
      work_ += block.work();
      if (state == Block::State::finished) {
        spare_.push_back(std::move(live_[place]));
        live_.erase(live_.begin() + static_cast<std::ptrdiff_t>(place));
      }
      return state;
    } catch (const LaunchEnded& end) {
      progress_.end(number, end.status);
      window_.clear();
      if (schedule_ != nullptr)
        live_.clear();
      else
        live_.resize(place);
      return std::nullopt;
    }
  }

  /// Every block gets a turn. When none has come to its end, they may all wait for blocks that have not started: there
  /// will be twice as many.
  void run_pass() {
    const std::size_t before = live_.size();
    for (Place place = 0; place < live_.size();)
      if (run_block(place, &run_on) != Block::State::finished) ++place;
    if (live_.size() < before) return;
    bool all_started = true;
    for (std::size_t more = launch_.cooperative ? most() : before; more > 0 && start(); --more) all_started = false;
    if (all_started && all_stand_still()) end_standstill();
  }

  static Block::State run_on(Block& block) { return block.run(); }

  /// Looks at all blocks, if it is time for that.
  bool all_stand_still() {
    if (!patience_.is_over(work_)) return false;
    const std::uint64_t before = work_;
    const auto look = [&](Block& block) { return block.look(patience_.rounds()); };
    for (Place place = 0; place < live_.size(); ++place)
      if (run_block(place, look) != Block::State::still) {
        patience_.renew(before, work_);
        return false;
      }
    return !live_.empty();
  }

  /// None of the blocks can go on, and none can start.
  void end_standstill() {
    if (progress_.leave(live_)) return;
    if (launch_.host_runs_on &&
        std::ranges::any_of(live_, [](const auto& block) { return block->waits_for_the_host(); }))
      return;
    const observe::Standstill standstill{.other_blocks = live_.size() - 1, .blocks_not_started = not_started()};
    const auto lowest =
        std::ranges::min_element(live_, {}, [](const std::unique_ptr<Block>& block) { return block->number(); });
    run_block(static_cast<Place>(lowest - live_.begin()),
              [&](Block& block) -> Block::State { block.end_standstill(standstill); });
  }
  std::uint64_t not_started() const { return progress_.not_started() + window_.size(); }

  /// Fills the window of blocks from which the next one to start is drawn. The first in it is passed over a few times
  /// at most, so that whoever waits for an earlier block need not wait for long.
  void fill_window() {
    while (window_.size() < Schedule::width) {
      const std::optional<std::uint64_t> number = progress_.next();
      if (!number) return;
      window_.push_back(*number);
    }
  }

  bool start_by_schedule() {
    if (live_.size() >= std::min<std::size_t>(wanted_, most())) return false;
    fill_window();
    if (window_.empty()) return false;
    auto next = window_.begin();
    if (passed_over_++ < Schedule::width) next += schedule_->below(static_cast<std::uint32_t>(window_.size()));
    if (next == window_.begin()) passed_over_ = 0;
    const std::uint64_t number = *next;
    window_.erase(next);
    return begin(number);
  }

  void run_by_schedule() {
    const auto state = run_block(schedule_->below(static_cast<std::uint32_t>(live_.size())), &run_on);
    if (state == Block::State::finished) {
      wanted_ = 1 + schedule_->below(Schedule::width);
      polled_ = 0;
    } else if (state == Block::State::polling && ++polled_ > 4 * live_.size()) {
      wanted_ = 2 * live_.size();
      polled_ = 0;
    }
    if (!all_stand_still()) return;
    if (live_.size() < most() && not_started() != 0)
      wanted_ = 2 * live_.size();
    else
      end_standstill();
  }

  const Launch& launch_;
  const Options& options_;
  Profile profile_;
  Watch watch_;
  Lookout lookout_;
  Progress& progress_;
  Schedule* schedule_;
  std::vector<std::unique_ptr<Block>> live_, spare_;  // live: in the order of their start
  std::vector<std::uint64_t> window_;
  std::uint32_t passed_over_ = 0;
  std::size_t wanted_ = Schedule::width;
  std::size_t polled_ = 0;  // turns of waiting since a block has finished
  std::uint64_t work_ = 0;  // instructions that warps have executed
  Patience patience_;
};

}  // namespace

LaunchStatus run(const Launch& launch, const Options& options,
                 std::span<const std::unique_ptr<observe::Observer>> observers) {
  for (const auto& observer : observers) observer->launch_begin(launch);
  std::optional<Schedule> schedule;
  if (options.schedule) schedule.emplace(*launch.program, *options.schedule);
  const std::uint64_t most_threads = schedule ? 1 : std::max(1u, options.host_threads);
  const auto helpers =
      static_cast<unsigned>(std::min(most_threads, std::max<std::uint64_t>(1, launch.grid.count())) - 1);
  std::vector<Observers> forks(helpers);
  for (Observers& fork : forks)
    for (const auto& observer : observers) {
      fork.push_back(observer->fork());
      fork.back()->launch_begin(launch);
    }
  Progress progress(launch.grid.count(), helpers + 1);
  std::vector<std::unique_ptr<Residents>> all;  // of every host thread: one may leave its blocks to another
  for (const Observers& fork : forks)
    all.push_back(std::make_unique<Residents>(launch, options, pointers(fork), progress, nullptr));
  Residents own(launch, options, pointers(observers), progress, schedule ? &*schedule : nullptr);
  {
    std::vector<std::jthread> threads;
    for (const auto& residents : all) threads.emplace_back([&] { residents->run(); });
    own.run();
  }
  for (const auto& residents : all) residents->tell_profile();
  own.tell_profile();
  for (Observers& fork : forks)
    for (std::size_t i = 0; i < fork.size(); ++i) observers[i]->join(*fork[i]);
  return progress.status();
}

}  // namespace warpwright::machine
