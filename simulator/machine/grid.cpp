#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <thread>

#include "machine/block.h"
#include "machine/launch.h"

namespace warpwright::machine {
namespace {

using Observers = std::vector<std::unique_ptr<observe::Observer>>;

/// What the host threads of a launch share.
class Progress {
 public:
  explicit Progress(std::uint64_t blocks) : blocks_(blocks) {}

  /// The next block to run; nothing when there is none, or when an earlier one has ended the launch.
  std::optional<std::uint64_t> next() {
    const std::uint64_t number = next_.fetch_add(1, std::memory_order_relaxed);
    if (number >= blocks_ || number > ended_by_.load(std::memory_order_relaxed)) return std::nullopt;
    return number;
  }
  /// Of several blocks that end the launch, the first in index order gives the status.
  void end(std::uint64_t number, LaunchStatus status) {
    const std::lock_guard lock(mutex_);
    if (number > ended_by_.load(std::memory_order_relaxed)) return;
    ended_by_.store(number, std::memory_order_relaxed);
    status_ = status;
  }
  /// Once all host threads are done.
  LaunchStatus status() const { return status_; }

 private:
  const std::uint64_t blocks_;
  std::atomic<std::uint64_t> next_{0};
  std::mutex mutex_;  // of those that end the launch
  std::atomic<std::uint64_t> ended_by_{~std::uint64_t{0}};
  LaunchStatus status_ = LaunchStatus::finished;
};

std::vector<observe::Observer*> pointers(std::span<const std::unique_ptr<observe::Observer>> observers) {
  std::vector<observe::Observer*> list;
  for (const auto& observer : observers) list.push_back(observer.get());
  return list;
}

/// The blocks of one host thread: those under way, and used ones to be started again.
class Residents {
 public:
  Residents(const Launch& launch, const Options& options, const Watch& watch, Progress& progress, Schedule* schedule)
      : launch_(launch), options_(options), watch_(watch), progress_(progress), schedule_(schedule) {}

  void run() {
    if (schedule_ == nullptr)
      while (!live_.empty() || start()) run_pass();
    else
      while (start_by_schedule() || !live_.empty()) run_by_schedule();
  }

 private:
  using Place = std::size_t;  // in live_

  bool start() { return live_.size() < most() && begin(progress_.next()); }
  std::size_t most() const { return static_cast<std::size_t>(std::max<std::uint64_t>(1, launch_.resident_blocks)); }

  bool begin(std::optional<std::uint64_t> number) {
    if (!number) return false;
    if (spare_.empty()) spare_.push_back(std::make_unique<Block>(launch_, options_, watch_, schedule_));
    live_.push_back(std::move(spare_.back()));
    spare_.pop_back();
    live_.back()->begin(*number);
    return true;
  }

  /// What the block came to; it retires when it has finished. Nothing when it has ended the launch: blocks behind it
  /// are gone.
  std::optional<Block::State> run_block(Place place) {
    const std::uint64_t number = live_[place]->number();
    try {
      const Block::State state = live_[place]->run();
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
      if (run_block(place) != Block::State::finished) ++place;
    if (live_.size() < before) return;
    for (std::size_t more = launch_.cooperative ? most() : before; more > 0 && start(); --more) {
    }
  }

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
    const auto state = run_block(schedule_->below(static_cast<std::uint32_t>(live_.size())));
    if (state == Block::State::finished) {
      wanted_ = 1 + schedule_->below(Schedule::width);
      polled_ = 0;
    } else if (state == Block::State::polling && ++polled_ > 4 * live_.size()) {
      wanted_ = 2 * live_.size();
      polled_ = 0;
    }
  }

  const Launch& launch_;
  const Options& options_;
  const Watch& watch_;
  Progress& progress_;
  Schedule* schedule_;
  std::vector<std::unique_ptr<Block>> live_, spare_;  // live: in the order of their start
  std::vector<std::uint64_t> window_;
  std::uint32_t passed_over_ = 0;
  std::size_t wanted_ = Schedule::width;
  std::size_t polled_ = 0;  // turns of waiting since a block has finished
};

void work(const Launch& launch, const Options& options, const std::vector<observe::Observer*>& observers,
          Progress& progress, Schedule* schedule) {
  Watch watch(observers, *launch.program);
  Profile profile(*launch.program);
  if (!watch.profile.empty()) watch.counted = &profile;
  Residents(launch, options, watch, progress, schedule).run();
  for (observe::Observer* observer : watch.profile) observer->profile(profile);
}

}  // namespace

LaunchStatus run(const Launch& launch, const Options& options,
                 std::span<const std::unique_ptr<observe::Observer>> observers) {
  for (const auto& observer : observers) observer->launch_begin(launch);
  Progress progress(launch.grid.count());
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
  {
    std::vector<std::jthread> threads;
    for (const Observers& fork : forks)
      threads.emplace_back([&] { work(launch, options, pointers(fork), progress, nullptr); });
    work(launch, options, pointers(observers), progress, schedule ? &*schedule : nullptr);
  }
  for (Observers& fork : forks)
    for (std::size_t i = 0; i < fork.size(); ++i) observers[i]->join(*fork[i]);
  return progress.status();
}

}  // namespace warpwright::machine
