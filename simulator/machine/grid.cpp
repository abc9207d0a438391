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

void work(const Launch& launch, const Options& options, const std::vector<observe::Observer*>& observers,
          Progress& progress) {
  const Watch watch(observers);
  Block block(launch, options, watch);
  while (const std::optional<std::uint64_t> number = progress.next()) {
    try {
      block.run(*number);
    } catch (const LaunchEnded& end) {
      progress.end(*number, end.status);
      return;
    }
  }
}

}  // namespace

LaunchStatus run(const Launch& launch, const Options& options,
                 std::span<const std::unique_ptr<observe::Observer>> observers) {
  for (const auto& observer : observers) observer->launch_begin(launch);
  Progress progress(launch.grid.count());
  const auto helpers = static_cast<unsigned>(
      std::min<std::uint64_t>(std::max(1u, options.host_threads), std::max<std::uint64_t>(1, launch.grid.count())) - 1);
  std::vector<Observers> forks(helpers);
  for (Observers& fork : forks)
    for (const auto& observer : observers) {
      fork.push_back(observer->fork());
      fork.back()->launch_begin(launch);
    }
  {
    std::vector<std::jthread> threads;
    for (const Observers& fork : forks) threads.emplace_back([&] { work(launch, options, pointers(fork), progress); });
    work(launch, options, pointers(observers), progress);
  }
  for (Observers& fork : forks)
    for (std::size_t i = 0; i < fork.size(); ++i) observers[i]->join(*fork[i]);
  return progress.status();
}

}  // namespace warpwright::machine
