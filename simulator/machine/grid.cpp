#include <algorithm>
#include <atomic>
#include <optional>
#include <thread>

#include "machine/block.h"
#include "machine/launch.h"

namespace warpwright::machine {
namespace {

using Observers = std::vector<std::unique_ptr<observe::Observer>>;

/// What the host threads of a launch share.
struct Progress {
  std::atomic<std::uint64_t> next{0};  // block to start
  std::uint64_t blocks = 0;
  /// First block, in index order, that ended the launch, with its status.
  std::atomic<std::uint64_t> ended_by{~std::uint64_t{0}};
  std::atomic<LaunchStatus> status{LaunchStatus::finished};
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
  for (;;) {
    const std::uint64_t number = progress.next.fetch_add(1, std::memory_order_relaxed);
    if (number >= progress.blocks || number > progress.ended_by.load(std::memory_order_relaxed)) return;
    try {
      block.run(number);
    } catch (const LaunchEnded& end) {
      std::uint64_t first = progress.ended_by.load();
      while (number < first && !progress.ended_by.compare_exchange_weak(first, number)) {
      }
      if (number <= progress.ended_by.load()) progress.status = end.status;
      return;
    }
  }
}

}  // namespace

LaunchStatus run(const Launch& launch, const Options& options,
                 std::span<const std::unique_ptr<observe::Observer>> observers) {
  for (const auto& observer : observers) observer->launch_begin(launch);
  Progress progress;
  progress.blocks = launch.grid.count();

  const auto helpers = static_cast<unsigned>(
      std::min<std::uint64_t>(std::max(1u, options.host_threads), std::max<std::uint64_t>(1, progress.blocks)) - 1);
  std::vector<Observers> forks(helpers);
  for (Observers& fork : forks)
    for (const auto& observer : observers) {
      fork.push_back(observer->fork());
      fork.back()->launch_begin(launch);
    }
  {
    std::vector<std::jthread> threads;
    for (const Observers& fork : forks)
      threads.emplace_back([&] { work(launch, options, pointers(fork), progress); });
    work(launch, options, pointers(observers), progress);
  }
  for (Observers& fork : forks)
    for (std::size_t i = 0; i < fork.size(); ++i) observers[i]->join(*fork[i]);
  return progress.status;
}

}  // namespace warpwright::machine
